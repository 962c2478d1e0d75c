import { guardChannel } from "./channel.ts";
import { type FromWorker, parseFrame, type ToWorker } from "./frames.ts";
import { forkWorker, type Launch } from "./launch.ts";
import { START_MS } from "./limits.ts";
import { processorMs, processTree, residentMb } from "./process-tree.ts";

/** One worker process. It serves one run at a time, to the listener that is attached. */
export interface WorkerProcess {
  /** Resolves when warm; rejects with an Error that says why it did not start. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  /** `mostBytes` is how long a message of this run may be. */
  attach(listener: ProcessListener, mostBytes: number): void;
  /** The run is over: what the process says next is odd. */
  detach(): void;
  send(frame: ToWorker): void;
  /** SIGKILL. May be called twice. */
  kill(): void;
  readonly killed: boolean;
  /** Megabytes of RAM for which it was started: the kernel refuses it more, where the system offers that. */
  readonly processMb: number;
  /** Megabytes in RAM, or undefined where the system does not say (all but Linux) or the process is gone. */
  residentMb(): number | undefined;
  /** Milliseconds that it has computed since it was started, or undefined where `residentMb` is. */
  processorMs(): number | undefined;
}

/** Is told what a process does during a run. `undefined` stands for a message that is no frame. */
export interface ProcessListener {
  frame(frame: FromWorker | undefined): void;
  /** `how` is a signal or an exit code, for a message. */
  exit(how: string): void;
}

/** Starts a worker process. While it idles it does not keep the host alive. */
export function startProcess(launch: Launch): WorkerProcess {
  const child = forkWorker(launch);
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let listener: ProcessListener | undefined;
  let mostBytes = IDLE_MESSAGE_BYTES;
  let warm = false;
  let killed = false;
  let over = false;
  /** More than one where a command was put before Node's and stays. */
  let pids = child.pid === undefined ? [] : [child.pid];

  const kill = () => {
    killed = true;
    child.ref();
    if (over || child.pid === undefined) return;
    killGroup(child.pid);
    child.kill("SIGKILL");
  };
  const idle = (is: boolean) => {
    if (is) {
      child.unref();
      child.channel?.unref();
    } else {
      child.ref();
      child.channel?.ref();
    }
  };
  const start = setTimeout(() => {
    ready.reject(new Error(`The sandbox process was not ready within ${START_MS} ms.`));
    kill();
  }, START_MS);

  // A child that could not be started has no channel, and says so by an error.
  if (child.connected) {
    guardChannel(
      child,
      () => mostBytes,
      () => {
        if (listener !== undefined) listener.frame(undefined);
        kill();
      },
    );
  }
  child.on("message", (message) => {
    if (killed) return;
    const frame = parseFrame(message);
    if (listener !== undefined) return listener.frame(frame);
    if (frame?.kind === "ready" && !warm) {
      warm = true;
      if (launch.wrap !== undefined) pids = pids.flatMap(processTree);
      clearTimeout(start);
      idle(true);
      return ready.resolve();
    }
    if (frame?.kind === "failed") ready.reject(new Error(`The sandbox process cannot start: ${frame.message}`));
    kill();
  });
  const through = Array.isArray(launch.wrap)
    ? ` It was started through the command of "wrap", ${JSON.stringify(launch.wrap)}: is it installed, and does it start what is behind it?`
    : "";
  const ended = (how: string) => {
    clearTimeout(start);
    killed = over = true;
    ready.reject(new Error(`The sandbox process ended before it was ready (${how}).${through}`));
    listener?.exit(how);
    gone.resolve();
  };
  child.on("error", (error) => ended(error.message));
  child.on("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
  ready.promise.catch(() => {});

  return {
    ready: ready.promise,
    gone: gone.promise,
    attach: (next, most) => {
      listener = next;
      mostBytes = most;
      idle(false);
    },
    detach: () => {
      listener = undefined;
      mostBytes = IDLE_MESSAGE_BYTES;
      idle(true);
    },
    // A process that just died is reported by its exit, not by the failure to write to it.
    send: (frame) => void (child.connected && child.send(frame, () => {})),
    kill,
    get killed() {
      return killed;
    },
    processMb: launch.processMb,
    residentMb: () => sumOf(pids.map(residentMb)),
    processorMs: () => sumOf(pids.map(processorMs)),
  };
}

/** The sum of those that are known, or undefined if none is. */
function sumOf(figures: readonly (number | undefined)[]): number | undefined {
  return figures.reduce((sum, figure) => (figure === undefined ? sum : figure + (sum ?? 0)), undefined);
}

/** The worker leads a group of its own; with a command before it, both are in it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Windows has no groups, and the process may be gone.
  }
}

/** Bytes of a message outside of runs: only `ready` and `failed` are sent then, and what was under way when a run ended. */
const IDLE_MESSAGE_BYTES = 64 * 2 ** 20;
