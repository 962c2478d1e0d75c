import { describe, expect, it } from "vitest";
import type { Engine, GuestMessage } from "../../sandbox/engine.ts";
import { findEngine } from "../../sandbox/find-engine.ts";
import type { HostCall } from "../../sandbox/index.ts";
import { loadIsolatedVm } from "../../sandbox/isolate.ts";
import { DEFAULT_LIMITS, type Limits } from "../../sandbox/limits.ts";
import { loadQuickJs } from "../../sandbox/quickjs.ts";
import { runInProcess } from "../../sandbox/run.ts";
import { echo, TOOLS } from "../sandbox/run-snippet.ts";
import { puppet } from "./puppet.ts";
import { ENGINES } from "./stand.ts";

const run = { code: "", filename: "snippet.ts", tools: TOOLS, call: echo };
const settled = (json: string) => ({
  kind: "settled",
  run: 7,
  result: { kind: "returned", json },
  open: 0,
  unawaited: 0,
});
const calls = (count: number, body = "{}") => ({
  kind: "calls",
  run: 7,
  heads: JSON.stringify(Array(count).fill([0, 0, body.length])),
  bodies: body.repeat(count),
});

/** Limits that the worker's side keeps as well: here that side was taken over and keeps none. */
describe("the host keeps every limit by itself:", () => {
  const ends = async (limits: Partial<Limits>, frames: readonly unknown[], residentMb?: number, call = echo) => {
    const { worker, sent, say } = puppet(residentMb);
    const ended = runInProcess(7, worker, { ...run, call }, { ...DEFAULT_LIMITS, ...limits });
    for (const frame of frames) say(frame);
    return { outcome: await ended, killed: worker.killed, sent };
  };
  const stops = (reason: string, name: keyof Limits) => ({
    outcome: { kind: "stopped", reason, limit: { name } },
    killed: true,
  });

  it("the deadline", async () => {
    expect(await ends({ wallMs: 50 }, [])).toMatchObject(stops("deadline", "wallMs"));
  });

  it("the memory of the process", async () => {
    expect(await ends({ processMb: 100 }, [], 101)).toMatchObject(stops("memory", "processMb"));
    expect((await ends({ processMb: 100, wallMs: 200 }, [], 99)).outcome).toMatchObject({ reason: "deadline" });
  });

  it("the number of calls", async () => {
    expect(await ends({ calls: 5 }, [calls(6)])).toMatchObject(stops("calls", "calls"));
    expect((await ends({ calls: 5, wallMs: 100 }, [calls(5)])).outcome).toMatchObject({ reason: "deadline", calls: 5 });
  });

  it("the number of asks, which are counted by themselves", async () => {
    const asks = (count: number) => ({ ...calls(count), heads: JSON.stringify(Array(count).fill([TOOLS.size, 5, 2])) });
    expect(await ends({ asks: 5 }, [asks(6)])).toMatchObject(stops("asks", "asks"));
    const { outcome } = await ends({ asks: 5, calls: 1, wallMs: 100 }, [asks(5)]);
    expect(outcome).toMatchObject({ reason: "deadline", calls: 0 });
    const unknown = { ...asks(1), heads: `[[${TOOLS.size},6,2]]` };
    expect((await ends({}, [unknown])).outcome).toMatchObject({ reason: "protocol" });
  });

  it("the processor time", async () => {
    const stopped = { kind: "stopped", run: 7, reason: "cpu", ms: 123 };
    expect(await ends({ cpuMs: 100 }, [stopped])).toMatchObject({
      outcome: { reason: "cpu", limit: { name: "cpuMs", value: 100, used: 123 } },
      killed: true,
    });
  });

  it("the arguments of all calls together", async () => {
    const body = '{"a":"12345"}';
    expect(await ends({ argumentTotalBytes: 25 }, [calls(2, body)])).toMatchObject(
      stops("argument-size", "argumentTotalBytes"),
    );
    expect((await ends({ argumentTotalBytes: 26, wallMs: 100 }, [calls(2, body)])).outcome).toMatchObject({ calls: 2 });
  });

  it("the arguments of one call, which is not made", async () => {
    const made: unknown[] = [];
    const call: HostCall = async (one) => {
      made.push(one.args);
      return { kind: "value" };
    };
    const { sent } = await ends({ argumentBytes: 12, wallMs: 150 }, [calls(1, '{"a":"1234567"}')], undefined, call);
    expect(sent.find(({ kind }) => kind === "replies")).toMatchObject({
      bodies: expect.stringContaining("at most 12"),
    });
    await ends({ nesting: 3, wallMs: 150 }, [calls(1, '{"a":[[[1]]]}')], undefined, call);
    expect(made).toEqual([]);
    await ends({ nesting: 4, wallMs: 150 }, [calls(1, '{"a":[[[1]]]}')], undefined, call);
    expect(made).toEqual([{ a: [[[1]]] }]);
  });

  it("the printed lines and bytes", async () => {
    const logs = { kind: "logs", run: 7, lines: Array(5).fill({ level: "log", text: "é1234" }), cut: false };
    const byLines = await ends({ logLines: 4 }, [logs, settled("1")]);
    expect([byLines.outcome.logs.length, byLines.outcome.logsCut]).toEqual([4, true]);
    const byBytes = await ends({ logBytes: 12 }, [logs, settled("1")]);
    expect([byBytes.outcome.logs.length, byBytes.outcome.logsCut]).toEqual([2, true]);
  });

  it("the size and the nesting of the result", async () => {
    expect(await ends({ outputBytes: 7 }, [settled('"ééé"')])).toMatchObject(stops("result-size", "outputBytes"));
    expect((await ends({ outputBytes: 8 }, [settled('"ééé"')])).outcome).toMatchObject({ kind: "returned" });
    const deep = await ends({ nesting: 2 }, [settled("[[[]]]")]);
    expect(deep.outcome).toMatchObject({ kind: "threw", error: { name: "RangeError" } });
  });

  it("the number of timers", async () => {
    const timers = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ kind: "timer", run: 7, id, ms: 1e6 }));
    expect((await ends({ timers: 3 }, timers(4))).outcome).toMatchObject({ reason: "protocol" });
    expect((await ends({ timers: 3, wallMs: 100 }, timers(3))).outcome).toMatchObject({ reason: "deadline" });
  });

  it("the number and length of warnings", async () => {
    const warnings = Array(30).fill({ kind: "warning", run: 7, text: "x".repeat(5000) });
    const { outcome } = await ends({}, [...warnings, settled("1")]);
    expect(outcome.warnings.map(({ length }) => length)).toEqual(Array(20).fill(2000));
  });
});

