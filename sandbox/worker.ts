import { closeSync } from "node:fs";
import { setPriority } from "node:os";
import type { LogLine } from "./contract.ts";
import type { Engine, Guest, GuestMessage, Slice } from "./engine.ts";
import type { FromWorker, RunFrame, Settled, ToWorker } from "./frames.ts";
import { DEFAULT_LIMITS, type Limits, MAX_WARNING_LENGTH, WORKER_NICE } from "./limits.ts";
import type { EngineFiles, WorkerSetup } from "./worker-setup.ts";

/**
 * The worker process. One run at a time, each in a guest of its own, on this thread: guest code runs only while a frame of
 * the host is handled, so every stretch of it has a time limit that the host set.
 */
async function main(): Promise<void> {
  // Without the host there is nothing to do and nobody to stop the guest.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  let engine: Engine;
  let spare: Spare | undefined;
  const makeSpare = async (memoryMb: number): Promise<Spare> => {
    const listener: Listener = { hear: () => undefined };
    return { memoryMb, guest: await engine.create(memoryMb, (message) => listener.hear(message)), listener };
  };
  try {
    // The host is trusted, and passes just this.
    const { close, timeZone, ...setup } = JSON.parse(process.argv[2] ?? "") as WorkerSetup;
    for (const descriptor of close) closeSync(descriptor);
    setPriority(WORKER_NICE);
    if (timeZone !== undefined) process.env["TZ"] = timeZone;
    engine = await loadEngine(setup);
    spare = await makeSpare(DEFAULT_LIMITS.memoryMb);
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    return;
  }

  let current: Current | undefined;
  /** While a run waits for its guest: what is for it waits too. */
  let starting: Promise<void> | undefined;
  const takeSpare = async (memoryMb: number): Promise<Spare> => {
    const taken = spare;
    spare = undefined;
    if (taken?.memoryMb === memoryMb) return taken;
    taken?.guest.dispose();
    return makeSpare(memoryMb);
  };

  const startRun = async ({ run, code, guest: options, left }: Extract<ToWorker, { kind: "run" }>) => {
    const { memoryMb, guest, listener } = await takeSpare(options.limits.memoryMb);
    const logs = startLogs(run, options.limits);
    const { cpuMs } = options.limits;
    current = {
      run,
      memoryMb,
      guest,
      cpuMs,
      computed: 0,
      open: 0,
      gaveUp: new Set(),
      settled: undefined,
      told: false,
      logs,
    };
    listener.hear = hearing(current);
    work(current, left, (ms) => guest.start(code, options, ms));
  };

  /** Runs a stretch of guest code and counts what it computes. */
  const work = (state: Current, left: number, run: (ms: number) => Slice) => {
    const before = process.threadCpuUsage();
    const most = HOST_COUNTS ? left : Math.min(left, Math.max(1, Math.ceil(state.cpuMs - state.computed)));
    let slice = run(most);
    const { user, system } = process.threadCpuUsage(before);
    state.computed += (user + system) / 1000;
    const cut = most < left && slice.kind === "stopped" && slice.reason === "deadline";
    if (cut || state.computed > state.cpuMs) slice = { kind: "stopped", reason: "cpu" };
    finishSlice(state, slice);
  };

  const finishSlice = (state: Current, slice: Slice) => {
    state.logs.flush();
    if (slice.kind === "rejected")
      post({ kind: "warning", run: state.run, text: unawaited(slice.text).slice(0, MAX_WARNING_LENGTH) });
    if (slice.kind === "stopped") {
      current = undefined;
      const { reason } = slice;
      const ms = Math.ceil(Math.max(state.computed, state.cpuMs));
      return post({ kind: "stopped", run: state.run, ...(reason === "cpu" ? { reason, ms } : { reason }) });
    }
    if (state.settled === undefined) return;
    const over = state.open === 0;
    if (over) current = undefined;
    // A large result leaves in pieces, for which this thread must be free.
    const sent = over ? () => replaceGuest(state) : undefined;
    if (state.told) {
      if (over) post({ kind: "finished", run: state.run }, sent);
      return;
    }
    state.told = true;
    const { run, settled: result, open, gaveUp } = state;
    post({ kind: "settled", run, result, open, unawaited: open - gaveUp.size }, sent);
  };

  const replaceGuest = ({ guest, memoryMb }: Current) => {
    // Built after a pause: at once, the host would wake on this core and wait for it (2 ms for a run instead of 0.4).
    setTimeout(async () => {
      guest.dispose();
      if (spare !== undefined) return;
      const made = await makeSpare(memoryMb);
      if (spare === undefined) spare = made;
      else made.guest.dispose();
    }, 1);
  };

  process.on("message", (message) => {
    // The host is trusted, and sends only these.
    const frame = message as ToWorker;
    if (frame.kind === "run") {
      starting = startRun(frame).finally(() => {
        starting = undefined;
      });
      return;
    }
    if (starting !== undefined) void starting.then(() => take(frame));
    else take(frame);
  });

  const take = (frame: Exclude<ToWorker, { kind: "run" }>) => {
    if (frame.run !== current?.run) return;
    const state = current;
    switch (frame.kind) {
      case "replies":
        state.open -= frame.count;
        if (state.gaveUp.size > 0) forget(state.gaveUp, frame.heads);
        return work(state, frame.left, (ms) => state.guest.replies(frame.heads, frame.bodies, frame.at, ms));
      case "timer":
        return work(state, frame.left, (ms) => state.guest.timer(frame.id, frame.at, ms));
      case "ping":
        return post({ kind: "pong", run: state.run });
      default:
        return frame satisfies never;
    }
  };

  post({ kind: "ready" });
}

