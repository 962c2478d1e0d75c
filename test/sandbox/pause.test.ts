import { expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { openSandbox } from "./run-snippet.ts";

/** Asks a person who takes that long. */
const asking =
  (ms: number): HostCall =>
  async (_, { pauseClock }) => {
    const resume = pauseClock();
    await new Promise((answered) => setTimeout(answered, ms));
    resume();
    return { kind: "value", json: "1" };
  };

it("does not count the time in which a person is asked", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run("return await notes.read()", { limits: { wallMs: 300 }, call: asking(1200) });
  expect(outcome).toMatchObject({ kind: "returned", json: "1" });
});

it("counts on after the answer", async () => {
  await using guest = openSandbox();
  const body = "await notes.read(); await new Promise(() => {})";
  expect(await guest.run(body, { limits: { wallMs: 300 }, call: asking(600) })).toMatchObject({ reason: "deadline" });
});

it("stops a snippet that loops while a person is asked", async () => {
  await using guest = openSandbox();
  const asked = asking(30_000);
  for (const wait of ["await 0", "await sleep(400)"]) {
    const outcome = await guest.run(`notes.read(); ${wait}; while (true) {}`, { limits: { wallMs: 300 }, call: asked });
    expect(outcome).toMatchObject({ kind: "stopped", reason: "deadline" });
  }
});

it("stops native code that V8 does not interrupt while a person is asked", async () => {
  await using guest = openSandbox();
  const body = "notes.read(); await sleep(100); const holes = []; holes.length = 2 ** 32 - 1; holes.indexOf(1)";
  const outcome = await guest.run(body, { limits: { wallMs: 300 }, call: asking(15_000) });
  expect(outcome).toMatchObject({ kind: "stopped", reason: "deadline" });
  expect(outcome.ms).toBeLessThan(14_000);
});
