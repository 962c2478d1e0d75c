import type { HostAsk } from "./asks.ts";
import type { Limits } from "./limits.ts";
import type { Recording } from "./recording.ts";

/** Runs snippets, one per process at a time. Close it, or use it with `await using`. */
export interface Sandbox extends AsyncDisposable {
  /**
   * Runs one snippet. Whatever the snippet does becomes an outcome. Rejects with a plain Error only for failures that are
   * not the snippet's: the sandbox is closed, no process can be started, a namespace has a name that the guest needs.
   */
  run(run: SandboxRun): Promise<Outcome>;
  /** Resolves once a process is warm. Rejects with a plain Error that names why none can be started. */
  ready(): Promise<void>;
  /** Kills every process; open runs end as `aborted`. Resolves when all processes are gone. May be called twice. */
  close(): Promise<void>;
  /** What runs the snippets. */
  readonly engine: "isolated-vm" | "quickjs";
  /** One line for the person, when the engine was chosen for want of a better one. Show it once. */
  readonly notice?: string;
}

/** One snippet and what it may reach. */
export interface SandboxRun {
  /** JavaScript that declares `async function __nami__() {…}`. Evaluated as it is, so its lines and columns are exact. */
  readonly code: string;
  /** The snippet's name in stacks, such as `snippet.ts`. */
  readonly filename: string;
  /** Namespace to members: each namespace is a global of the guest, a frozen object of functions. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Aborting it stops the run with reason `aborted`. */
  readonly signal?: AbortSignal;
  /** Answers the guest's calls. */
  readonly call: HostCall;
  /** Answers what the guest asks through `nami`. Without it such asks fail. */
  readonly ask?: HostAsk;
  /** Is told each line as it is printed, not awaited. What it throws is dropped: the same line is in the outcome. */
  readonly onLog?: (line: LogLine) => void;
  /**
   * Puts a recording in the outcome, of a stopped run too. It holds every reply, so it may be as large as they are together.
   * What was never answered is not in it: a run that ended with open calls plays back to that point only.
   */
  readonly record?: boolean;
  /**
   * Plays a recording back: `call` is not used, and nothing is waited for. Each call of the snippet must be the recorded one by
   * sequence, namespace, member and text of its arguments; else the run stops with reason `diverged`, as it does where the
   * recording ends before the snippet does. With `resume` it goes on instead.
   */
  readonly replay?: Recording;
  /** With `replay`: goes on for real where the recording ends. */
  readonly resume?: Resume;
}

/** How a run that plays a recording back goes on for real. */
export interface Resume {
  /** Sequences of recorded calls that are made again, one after the other and each in its recorded turn. */
  readonly again: ReadonlySet<number>;
  /** Told once, when the recording is over or the snippet leaves it: from then on `call` answers, and waiting takes its time. */
  readonly onLive?: (how: string) => void;
}

/**
 * Answers one call. Called at most `inFlight` times at once and only for names in `tools`. Should not reject; if it does,
 * the snippet's call fails with the message of what was thrown.
 */
export type HostCall = (call: GuestCall, context: CallContext) => Promise<HostReply>;

/** A call as the guest made it. */
export interface GuestCall {
  /** 1, 2, … in the order in which the snippet issued its calls. What it asks of nami itself counts along. */
  readonly sequence: number;
  readonly namespace: string;
  readonly member: string;
  /** The argument object, parsed from JSON: plain data with own properties of any name, `__proto__` included. */
  readonly args: { readonly [name: string]: unknown };
  /**
   * Where in `code` the call was made, from 1. The guest says so: good for showing, not for deciding. Of more than 100 calls
   * in one turn of the snippet, the later ones are given the place where the same tool was called last among the first.
   */
  readonly line?: number;
  readonly column?: number;
}

/** What a call may use while it is open. */
export interface CallContext {
  /** Aborted when the run ends before the reply. */
  readonly signal: AbortSignal;
  /**
   * Stops counting time against the deadline and gives up the call's place in flight, for as long as a person is asked.
   * Returns what counts on, and resolves when the call has a place again (or the run has ended); the reply counts on too.
   * Time in which the worker does not answer pings counts all the same.
   */
  pauseClock(): () => Promise<void>;
}

/** The answer to a call. `json` is JSON text; "" or nothing stands for `undefined`. */
export type HostReply =
  | { readonly kind: "value"; readonly json?: string | undefined }
  | {
      readonly kind: "error";
      readonly error: { readonly name: string; readonly message: string; readonly data?: unknown };
    };

/** One line that the snippet printed, formatted. */
export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** Why the host ended a run. */
export type StopReason =
  /** `wallMs` went by. */
  | "deadline"
  /** The snippet computed for more than `cpuMs`. */
  | "cpu"
  /** The isolate or its process outgrew `memoryMb` or `processMb`. */
  | "memory"
  /** More than `calls` calls. */
  | "calls"
  /** More than `asks` asks. */
  | "asks"
  /** The arguments of all calls together exceed `argumentTotalBytes`. */
  | "argument-size"
  /** The returned value exceeds `outputBytes`. */
  | "result-size"
  /** The code exceeds `sourceBytes`. */
  | "source-size"
  /** The caller's signal, or `close()`. */
  | "aborted"
  /** The snippet did not do what the recording says that is played back. */
  | "diverged"
  /** The process died by itself. */
  | "crashed"
  /** The process sent something that it never would: the guest got out of its isolate. */
  | "protocol";

/** How a run ended. `json` is the returned value as JSON text, undefined for `undefined`. */
export type Outcome = (
  | { readonly kind: "returned"; readonly json: string | undefined }
  | { readonly kind: "threw"; readonly error: GuestError }
  | {
      readonly kind: "stopped";
      readonly reason: StopReason;
      readonly message: string;
      /** A sentence on the calls that had been made. */
      readonly before: string;
      /** The limit that was exceeded, if it was one. */
      readonly limit?: ExceededLimit;
    }
) &
  RunFacts;

/** A limit, its value, and how much of it was used as far as that is known; each in the limit's own unit. */
export interface ExceededLimit {
  readonly name: keyof Limits;
  readonly value: number;
  readonly used?: number;
}

/** What is known about every run. */
export interface RunFacts {
  readonly logs: readonly LogLine[];
  /** Lines were dropped for `logBytes` or `logLines`. */
  readonly logsCut: boolean;
  /** Calls that the snippet made, without its asks. */
  readonly calls: number;
  /** Calls and asks that were still open when the snippet settled. They were finished before the run ended, or cancelled by its deadline. */
  readonly unawaited: number;
  /** Milliseconds from the start of the run to its end. */
  readonly ms: number;
  /** What went wrong without ending the run: rejections that nothing awaited, errors in timers. */
  readonly warnings: readonly string[];
  /** Of a run with `record`. */
  readonly recording?: Recording;
}

/** What the snippet threw. All of it comes from the guest. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
  /** Frames of the snippet only, one a line, as `at name (snippet.ts:L:C)`. */
  readonly stack?: string;
  /** Own enumerable properties that are JSON, such as `code`; for a failed call the `data` of its reply. */
  readonly data?: unknown;
  /** `namespace.member` if this is the error of a failed call. */
  readonly tool?: string;
}