/** Whether the host sees what this process computes: else a stretch of code that is not over counts as computing all along. */
const HOST_COUNTS = process.platform === "linux";

/** Loads only what the engine needs, for somebody waits for the process to be ready. */
async function loadEngine(files: EngineFiles): Promise<Engine> {
  if (files.engine === "quickjs") return (await import("./quickjs.ts")).loadQuickJs(files);
  return (await import("./isolate.ts")).loadIsolatedVm(files);
}

/** A guest for the next run, made while nothing runs. */
interface Spare {
  readonly memoryMb: number;
  readonly guest: Guest;
  readonly listener: Listener;
}

interface Current {
  readonly run: number;
  /** Of this run's heap: the next one most likely wants the same. */
  readonly memoryMb: number;
  readonly guest: Guest;
  readonly logs: Logs;
  /** Milliseconds that it may compute, and those that it has. */
  readonly cpuMs: number;
  computed: number;
  /** Calls that the guest made and that are not answered. */
  open: number;
  /** Those among them that it gave up. */
  readonly gaveUp: Set<number>;
  settled: Settled | undefined;
  /** The host knows that the snippet settled. */
  told: boolean;
}

/** Takes out the calls that are answered now. */
function forget(gaveUp: Set<number>, heads: string): void {
  // The host is trusted, and sends heads that are just this.
  for (const [sequence] of JSON.parse(heads) as [number][]) gaveUp.delete(sequence);
}

interface Listener {
  hear(message: GuestMessage): boolean | undefined;
}

/** What becomes of the guest's messages during a run. */
function hearing(state: Current): Listener["hear"] {
  const { run, logs } = state;
  return (message) => {
    switch (message[0]) {
      case "calls":
        state.open += message[3];
        return post({ kind: "calls", run, heads: message[1], bodies: message[2] });
      case "log":
        return logs.add({ level: message[1] as LogLine["level"], text: message[2] });
      case "timer":
        return post({ kind: "timer", run, id: message[1], ms: message[2] });
      case "cancel":
        return post({ kind: "cancel", run, id: message[1] });
      case "cancel-call":
        state.gaveUp.add(message[1]);
        return post({ kind: "cancel-call", run, sequence: message[1] });
      case "warning":
        return post({ kind: "warning", run, text: message[1].slice(0, MAX_WARNING_LENGTH) });
      case "returned":
        state.settled = { kind: "returned", json: message[1] };
        return;
      case "threw":
        state.settled = { kind: "threw", error: message[1] };
        return;
      case "oversize":
        state.settled = { kind: "oversize", length: message[1] };
        return;
      default:
        return message satisfies never;
    }
  };
}

interface Logs {
  /** Whether there is room for more. */
  add(line: LogLine): boolean;
  flush(): void;
}

/** Collects printed lines. The first ones are sent at once, so that they survive a crash; later ones in batches. */
function startLogs(run: number, { logBytes, logLines }: Limits): Logs {
  const lines: LogLine[] = [];
  let bytes = 0;
  let count = 0;
  let held = 0;
  const flush = () => {
    if (lines.length > 0) post({ kind: "logs", run, lines: lines.splice(0), cut: false });
    held = 0;
  };
  return {
    flush,
    add: (line) => {
      const room = logBytes - bytes;
      const size = Buffer.byteLength(line.text);
      bytes += size;
      count++;
      const fits = size <= room && count <= logLines;
      if (fits) lines.push(line);
      else if (room > 0 && count <= logLines) lines.push({ ...line, text: firstBytes(line.text, room) });
      held += size;
      if (!fits) post({ kind: "logs", run, lines: lines.splice(0), cut: true });
      else if (count <= EAGER_LINES || held > BATCH_BYTES) flush();
      return fits;
    },
  };
}

/** As much of a text as fits into that many bytes. */
function firstBytes(text: string, room: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(room)).read);
}

/** Lines that are sent one by one, and bytes that are sent together after that. */
const EAGER_LINES = 64;
const BATCH_BYTES = 16_384;

const unawaited = (text: string): string => `A promise was rejected and nothing awaited it: ${text}`;

/** Sends a frame to the host; `sent` is told when the last of it has left. */
function post(frame: FromWorker | RunFrame, sent?: () => void): undefined {
  process.send?.(frame, undefined, undefined, sent);
}

void main();
