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

it("lets other calls go ahead while a person is asked, and takes no more than its limit afterwards", async () => {
  await using guest = openSandbox();
  let paused = 0;
  let running = 0;
  let most = 0;
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const call: HostCall = async (_, { pauseClock }) => {
    const resume = pauseClock();
    // All are asked about at once, or this waits for ever.
    if (++paused === 40) answer();
    await answered;
    await resume();
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 5));
    running--;
    return { kind: "value", json: "1" };
  };
  const body = "return (await Promise.all(Array.from({ length: 40 }, () => notes.read()))).length";
  expect(await guest.value(body, { call, limits: { inFlight: 4, inFlightPerServer: 3 } })).toBe(40);
  expect(most).toBe(3);
});

it("frees a call's place when it is answered without counting on", async () => {
  await using guest = openSandbox();
  const call: HostCall = async (_, { pauseClock }) => {
    pauseClock();
    return { kind: "value", json: "1" };
  };
  const body = "let n = 0; for (let i = 0; i < 5; i++) n += await notes.read(); return n";
  expect(await guest.value(body, { call, limits: { inFlight: 1, inFlightPerServer: 1 } })).toBe(5);
});

it("ends a run while answered calls wait for their place", async () => {
  await using guest = openSandbox();
  const call: HostCall = async (_, { pauseClock }) => {
    await pauseClock()();
    await new Promise(() => {});
    return { kind: "value" };
  };
  const body = "await Promise.all([1, 2, 3].map(() => notes.read()))";
  const outcome = await guest.run(body, { call, limits: { inFlight: 1, inFlightPerServer: 1, wallMs: 300 } });
  expect(outcome).toMatchObject({ kind: "stopped", reason: "deadline" });
});

it("counts on when the call for which somebody is asked is given up", async () => {
  await using guest = openSandbox();
  const call: HostCall = (_, { pauseClock }) => {
    pauseClock();
    return new Promise(() => {});
  };
  const body = `const c = new AbortController(); notes.read({}, { signal: c.signal }).catch(() => {});
    await sleep(20); c.abort(); await sleep(1e6)`;
  expect(await guest.run(body, { call, limits: { wallMs: 500 } })).toMatchObject({ reason: "deadline" });
});