/** Runs a snippet in an engine alone, with no host that would stop it. */
async function alone(engine: Engine, body: string, limits: Partial<Limits> = {}, left = 5000) {
  const said: GuestMessage[] = [];
  const hear = (message: GuestMessage): boolean => void said.push(message) === undefined;
  const guest = await engine.create(limits.memoryMb ?? 128, hear);
  const options = { filename: "snippet.ts", tools: [...TOOLS], limits: { ...DEFAULT_LIMITS, ...limits } };
  const slice = guest.start(
    `async function __nami__() {${body}\n}`,
    { ...options, seed: "00".repeat(32), startedAt: 0 },
    left,
  );
  const count = (kind: string) => said.filter(([one]) => one === kind).length;
  return { slice, said, count };
}

describe.each(ENGINES)("the worker's side keeps limits before the host must, on %s:", (name) => {
  const engine = name === "quickjs" ? loadQuickJs(findEngine(name)) : loadIsolatedVm(findEngine(name));

  it("the time of a stretch of code, also of what follows an await", async () => {
    const stopped = { kind: "stopped", reason: "deadline" };
    expect((await alone(engine, "for (;;);", {}, 100)).slice).toEqual(stopped);
    expect((await alone(engine, "await 0; for (;;);", {}, 100)).slice).toEqual(stopped);
    expect((await alone(engine, "for (;;) await 0", {}, 100)).slice).toEqual(stopped);
    expect((await alone(engine, "} for (;;); {", {}, 100)).slice).toEqual(stopped);
  });

  it("the heap", async () => {
    const body = "const all = []; for (;;) all.push([all.length])";
    const { slice } = await alone(engine, body, { memoryMb: 16 }, 30_000);
    expect(slice).toEqual({ kind: "stopped", reason: "memory" });
  });

  it("the number of calls: one over is told, no more", async () => {
    const { said } = await alone(engine, "for (let i = 0; i < 500; i++) notes.read()", { calls: 5 });
    const told = said.reduce((sum, message) => sum + (message[0] === "calls" ? message[3] : 0), 0);
    expect(told).toBe(6);
  });

  it("the arguments of one call", async () => {
    const body = "try { await notes.read({ a: '12345678' }) } catch (error) { return error.name }";
    const { said, count } = await alone(engine, body, { argumentBytes: 15 });
    expect([count("calls"), said.at(-1)?.slice(0, 2)]).toEqual([0, ["returned", '"RangeError"']]);
  });

  it("the number of timers", async () => {
    const { count } = await alone(engine, "for (let i = 0; i < 50; i++) setTimeout(() => {}, 1e6)", { timers: 5 });
    expect(count("timer")).toBe(5);
  });

  it("the size of the result: only its length is told", async () => {
    const { said } = await alone(engine, "return 'x'.repeat(100)", { outputBytes: 10 });
    expect(said.map(([kind]) => kind)).toEqual(["oversize"]);
  });

  it("the length of a printed line", async () => {
    const { said } = await alone(engine, "console.log('x'.repeat(1e6))", { logBytes: 1000 });
    const lines = said.filter((message) => message[0] === "log");
    expect(lines[0]?.[2]?.length).toBeLessThan(100_000);
  });
});
