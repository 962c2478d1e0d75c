import { readFileSync } from "node:fs";
import { type FromWorker, parseFrame, type ToWorker } from "./frames.ts";
import { forkWorker } from "./launch.ts";
import { START_MS } from "./limits.ts";

/** One worker process. It serves one run at a time, to the listener that is attached. */
export interface WorkerProcess {
  /** Resolves when warm; rejects with an Error that says why it did not start. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  attach(listener: ProcessListener): void;
  /** The run is over: what the process says next is odd. */
  detach(): void;
  send(frame: ToWorker): void;
  /** SIGKILL. May be called twice. */
  kill(): void;
  readonly killed: boolean;
  /** Megabytes in RAM, or undefined where the system does not say (all but Linux) or the process is gone. */
  residentMb(): number | undefined;
}

/** Is told what a process does during a run. `undefined` stands for a message that is no frame. */
export interface ProcessListener {
  frame(frame: FromWorker | undefined): void;
  /** `how` is a signal or an exit code, for a message. */
  exit(how: string): void;
}

/** Starts a worker process. While it idles it does not keep the host alive. */
export function startProcess(jitless: boolean): WorkerProcess {
  const child = forkWorker(jitless);
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let listener: ProcessListener | undefined;
  let warm = false;
  let killed = false;

  const kill = () => {
    killed = true;
    child.ref();
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

  child.on("message", (message) => {
    if (killed) return;
    const frame = parseFrame(message);
    if (listener !== undefined) return listener.frame(frame);
    if (frame?.kind === "ready" && !warm) {
      warm = true;
      clearTimeout(start);
      idle(true);
      return ready.resolve();
    }
    if (frame?.kind === "failed") ready.reject(new Error(`The sandbox process cannot start: ${frame.message}`));
    kill();
  });
  const ended = (how: string) => {
    clearTimeout(start);
    killed = true;
    ready.reject(new Error(`The sandbox process ended before it was ready (${how}).`));
    listener?.exit(how);
    gone.resolve();
  };
  child.on("error", (error) => ended(error.message));
  child.on("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
  ready.promise.catch(() => {});

  return {
    ready: ready.promise,
    gone: gone.promise,
    attach: (next) => {
      listener = next;
      idle(false);
    },
    detach: () => {
      listener = undefined;
      idle(true);
    },
    // A process that just died is reported by its exit, not by the failure to write to it.
    send: (frame) => void (child.connected && child.send(frame, () => {})),
    kill,
    get killed() {
      return killed;
    },
    residentMb: () => residentMb(child.pid),
  };
}

/** The second field of statm is resident pages, of 4 KiB on the machines that isolated-vm has binaries for. */
function residentMb(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096) / 1e6;
  } catch {
    return undefined;
  }
}
