import type { ExceededLimit, Outcome, Sandbox, SandboxRun, StopReason } from "./contract.ts";
import { chooseEngine, type EngineName } from "./find-engine.ts";
import { DEFAULT_LIMITS, type Limits, RECYCLE_MB, RUNS_PER_PROCESS, resolveLimits } from "./limits.ts";
import { startProcess, type WorkerProcess } from "./process.ts";
import { checkRecording } from "./recording.ts";
import { runInProcess } from "./run.ts";
import { drawSeeds } from "./seeds.ts";
import { stopMessage } from "./stop-message.ts";
import { startTally } from "./tally.ts";

/** How many processes, and which. */
export interface SandboxOptions {
  /** Processes at most, so runs at once; more wait. One is started at once, the others when needed. Default 1. */
  readonly processes?: number;
  /** False lets V8 compile: tight loops run 3 times faster, with a larger attack surface. Default true. */
  readonly jitless?: boolean;
  /** Default "auto": isolated-vm where it has a binary for this machine, else QuickJS. */
  readonly engine?: EngineName | "auto";
  /**
   * A second wall around each process, on Linux: "bwrap" for bubblewrap, or a command that is put before Node's own.
   * Default none. Where it does not work, `ready()` and runs reject with an Error that says why.
   */
  readonly wrap?: "bwrap" | readonly string[];
}

/**
 * A pool of worker processes. A process serves one run at a time, each in a fresh isolate, and is replaced after a run
 * that had to be stopped, after many runs, and when it has grown. A process that cannot start fails the runs that wait for
 * it and is tried again for the next run.
 */
export function createSandbox({
  processes = 1,
  jitless = true,
  engine: wanted = "auto",
  wrap,
}: SandboxOptions = {}): Sandbox {
  const { engine, notice } = chooseEngine(wanted);
  const members = new Set<Member>();
  const idle: Member[] = [];
  const queue: Job[] = [];
  /** Ends each open run when the sandbox is closed. Not a signal: to listen to one takes 30 µs of a run. */
  const stops = new Set<() => void>();
  /** Processes that were killed and are not gone yet. */
  const leaving = new Set<Promise<void>>();
  let closed = false;
  let busy = 0;
  let runs = 0;
  /** The most RAM that a run asked for: processes are started for it. */
  let { processMb } = DEFAULT_LIMITS;

  const start = (): Promise<void> => {
    let worker: WorkerProcess;
    try {
      worker = startProcess({ engine, jitless, wrap, processMb });
    } catch (error) {
      return Promise.reject(error);
    }
    const member: Member = { worker, runs: 0, grown: false };
    members.add(member);
    void worker.gone.then(() => drop(member));
    return worker.ready.then(
      () => {
        idle.push(member);
        serve();
      },
      (error) => {
        drop(member);
        throw error;
      },
    );
  };

  const startForQueue = () => {
    start().catch((error) => {
      if (members.size === 0) for (const job of queue.splice(0)) job.reject(error);
    });
  };

  const drop = (member: Member) => {
    members.delete(member);
    const at = idle.indexOf(member);
    if (at !== -1) idle.splice(at, 1);
  };

  const retire = (member: Member) => {
    member.worker.kill();
    leaving.add(member.worker.gone);
    void member.worker.gone.then(() => leaving.delete(member.worker.gone));
    drop(member);
    if (!closed && members.size < Math.max(1, Math.min(queue.length, processes))) startForQueue();
  };

  const serve = () => {
    while (queue.length > 0) {
      // The last one used: its caches are warm.
      const member = idle.pop();
      if (member === undefined) break;
      if (member.worker.processMb < processMb) {
        member.worker.kill();
        drop(member);
        continue;
      }
      const job = queue.shift();
      if (job !== undefined) void work(member, job);
    }
    const starting = members.size - idle.length - busy;
    for (let n = starting; n < queue.length && members.size < processes; n++) startForQueue();
  };

  const work = async (member: Member, job: Job) => {
    busy++;
    member.runs++;
    const outcome = await runInProcess(++runs, member.worker, job.run, job.limits, stops);
    busy--;
    if (member.worker.killed || member.runs >= RUNS_PER_PROCESS || member.grown) retire(member);
    else idle.push(member);
    job.resolve(outcome);
    serve();
    setImmediate(weigh, member);
  };

  /** Replaces a process that has grown, after its next run if that has begun. To ask takes time for which nobody should wait. */
  const weigh = (member: Member) => {
    if (!members.has(member) || (member.worker.residentMb() ?? 0) <= RECYCLE_MB) return;
    if (idle.includes(member)) retire(member);
    else member.grown = true;
  };

  const run = async (wanted: SandboxRun): Promise<Outcome> => {
    if (closed) throw new Error("The sandbox is closed.");
    checkNamespaces(wanted.tools);
    const limits = resolveLimits(wanted.limits);
    if (wanted.replay) checkRecording(wanted.replay);
    processMb = Math.max(processMb, limits.processMb);
    const bytes = Buffer.byteLength(wanted.code);
    if (bytes > limits.sourceBytes) {
      return notRun("source-size", { name: "sourceBytes", value: limits.sourceBytes, used: bytes });
    }
    if (wanted.signal?.aborted) return notRun("aborted");
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const job: Job = { run: wanted, limits, resolve, reject };
    queue.push(job);
    serve();
    if (wanted.signal === undefined || !queue.includes(job)) return promise;
    const { signal } = wanted;
    const leaveQueue = () => {
      const at = queue.indexOf(job);
      if (at === -1) return;
      queue.splice(at, 1);
      resolve(notRun("aborted"));
    };
    signal.addEventListener("abort", leaveQueue);
    return promise.finally(() => signal.removeEventListener("abort", leaveQueue));
  };

  const close = async () => {
    closed = true;
    for (const stop of stops) stop();
    for (const { resolve } of queue.splice(0)) resolve(notRun("aborted"));
    const all = [...members];
    for (const { worker } of all) worker.kill();
    await Promise.all([...leaving, ...all.map(({ worker }) => worker.gone)]);
  };

  const ready = async () => {
    if (closed) throw new Error("The sandbox is closed.");
    if (idle.length > 0 || busy > 0) return;
    await (members.size === 0 ? start() : Promise.race([...members].map(({ worker }) => worker.ready)));
  };

  startForQueue();
  // While the process starts.
  setImmediate(drawSeeds);
  return { engine, ...(notice !== undefined && { notice }), run, ready, close, [Symbol.asyncDispose]: close };
}

