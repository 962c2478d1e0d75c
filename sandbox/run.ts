import { ASK_MEMBERS, ASKS, parseAsk } from "./asks.ts";
import { startClock } from "./clock.ts";
import type {
  CallContext,
  GuestCall,
  HostReply,
  LogLine,
  Outcome,
  RunFacts,
  SandboxRun,
  StopReason,
} from "./contract.ts";
import { startFeed } from "./feed.ts";
import { type FromWorker, parseCallHeads, parseGuestError, type RunFrame, type Settled } from "./frames.ts";
import { CPU_GRACE_MS, CPU_GRACE_SHARE, type Limits, MAX_WARNING_LENGTH, MEMORY_WATCH_MS } from "./limits.ts";
import { isDeeper } from "./nesting.ts";
import type { ProcessListener, WorkerProcess } from "./process.ts";
import { stopMessage } from "./stop-message.ts";
import { startTally } from "./tally.ts";

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
  const tools = [...run.tools];
  const callable = [...tools, [ASKS, ASK_MEMBERS] as const];
  const tally = startTally();
  let logBytes = 0;
  let logsCut = false;
  let issued = 0;
  let asked = 0;
  let argumentBytes = 0;
  let unawaited = 0;
  let settled: Ending | undefined;
  let over = false;

  const clock = startClock(
    limits.wallMs,
    () => feed.ping(() => clock.pong()),
    () => stop("deadline", "wallMs", clock.used()),
  );
  const feed = startFeed(run, limits, {
    call: (call, context) => answer(run, call, context),
    pause: clock.pause,
    replies: (batch, at) => worker.send({ kind: "replies", run: id, ...batch, at, left: clock.left() }),
    timer: (timer, at) => worker.send({ kind: "timer", run: id, id: timer, at, left: clock.left() }),
    ping: () => worker.send({ kind: "ping", run: id }),
    diverged: (how) => stop("diverged", undefined, undefined, how),
  });
  let before: number | undefined;
  const watch = setInterval(() => {
    const resident = worker.residentMb() ?? 0;
    if (resident > limits.processMb) return stop("memory", "processMb", Math.ceil(resident));
    const computed = worker.processorMs() ?? 0;
    // First asked now, so that short runs need not: what was computed until then is the worker's to count.
    before ??= computed;
    const used = computed - before;
    if (used > limits.cpuMs * (1 + CPU_GRACE_SHARE) + CPU_GRACE_MS) stop("cpu", "cpuMs", used);
  }, MEMORY_WATCH_MS);
  const onAbort = () => stop("aborted");

  const end = (ending: Ending) => {
    if (over) return;
    over = true;
    clock.stop();
    feed.stop();
    clearInterval(watch);
    run.signal?.removeEventListener("abort", onAbort);
    stops.delete(onAbort);
    worker.detach();
    const facts = { logs, logsCut, calls: issued - asked, unawaited, ms: performance.now() - started, warnings };
    const recording = feed.recording();
    resolve({ ...ending, ...facts, ...(recording && { recording }) });
  };

  /** The snippet came to its end by itself. */
  const endOwn = (ending: Ending) => {
    const leftover = feed.leftover();
    if (leftover === undefined) end(ending);
    else stop("diverged", undefined, undefined, leftover);
  };

  /** Ends the run and the process. A snippet that is done keeps its result: only what it left open is cancelled. */
  const stop = (reason: StopReason, name?: keyof Limits, used?: number, detail?: string) => {
    if (over) return;
    worker.kill();
    const limit = name && { name, value: limits[name], ...(used !== undefined && { used }) };
    const message = stopMessage(reason, limit, detail);
    const before = tally.sentence(feed.answered());
    if (settled !== undefined && reason !== "protocol" && reason !== "diverged") {
      warnings.push(`What the snippet did not await was cancelled. ${message} ${before}`);
      return end(settled);
    }
    end({ kind: "stopped", reason, message, before, ...(limit && { limit }) });
  };
  const breach = (what: string) => stop("protocol", undefined, undefined, what);

  const onFrame = (frame: RunFrame) => {
    switch (frame.kind) {
      case "pong":
        return feed.pong() ? undefined : breach("a pong that nobody asked for");
      case "calls":
        return onCalls(frame);
      case "timer":
        return feed.arm(frame.id, frame.ms) ? undefined : breach("too many timers");
      case "cancel":
        return feed.disarm(frame.id);
      case "cancel-call":
        return frame.sequence <= issued ? feed.cancel(frame.sequence) : breach("the end of a call that was not made");
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
        return onSettled(frame);
      case "finished":
        return settled !== undefined && feed.answered() === issued ? endOwn(settled) : breach("an end before the end");
      case "stopped":
        if (frame.reason === "cpu") return stop("cpu", "cpuMs", frame.ms);
        return frame.reason === "memory" ? stop("memory", "memoryMb") : stop("deadline", "wallMs", clock.used());
      default:
        return frame satisfies never;
    }
  };

  const onCalls = ({ heads: text, bodies }: Extract<RunFrame, { kind: "calls" }>) => {
    const heads = parseCallHeads(text);
    if (heads === undefined) return breach("calls that are none");
    argumentBytes += Buffer.byteLength(bodies);
    const asks = asked + heads.filter(({ namespace }) => namespace === tools.length).length;
    const made = issued + heads.length - asks;
    if (made > limits.calls) return stop("calls", "calls", made);
    if (asks > limits.asks) return stop("asks", "asks", asks);
    asked = asks;
    if (argumentBytes > limits.argumentTotalBytes) {
      return stop("argument-size", "argumentTotalBytes", argumentBytes);
    }
    let at = 0;
    for (const head of heads) {
      const [namespace, members] = callable[head.namespace] ?? [];
      const member = members?.[head.member];
      if (namespace === undefined || member === undefined) return breach("a call of a tool that it was not given");
      const argumentText = bodies.slice(at, at + head.length);
      at += head.length;
      const call = { sequence: ++issued, namespace, member, argumentText, head };
      tally.add(`${namespace}.${member}`);
      feed.issue(call);
    }
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

  const onSettled = ({ result, open, unawaited: left }: Extract<RunFrame, { kind: "settled" }>) => {
    const ending = toEnding(result);
    if (ending === undefined) return breach("an error that is none");
    settled = ending;
    unawaited = left;
    if (ending.kind === "stopped") {
      worker.kill();
      end(ending);
    } else if (open === 0) endOwn(ending);
  };

  const toEnding = (result: Settled): Ending | undefined => {
    if (result.kind === "threw") {
      const error = parseGuestError(result.error, run.filename);
      if (error?.data === undefined || !isDeeper(result.error, limits.nesting + 1))
        return error && { kind: "threw", error };
      const { data: _, ...rest } = error;
      return {
        kind: "threw",
        error: { ...rest, message: `${rest.message} (with data that are nested too deep to show)` },
      };
    }
    const bytes = result.kind === "oversize" ? result.length : Buffer.byteLength(result.json ?? "");
    if (result.kind === "returned" && bytes <= limits.outputBytes) {
      if (!isDeeper(result.json ?? "", limits.nesting)) return { kind: "returned", json: result.json };
      const message = `The returned value is nested more than ${limits.nesting} levels deep. Return less, or flatten it.`;
      return { kind: "threw", error: { name: "RangeError", message } };
    }
    const limit = { name: "outputBytes", value: limits.outputBytes, used: bytes } as const;
    const message = stopMessage("result-size", limit);
    return { kind: "stopped", reason: "result-size", message, before: tally.sentence(feed.answered()), limit };
  };

  const listener: ProcessListener = {
    frame: (frame: FromWorker | undefined) => {
      if (over) return;
      if (frame === undefined || !("run" in frame) || frame.run !== id) return breach("a message of no known kind");
      onFrame(frame);
    },
    exit: (how) => stop("crashed", undefined, undefined, how),
  };
  worker.attach(listener, mostMessageBytes(limits));
  stops.add(onAbort);
  run.signal?.addEventListener("abort", onAbort);
  if (run.signal?.aborted) stop("aborted");
  else {
    const guest = { filename: run.filename, tools, limits, seed: feed.seed, startedAt: feed.startedAt };
    worker.send({ kind: "run", run: id, code: run.code, guest, left: clock.left() });
    feed.begin();
  }
  return promise;
}

async function answer({ call, ask }: SandboxRun, guestCall: GuestCall, context: CallContext): Promise<HostReply> {
  if (guestCall.namespace !== ASKS) return call(guestCall, context);
  const parsed = parseAsk(guestCall);
  const message = parsed ? "nami answers no questions here." : `${ASKS}.${guestCall.member} was given wrong arguments.`;
  return parsed && ask ? ask(parsed, context) : { kind: "error", error: { name: "TypeError", message } };
}

/** Warnings of one run that are kept. */
const MAX_WARNINGS = 20;

/** A character takes two bytes on its way; each message has one text of the guest's, and room for what is around it. */
function mostMessageBytes({ outputBytes, argumentBytes, logBytes, calls, asks }: Limits): number {
  return 2 * Math.max(outputBytes, argumentBytes, logBytes) + 64 * (calls + asks) + 8 * 2 ** 20;
}
