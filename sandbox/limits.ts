/**
 * Every limit of a run. They are there for accidents and attacks, so each default is far above what a sensible snippet
 * needs; sizes of text are UTF-8 bytes.
 */
export interface Limits {
  /** Milliseconds from start to end, without time in which a person is asked. Generous: slow servers, several rounds of calls. */
  readonly wallMs: number;
  /**
   * Milliseconds that the snippet itself computes, without waiting: of processor time where the system tells it (Linux), else
   * also of one stretch's time. Below `wallMs`, for a snippet that waits should leave the machine to others. Generous: at a
   * million simple steps in 50 ms it filters gigabytes.
   */
  readonly cpuMs: number;
  /** Megabytes of the isolate's heap. V8 treats it as a guideline. Generous: 128 holds some 10 MB of JSON many times over. */
  readonly memoryMb: number;
  /**
   * Megabytes of the whole process in RAM, for what escapes `memoryMb`. Generous: 50 for Node, 3 times the heap, slack. Grows
   * with `memoryMb` when it is not given.
   */
  readonly processMb: number;
  /** Calls in one run. Generous: a loop over every page of a large listing. */
  readonly calls: number;
  /** Asks in one run: `nami.search`, `nami.describe` and `nami.store`, which are no calls. Generous: one for each call. */
  readonly asks: number;
  /** Calls and asks at once; more wait their turn. Servers, not nami, are what this protects. */
  readonly inFlight: number;
  /**
   * Calls at once to one server, and asks at once; more wait their turn, and those to other servers go ahead of them. The same as `inFlight`, so
   * that it takes effect where that is raised: a server is one process that mostly works on one thing at a time.
   */
  readonly inFlightPerServer: number;
  /** Bytes of one call's arguments. Generous: a file's text; MCP servers that take more are not known. */
  readonly argumentBytes: number;
  /** Bytes of all arguments of a run, which the host holds while calls wait. Generous: a thousand files of 64 KiB. */
  readonly argumentTotalBytes: number;
  /** Bytes of one call's reply. Generous: filtering big results is what snippets are for, and the heap holds a few of these. */
  readonly resultBytes: number;
  /** Bytes of printed text; what is beyond is dropped. Generous: a model reads a hundredth of it. */
  readonly logBytes: number;
  /** Printed lines; what is beyond is dropped. Generous: a line for each of a thousand calls and more. */
  readonly logLines: number;
  /** Bytes of the returned value. Generous: callers shrink it before a model sees it. */
  readonly outputBytes: number;
  /** Bytes of code. Generous: a model's longest answer is about a tenth. */
  readonly sourceBytes: number;
  /**
   * Levels of objects and lists inside one another, in the arguments of a call and in the returned value: what reads them
   * afterwards goes down level by level. Generous: listings of folders have some 20.
   */
  readonly nesting: number;
  /** Timers (`sleep`, `setTimeout`) waiting at once. Generous: one for each call. */
  readonly timers: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits of a run that asks for none. */
export const DEFAULT_LIMITS: Limits = {
  wallMs: 60_000,
  cpuMs: 30_000,
  memoryMb: 128,
  processMb: 512,
  calls: 1000,
  asks: 1000,
  inFlight: 16,
  inFlightPerServer: 16,
  argumentBytes: 1 * MIB,
  argumentTotalBytes: 64 * MIB,
  resultBytes: 16 * MIB,
  logBytes: 1 * MIB,
  logLines: 5000,
  outputBytes: 16 * MIB,
  sourceBytes: 1 * MIB,
  nesting: 500,
  timers: 1000,
};

/** The defaults with what the caller changed. Throws a RangeError for a limit that is not a positive number. */
export function resolveLimits(changed: Partial<Limits> = {}): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...DEFAULT_LIMITS };
  for (const name of LIMIT_NAMES) {
    const value = changed[name];
    if (value === undefined) continue;
    if (!(value > 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw new RangeError(`The sandbox limit ${name} must be a positive number, not ${value}.`);
    }
    if (name.endsWith("Ms") && value > MOST_MS) {
      throw new RangeError(`The sandbox limit ${name} must be at most ${MOST_MS} (24 days), not ${value}.`);
    }
    limits[name] = name === "memoryMb" ? Math.max(MIN_HEAP_MB, value) : value;
  }
  if (changed.processMb === undefined) limits.processMb = Math.max(limits.processMb, 128 + 3 * limits.memoryMb);
  return limits;
}

// The keys of a literal of that type are its names.
const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];

/** Milliseconds, 24 days: a timer takes no more, with room for the grace that is added. */
const MOST_MS = 2_147_000_000;

/** Megabytes: isolated-vm refuses a smaller heap. */
const MIN_HEAP_MB = 8;

/** Milliseconds after the deadline in which the worker may still end the run by itself and so hand over its logs. */
export const KILL_GRACE_MS = 50;

/**
 * Milliseconds, and a share of `cpuMs`, that a process may compute beyond `cpuMs` before the host kills it: the worker, which
 * counts the snippet alone, stops it first if it can. The rest is what the process itself does, such as reading messages.
 */
export const CPU_GRACE_MS = 100;
export const CPU_GRACE_SHARE = 0.1;

/** Milliseconds between looks at a process's memory and processor time: short against the time to fill a few hundred megabytes. */
export const MEMORY_WATCH_MS = 25;

/** Milliseconds between pings while the clock is paused: what a busy worker can win each time. */
export const PING_EVERY_MS = 250;

/** Milliseconds for a process to become warm; it takes 100. A hang guard. */
export const START_MS = 30_000;

/** Runs after which a process is replaced, against leaks: 4,000 runs were measured to leak 20 MB. */
export const RUNS_PER_PROCESS = 500;

/** Megabytes in RAM between runs above which a process is replaced; a fresh one has 50. */
export const RECYCLE_MB = 150;

/** Added to the priority of a worker process, so that what it computes yields to its host and to the person's own work. */
export const WORKER_NICE = 5;

/** Characters of one warning of a run that are kept. */
export const MAX_WARNING_LENGTH = 2000;
