import { describe, expect, it } from "vitest";
import { openSandbox } from "../sandbox/run-snippet.ts";
import { ENGINES } from "./stand.ts";

describe.each(ENGINES)("other runs, on %s,", (engine) => {
  it("are not seen by a run that follows in the same process", async () => {
    await using guest = openSandbox(1, { engine });
    await guest.run(
      "globalThis.left = 'secret'; Array.prototype.left = 1; Object.prototype.left = 1; console.log('x'); setTimeout(() => {}, 1e6)",
    );
    const body =
      "return [typeof left, [].left === undefined, ({}).left === undefined, Object.getOwnPropertyNames(globalThis).includes('left')]";
    expect(await guest.value(body)).toEqual(["undefined", true, true, false]);
  });

  it("that are stopped, cost no other one that runs at the same time", async () => {
    await using guest = openSandbox(2, { engine });
    const well = async (n: number) => {
      const values: unknown[] = [];
      for (let i = 0; i < 5; i++) values.push(await guest.value(`await sleep(20); return ${n + i}`));
      return values;
    };
    const [, first] = await Promise.all([guest.run("for (;;);", { limits: { wallMs: 300 } }), well(1)]);
    expect(first).toEqual([1, 2, 3, 4, 5]);
    const bomb = "const all = []; for (;;) all.push(new Array(1000).fill(1))";
    const [, second] = await Promise.all([guest.run(bomb), well(6)]);
    expect(second).toEqual([6, 7, 8, 9, 10]);
  });

  it("do not get the timers, calls or printed lines of a run before", async () => {
    await using guest = openSandbox(1, { engine });
    await guest.run("setTimeout(() => console.log('late'), 5); setInterval(() => notes.read(), 1); return 1");
    const outcome = await guest.run("await sleep(30); return 2");
    expect(outcome).toMatchObject({ kind: "returned", json: "2", logs: [], calls: 0, warnings: [] });
  });

  it("have other random numbers", async () => {
    await using guest = openSandbox(1, { engine });
    const body = "return [Math.random(), crypto.randomUUID()]";
    expect(await guest.value(body)).not.toEqual(await guest.value(body));
  });
});
