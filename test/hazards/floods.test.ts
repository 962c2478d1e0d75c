import { describe, expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import { ENGINES, meet } from "./stand.ts";

describe.each(ENGINES)("a flood, on %s,", (engine) => {
  it("of a million printed lines, is cut and said to be", async () => {
    const outcome = await meet(engine, "for (let i = 0; i < 1e6; i++) console.log('line', i); return 1");
    expect(outcome).toMatchObject({ kind: "returned", logsCut: true });
    expect(outcome.logs).toHaveLength(DEFAULT_LIMITS.logLines);
  });

  it("of a gigabyte of printed text, is cut and said to be", async () => {
    const body = "const s = 'x'.repeat(1e7); for (let i = 0; i < 100; i++) console.log(s); return 1";
    const outcome = await meet(engine, body);
    expect(outcome).toMatchObject({ kind: "returned", logsCut: true });
    expect(outcome.logs.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(DEFAULT_LIMITS.logBytes);
  });

  it("of calls that nothing awaits, stops the run before one is made", async () => {
    let made = 0;
    const call: HostCall = async () => ({ kind: "value", json: String(++made) });
    const outcome = await meet(engine, "for (let i = 0; i < 1e6; i++) notes.read({ i }); return 1", { call });
    expect(outcome).toMatchObject({ kind: "stopped", reason: "calls", limit: { name: "calls" } });
    expect(made).toBe(0);
  });

  it("of calls in a loop without an end, stops the run long before its deadline", async () => {
    const outcome = await meet(engine, "for (;;) notes.read()", { limits: { wallMs: 20_000, cpuMs: 20_000 } });
    expect(outcome).toMatchObject({ kind: "stopped", reason: "calls" });
  });

  it("of calls that are awaited, makes as many as the limit says", async () => {
    let made = 0;
    const call: HostCall = async () => ({ kind: "value", json: String(++made) });
    const outcome = await meet(engine, "for (;;) await notes.read()", { call, limits: { calls: 50 } });
    expect(outcome).toMatchObject({ kind: "stopped", reason: "calls", calls: 50 });
    expect(made).toBe(50);
  });

  it("of calls that are aborted at once, reaches a server no more often than allowed", async () => {
    let inFlight = 0;
    let most = 0;
    const call: HostCall = async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inFlight--;
      return { kind: "value" };
    };
    const body = `
      for (let i = 0; i < 100; i++) {
        const control = new AbortController();
        notes.read({ i }, { signal: control.signal }).catch(() => {});
        await 0; await 0; control.abort();
      }
      return 1`;
    expect(await meet(engine, body, { call, limits: { inFlight: 3 } })).toMatchObject({ kind: "returned", calls: 100 });
    expect(most).toBeLessThanOrEqual(3);
  });

  it("of large arguments, stops the run", async () => {
    const body = "const text = 'x'.repeat(1e5); for (let i = 0; i < 900; i++) notes.read({ text, i }); return 1";
    const limits = { argumentTotalBytes: 1e6 };
    expect(await meet(engine, body, { limits })).toMatchObject({ kind: "stopped", reason: "argument-size" });
  });

  it("of timers, is an error of the snippet", async () => {
    const body = "for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1e6)";
    expect(await meet(engine, body)).toMatchObject({ kind: "threw", error: { name: "RangeError" } });
  });

  it("of timers that are set and cleared, ends with its result or at its deadline", async () => {
    const body = "for (let i = 0; i < 1e5; i++) clearTimeout(setTimeout(() => {}, 1e6)); return 1";
    const outcome = await meet(engine, body, { limits: { wallMs: 10_000 } });
    expect(outcome.kind === "stopped" ? outcome.reason : outcome.kind).toMatch(/^(returned|deadline)$/);
  });

  it("of rejections that nothing awaits, keeps some of its warnings", async () => {
    const body =
      "for (let i = 0; i < 1e4; i++) queueMicrotask(() => { throw new Error('w' + i + 'x'.repeat(5000)) }); await sleep(5); return 1";
    const outcome = await meet(engine, body);
    expect(outcome.kind).toBe("returned");
    expect(outcome.warnings.length).toBeLessThanOrEqual(20);
    expect(Math.max(...outcome.warnings.map(({ length }) => length))).toBeLessThanOrEqual(2000);
  });
});
