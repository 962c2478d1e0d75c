import { expect, it } from "vitest";
import type { ToWorker } from "../../sandbox/frames.ts";
import { parseFrame } from "../../sandbox/frames.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import type { ProcessListener, WorkerProcess } from "../../sandbox/process.ts";
import { runInProcess } from "../../sandbox/run.ts";
import { echo, TOOLS } from "./run-snippet.ts";

/** A worker that was taken over: it sends whatever it is told to. */
function takenOver() {
  const sent: ToWorker[] = [];
  let listener: ProcessListener | undefined;
  let killed = false;
  const worker: WorkerProcess = {
    ready: Promise.resolve(),
    gone: Promise.resolve(),
    attach: (next) => {
      listener = next;
    },
    detach: () => {},
    send: (frame) => void sent.push(frame),
    kill: () => {
      killed = true;
    },
    get killed() {
      return killed;
    },
    processMb: DEFAULT_LIMITS.processMb,
    residentMb: () => undefined,
    processorMs: () => undefined,
  };
  return { worker, sent, say: (message: unknown) => listener?.frame(parseFrame(message)) };
}

const run = { code: "", filename: "snippet.ts", tools: TOOLS, call: echo };
const settled = { kind: "settled", run: 7, result: { kind: "returned", json: "1" }, open: 0, unawaited: 0 };

const HOSTILE: readonly (readonly [string, readonly unknown[]])[] = [
  ["no frame at all", [{ kind: "calls", run: 7 }]],
  ["a frame of another run", [{ ...settled, run: 6 }]],
  ["a frame that only a starting process sends", [{ kind: "ready" }]],
  ["calls that are no JSON", [{ kind: "calls", run: 7, heads: "[", bodies: "" }]],
  ["a call of a namespace that it was not given", [{ kind: "calls", run: 7, heads: "[[2,0,2]]", bodies: "{}" }]],
  ["a call of a tool that it was not given", [{ kind: "calls", run: 7, heads: "[[0,3,2]]", bodies: "{}" }]],
  ["a pong that nobody asked for", [{ kind: "pong", run: 7 }]],
  ["an end without a result", [{ kind: "finished", run: 7 }]],
  [
    "an end with a call that is open",
    [
      { kind: "calls", run: 7, heads: "[[0,0,2]]", bodies: "{}" },
      { ...settled, open: 1 },
      { kind: "finished", run: 7 },
    ],
  ],
  ["more open calls than it made", [{ ...settled, open: 1 }]],
  ["two results", [{ kind: "calls", run: 7, heads: "[[0,0,2]]", bodies: "{}" }, { ...settled, open: 1 }, settled]],
  ["the same timer twice", [1, 2].map(() => ({ kind: "timer", run: 7, id: 1, ms: 1e6 }))],
  ["an error that is none", [{ ...settled, result: { kind: "threw", error: "1" } }]],
];

it.each(HOSTILE)("kills a process that sends %s", async (_, messages) => {
  const { worker, say } = takenOver();
  const outcome = runInProcess(7, worker, run, DEFAULT_LIMITS);
  for (const message of messages) say(message);
  expect(await outcome).toMatchObject({ kind: "stopped", reason: "protocol" });
  expect(worker.killed).toBe(true);
});

it("holds a process that was taken over to the limits all the same", async () => {
  const lines = Array.from({ length: 11 }, () => ({ level: "log", text: "12345" }));
  const { worker, say } = takenOver();
  const outcome = runInProcess(7, worker, run, { ...DEFAULT_LIMITS, logLines: 10, outputBytes: 10 });
  say({ kind: "logs", run: 7, lines, cut: false });
  say({ ...settled, result: { kind: "returned", json: `"${"x".repeat(9)}"` } });
  const { kind, logs, logsCut } = await outcome;
  expect([kind, logs.length, logsCut, worker.killed]).toEqual(["stopped", 10, true, true]);
});

it("fails a call whose arguments are no object, without making it", async () => {
  const { worker, sent, say } = takenOver();
  void runInProcess(7, worker, { ...run, call: () => Promise.reject(new Error("made")) }, DEFAULT_LIMITS);
  say({ kind: "calls", run: 7, heads: "[[0,0,2]]", bodies: "[]" });
  await expect
    .poll(() => sent.at(-1))
    .toMatchObject({ kind: "replies", bodies: expect.stringContaining("one object") });
  say(settled);
});
