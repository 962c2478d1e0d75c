import { startCalls } from "./calls.ts";
import { startClock } from "./clock.ts";
import type { LogLine, Outcome, RunFacts, SandboxRun, StopReason } from "./contract.ts";
import { type FromWorker, parseCallHeads, parseGuestError, type RunFrame, type Settled } from "./frames.ts";
import { type Limits, MAX_WARNING_LENGTH, MEMORY_WATCH_MS } from "./limits.ts";
import { isDeeper } from "./nesting.ts";
import type { ProcessListener, WorkerProcess } from "./process.ts";
import { nextSeed } from "./seeds.ts";
import { stopMessage } from "./stop-message.ts";

type Ending = Outcome extends infer Each ? (Each extends Outcome ? Omit<Each, keyof RunFacts> : never) : never;

/**
 * One run in one process, as the host sees it: starts it, answers its calls, keeps its clock and its memory, and decides
 * how it ended. Whenever the host stops a run it kills the process, so a stopped guest has no time to object. As long as it
 * is open, `stops` has what stops it from outside.
 */
export function runInProcess(
  id: number,
  worker: WorkerProcess,
  run: SandboxRun,
  limits: Limits,
  stops: Set<() => void> = new Set(),
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const started = performance.now();
  const logs: LogLine[] = [];
  const warnings: string[] = [];
  const timers = new Map<number, NodeJS.Timeout>();
  const tools = [...run.tools];
  let logBytes = 0;
  let logsCut = false;
  let issued = 0;
  let answered = 0;
  let argumentBytes = 0;
  let unawaited = 0;
  let settled: Ending | undefined;
  let over = false;

  const clock = startClock(
    limits.wallMs,
    () => worker.send({ kind: "ping", run: id }),
    () => stop("deadline"),
  );
  const calls = startCalls(run.call, limits, clock.pause, (batch) => {
    answered += batch.count;
    worker.send({ kind: "replies", run: id, ...batch, left: clock.left() });
  });
  const memory = setInterval(() => {
    if ((worker.residentMb() ?? 0) > limits.processMb) stop("memory", "processMb");
  }, MEMORY_WATCH_MS);
  const onAbort = () => stop("aborted");

  const end = (ending: Ending) => {
    if (over) return;
    over = true;
    clock.stop();
    calls.stop();
    clearInterval(memory);
    for (const timer of timers.values()) clearTimeout(timer);
    run.signal?.removeEventListener("abort", onAbort);
    stops.delete(onAbort);
    worker.detach();
    const facts = { logs, logsCut, calls: issued, unawaited, ms: performance.now() - started, warnings };
    resolve({ ...ending, ...facts });
  };

  /** Ends the run and the process. A snippet that is done keeps its result: only what it left open is cancelled. */
  const stop = (reason: StopReason, limit?: keyof Limits, detail?: string) => {
    if (over) return;
    worker.kill();
    const name = limit ?? (reason === "deadline" ? "wallMs" : undefined);
    const message = stopMessage(reason, limits, detail);
    if (settled !== undefined && reason !== "protocol") {
      warnings.push(`What the snippet did not await was cancelled. ${message}`);
      return end(settled);
    }
    end({ kind: "stopped", reason, message, ...(name && { limit: { name, value: limits[name] } }) });
  };
  const breach = (what: string) => stop("protocol", undefined, what);

  const onFrame = (frame: RunFrame) => {
    switch (frame.kind) {
      case "pong":
        return clock.pong() ? undefined : breach("a pong that nobody asked for");
      case "calls":
        return onCalls(frame);
      case "timer":
        if (timers.size >= limits.timers || timers.has(frame.id)) return breach("too many timers");
        timers.set(frame.id, setTimeout(onTimer, frame.ms, frame.id));
        return;
      case "cancel":
        clearTimeout(timers.get(frame.id));
        timers.delete(frame.id);
        return;
      case "cancel-call":
        return frame.sequence <= issued ? calls.cancel(frame.sequence) : breach("the end of a call that was not made");
      case "logs":
        logsCut ||= frame.cut;
        for (const line of frame.lines) onLine(line);
        return;
      case "warning":
        if (warnings.length < MAX_WARNINGS) warnings.push(frame.text.slice(0, MAX_WARNING_LENGTH));
        return;
      case "settled":
        if (settled !== undefined) return breach("two results");
        if (frame.open > issued) return breach("more open calls than calls");
        return onSettled(frame.result, frame.open);
      case "finished":
        return settled !== undefined && answered === issued ? end(settled) : breach("an end before the end");
      case "stopped":
        return stop(frame.reason, frame.reason === "memory" ? "memoryMb" : undefined);
      default:
        return frame satisfies never;
    }
  };

  const onCalls = ({ heads: text, bodies }: Extract<RunFrame, { kind: "calls" }>) => {
    const heads = parseCallHeads(text);
    if (heads === undefined) return breach("calls that are none");
    argumentBytes += Buffer.byteLength(bodies);
    if (issued + heads.length > limits.calls) return stop("calls", "calls");
    if (argumentBytes > limits.argumentTotalBytes) return stop("argument-size", "argumentTotalBytes");
    let at = 0;
    for (const head of heads) {
      const [namespace, members] = tools[head.namespace] ?? [];
      const member = members?.[head.member];
      if (namespace === undefined || member === undefined) return breach("a call of a tool that it was not given");
      const argumentText = bodies.slice(at, at + head.length);
      at += head.length;
      calls.issue({ sequence: ++issued, namespace, member, argumentText, head });
    }
  };

  const onTimer = (timer: number) => {
    timers.delete(timer);
    worker.send({ kind: "timer", run: id, id: timer, left: clock.left() });
  };

  const onLine = (line: LogLine) => {
    logBytes += Buffer.byteLength(line.text);
    if (logBytes > limits.logBytes || logs.length >= limits.logLines) {
      logsCut = true;
      return;
    }
    logs.push(line);
    try {
      run.onLog?.(line);
    } catch {
      // The line is in the outcome too.
    }
  };

  const onSettled = (result: Settled, open: number) => {
    const ending = toEnding(result);
    if (ending === undefined) return breach("an error that is none");
    settled = ending;
    unawaited = open;
    if (ending.kind === "stopped") {
      worker.kill();
      end(ending);
    } else if (open === 0) end(ending);
  };

  const toEnding = (result: Settled): Ending | undefined => {
    if (result.kind === "threw") {
      const error = parseGuestError(result.error, run.filename);
      return error && { kind: "threw", error };
    }
    const bytes = result.kind === "oversize" ? result.length : Buffer.byteLength(result.json ?? "");
    if (result.kind === "returned" && bytes <= limits.outputBytes) {
      if (!isDeeper(result.json ?? "", limits.nesting)) return { kind: "returned", json: result.json };
      const message = `The returned value is nested more than ${limits.nesting} levels deep. Return less, or flatten it.`;
      return { kind: "threw", error: { name: "RangeError", message } };
    }
    const limit = { name: "outputBytes", value: limits.outputBytes } as const;
    const message = stopMessage("result-size", limits, String(bytes));
    return { kind: "stopped", reason: "result-size", message, limit };
  };

  const listener: ProcessListener = {
    frame: (frame: FromWorker | undefined) => {
      if (over) return;
      if (frame === undefined || !("run" in frame) || frame.run !== id) return breach("a message of no known kind");
      onFrame(frame);
    },
    exit: (how) => stop("crashed", undefined, how),
  };
  worker.attach(listener, mostMessageBytes(limits));
  stops.add(onAbort);
  run.signal?.addEventListener("abort", onAbort);
  if (run.signal?.aborted) stop("aborted");
  else {
    const guest = { filename: run.filename, tools, limits, seed: nextSeed() };
    worker.send({ kind: "run", run: id, code: run.code, guest, left: clock.left() });
  }
  return promise;
}

/** Warnings of one run that are kept. */
const MAX_WARNINGS = 20;

/** A character takes two bytes on its way; each message has one text of the guest's, and room for what is around it. */
function mostMessageBytes({ outputBytes, argumentBytes, logBytes, calls }: Limits): number {
  return 2 * Math.max(outputBytes, argumentBytes, logBytes) + 64 * calls + 8 * 2 ** 20;
}
