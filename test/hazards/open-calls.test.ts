import { describe, expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

/** Never answers, and counts what was started and what was aborted. */
function silent() {
  const seen = { started: 0, aborted: 0 };
  const call: HostCall = (_, { signal }) =>
    new Promise(() => {
      seen.started++;
      signal.addEventListener("abort", () => seen.aborted++);
    });
  return { seen, call };
}

const KILLS = [
  ["while the snippet waits for it", "await notes.read()"],
  ["while the snippet loops", "notes.read(); await sleep(1); for (;;);"],
  ["of many at once", "await Promise.all(Array.from({ length: 10 }, (_, i) => notes.read({ i })))"],
] as const;

describe.each(ENGINES)("a call that is open at the kill, on %s,", (engine) => {
  it.each(KILLS)("%s, is cancelled through to the host's signal", async (_, body) => {
    const { seen, call } = silent();
    expect(await meet(engine, body, { call, limits: SOON })).toMatchObject(AT_DEADLINE);
    expect(seen.started).toBeGreaterThan(0);
    expect(seen.aborted).toBe(seen.started);
  });

  it("and waits for its turn, is never made", async () => {
    const { seen, call } = silent();
    const body = "await Promise.all(Array.from({ length: 40 }, (_, i) => notes.read({ i })))";
    expect(await meet(engine, body, { call, limits: { ...SOON, inFlight: 4 } })).toMatchObject({
      ...AT_DEADLINE,
      calls: 40,
    });
    expect(seen).toEqual({ started: 4, aborted: 4 });
  });

  it("is cancelled when the memory is what stops the run", async () => {
    const { seen, call } = silent();
    const body = "notes.read(); await sleep(1); const all = []; for (;;) all.push(new Array(1000).fill(all.length))";
    expect(await meet(engine, body, { call })).toMatchObject({ kind: "stopped" });
    expect(seen).toEqual({ started: 1, aborted: 1 });
  });

  it("may be answered late: the reply is dropped", async () => {
    const call: HostCall = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({ kind: "value", json: "1" })));
    expect(await meet(engine, "await notes.read()", { call, limits: SOON })).toMatchObject(AT_DEADLINE);
  });
});
