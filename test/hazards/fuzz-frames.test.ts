import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCallHeads, parseFrame, parseGuestError } from "../../sandbox/frames.ts";
import type { GuestCall, Outcome } from "../../sandbox/index.ts";
import { forkWorker } from "../../sandbox/launch.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import { runInProcess } from "../../sandbox/run.ts";
import { openSandbox, TOOLS } from "../sandbox/run-snippet.ts";
import { bounded } from "./fuzz-seed.ts";
import { puppet } from "./puppet.ts";
import { ENGINES } from "./stand.ts";

const RUN = 7;
const LIMITS = { ...DEFAULT_LIMITS, calls: 20, logLines: 10, logBytes: 200, timers: 5, outputBytes: 100 };

const small = fc.integer({ min: 0, max: 4 });
const json = fc.oneof(
  fc.jsonValue().map((one) => JSON.stringify(one)),
  fc.string(),
);
const heads = fc.array(fc.tuple(small, small, fc.integer({ min: 0, max: 30 }))).map((list) => JSON.stringify(list));
const result = fc.oneof(
  fc.record({ kind: fc.constant("returned"), json: fc.option(json, { nil: undefined }) }),
  fc.record({ kind: fc.constant("threw"), error: fc.oneof(json, fc.constant('{"name":"E","message":"m"}')) }),
  fc.record({ kind: fc.constant("oversize"), length: fc.nat() }),
);
const line = fc.record({ level: fc.constantFrom("log", "info", "warn", "error", "debug"), text: fc.string() });

/** Frames as a worker sends them, in any order. */
const frame: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({
    kind: fc.constant("calls"),
    run: fc.constant(RUN),
    heads: fc.oneof(heads, json),
    bodies: fc.oneof(fc.constant("{}{}{}"), json),
  }),
  fc.record({ kind: fc.constant("timer"), run: fc.constant(RUN), id: small, ms: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ kind: fc.constant("cancel"), run: fc.constant(RUN), id: small }),
  fc.record({ kind: fc.constant("cancel-call"), run: fc.constant(RUN), sequence: small }),
  fc.record({ kind: fc.constant("logs"), run: fc.constant(RUN), lines: fc.array(line), cut: fc.boolean() }),
  fc.record({ kind: fc.constant("warning"), run: fc.constant(RUN), text: fc.string() }),
  fc.record({ kind: fc.constant("settled"), run: fc.constant(RUN), result, open: small, unawaited: small }),
  fc.record({ kind: fc.constantFrom("finished", "pong", "ready"), run: fc.constant(RUN) }),
  fc.record({
    kind: fc.constant("stopped"),
    run: fc.constant(RUN),
    reason: fc.constantFrom("deadline", "memory", "cpu"),
    ms: small,
  }),
);

const oddity = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
  fc.constantFrom<unknown>(-1, 2 ** 53, Number.NaN, "x".repeat(1e6), "__proto__", new Map(), []),
);
/** A frame with one part replaced, left out, or repeated. */
const mutated = fc.tuple(frame, fc.nat(), fc.option(oddity)).map(([one, at, odd]) => {
  const key = Object.keys(one)[at % Object.keys(one).length] ?? "kind";
  const { [key]: _, ...rest } = one;
  return odd === null ? rest : { ...rest, [key]: odd };
});
const message = fc.oneof(
  { weight: 6, arbitrary: frame },
  { weight: 2, arbitrary: mutated },
  { weight: 1, arbitrary: oddity },
);
const conversation = fc
  .array(fc.tuple(message, fc.integer({ min: 1, max: 3 })), { maxLength: 25 })
  .map((list) => list.flatMap(([one, times]) => Array<unknown>(times === 3 ? 2 : 1).fill(one)));