interface Member {
  readonly worker: WorkerProcess;
  runs: number;
  /** It has more in RAM than a process may keep. */
  grown: boolean;
}

interface Job {
  readonly run: SandboxRun;
  readonly limits: Limits;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** The outcome of a run that never reached a process. */
function notRun(reason: StopReason, limit?: ExceededLimit): Outcome {
  const facts = { logs: [], logsCut: false, calls: 0, unawaited: 0, ms: 0, warnings: [] };
  return {
    kind: "stopped",
    reason,
    message: stopMessage(reason, limit),
    before: startTally().sentence(0),
    ...(limit && { limit }),
    ...facts,
  };
}

/** Globals that the guest needs, or that cannot be defined. */
const TAKEN = new Set(
  (
    "nami console sleep setTimeout clearTimeout setInterval clearInterval queueMicrotask structuredClone performance " +
    "ToolError DOMException URL URLSearchParams TextEncoder TextDecoder atob btoa crypto Event EventTarget " +
    "AbortController AbortSignal __nami__ globalThis undefined NaN Infinity"
  ).split(" "),
);

/** What `nami` has beside the servers. */
const OURS = new Set(["search", "describe", "log", "store"]);

function checkNamespaces(tools: SandboxRun["tools"]): void {
  for (const namespace of tools.keys()) {
    if (OURS.has(namespace))
      throw new Error(`A namespace cannot be called ${namespace}: nami.${namespace} is the guest's own.`);
    if (TAKEN.has(namespace))
      throw new Error(`A namespace cannot be called ${namespace}: the guest has a global of that name.`);
  }
}
