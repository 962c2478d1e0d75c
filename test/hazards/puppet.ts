import { parseFrame, type ToWorker } from "../../sandbox/frames.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import type { ProcessListener, WorkerProcess } from "../../sandbox/process.ts";

/** A worker process that was taken over: it says what it is told to, and has used as much as the parameters say. */
export function puppet(residentMb?: number, processorMs: () => number | undefined = () => undefined) {
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
    residentMb: () => residentMb,
    processorMs,
  };
  return { worker, sent, say: (one: unknown) => listener?.frame(parseFrame(one)) };
}