describe("the host, told random frames,", () => {
  it("ends the run with an outcome, makes only calls that are allowed, and keeps its limits", async () => {
    const ends = new Map<string, number>();
    const property = fc.asyncProperty(conversation, async (messages) => {
      const { worker, say } = puppet();
      const abort = new AbortController();
      const made: GuestCall[] = [];
      const call = async (one: GuestCall) => {
        made.push(one);
        return { kind: "value", json: "1" } as const;
      };
      const run = { code: "", filename: "snippet.ts", tools: TOOLS, call, signal: abort.signal };
      const ended = runInProcess(RUN, worker, run, LIMITS);
      for (const one of messages) say(one);
      await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      const outcome: Outcome = await ended;
      const end = outcome.kind === "stopped" ? outcome.reason : outcome.kind;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (outcome.kind === "returned")
        expect(Buffer.byteLength(outcome.json ?? "")).toBeLessThanOrEqual(LIMITS.outputBytes);
      if (end === "protocol") expect(worker.killed).toBe(true);
      expect(outcome.calls).toBeLessThanOrEqual(LIMITS.calls);
      expect(made.length).toBeLessThanOrEqual(LIMITS.calls);
      expect(made.every(({ namespace, member }) => TOOLS.get(namespace)?.includes(member))).toBe(true);
      expect(made.map(({ sequence }) => sequence)).toEqual([...new Set(made.map(({ sequence }) => sequence))]);
      expect(outcome.logs.length).toBeLessThanOrEqual(LIMITS.logLines);
      expect(outcome.warnings.length).toBeLessThanOrEqual(21);
      expect({}).not.toHaveProperty("polluted");
    });
    await fc.assert(property, bounded(6000));
    // The draws reach every way to end that frames can bring about.
    expect([...ends.keys()].sort()).toEqual(
      expect.arrayContaining(["aborted", "protocol", "returned", "threw", "result-size", "deadline", "memory"].sort()),
    );
  });

  it("takes any text for calls and errors without throwing", () => {
    const property = fc.property(json, oddity, (text, odd) => {
      parseCallHeads(text);
      parseGuestError(text, "snippet.ts");
      parseFrame(odd);
    });
    fc.assert(property, bounded(3000));
  });
});

const toWorker = fc.oneof(
  fc.record({
    kind: fc.constantFrom("replies", "timer", "ping", "odd"),
    run: small,
    left: fc.integer(),
    at: fc.integer(),
    count: small,
    heads,
    bodies: json,
    id: small,
  }),
  fc.anything({ maxDepth: 2 }),
);

describe.each(ENGINES)("the worker of %s, told random frames,", (engine) => {
  it("goes on or ends, and never takes anything along", async () => {
    const good = {
      kind: "run",
      run: 99,
      code: "async function __nami__() { return 1 }",
      guest: { filename: "snippet.ts", tools: [], limits: DEFAULT_LIMITS, seed: "00".repeat(32), startedAt: 0 },
      left: 5000,
    };
    let last: Promise<void> = Promise.resolve();
    const check = async (messages: readonly unknown[]) => {
      const child = forkWorker({ engine, jitless: true, wrap: undefined, processMb: 512 });
      const end = new Promise<string>((resolve) => {
        child.once("exit", () => resolve("ended"));
        child.on("message", (said) => {
          const told = parseFrame(said);
          if (told?.kind === "ready") for (const one of [...messages, good]) send(one);
          if (told?.kind === "settled" && told.run === 99) resolve("settled");
        });
      });
      // A process that has ended takes no more; what cannot be cloned never leaves.
      const send = (one: unknown) => {
        try {
          child.send(one as object, () => {});
        } catch {}
      };
      try {
        expect(await end).toMatch(/^(ended|settled)$/);
      } finally {
        child.kill("SIGKILL");
      }
    };
    const property = fc.asyncProperty(fc.array(toWorker, { maxLength: 10 }), (messages) => {
      last = check(messages);
      return last;
    });
    await fc.assert(property, bounded(4000));
    // What the time limit interrupted must end as well.
    await last;
    await using guest = openSandbox(1, { engine });
    expect(await guest.value("return 1")).toBe(1);
  });
});
