import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("sleeps, and calls back with arguments in order of time", async () => {
  await using guest = openSandbox();
  const body = `
    const seen = [];
    setTimeout((value) => seen.push(value), 30, "late");
    setTimeout((value) => seen.push(value), 1, "early");
    const cleared = setTimeout(() => seen.push("never"), 5);
    clearTimeout(cleared);
    await sleep(60);
    return seen`;
  expect(await guest.value(body)).toEqual(["early", "late"]);
});

it("allows as many waiting timers as the limit says, and throws at one more", async () => {
  await using guest = openSandbox();
  const arm = (count: number) => `for (let i = 0; i < ${count}; i++) setTimeout(() => {}, 60_000); return 1`;
  const limits = { timers: 5 };
  expect(await guest.run(arm(5), { limits })).toMatchObject({ kind: "returned" });
  expect(await guest.run(arm(6), { limits })).toMatchObject({ kind: "threw", error: { name: "RangeError" } });
});

it("frees a timer that is cleared", async () => {
  await using guest = openSandbox();
  const body = "for (let i = 0; i < 50; i++) clearTimeout(setTimeout(() => {}, 60_000)); return 1";
  expect(await guest.value(body, { limits: { timers: 5 } })).toBe(1);
});

it("reports what a timer's function throws as a warning", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run("setTimeout(() => { throw new Error('in timer') }, 1); await sleep(20); return 1");
  expect(outcome).toMatchObject({ kind: "returned", json: "1" });
  expect(outcome.warnings).toEqual([expect.stringContaining("in timer")]);
});
