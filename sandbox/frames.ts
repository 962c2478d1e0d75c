import type { GuestError, LogLine } from "./contract.ts";
import type { Limits } from "./limits.ts";

/**
 * What crosses between the host and a worker process, as structured clones over the IPC channel. Payloads of the guest are
 * JSON text that the worker never parses.
 *
 * A frame from the worker is hostile: if a snippet broke out of its isolate, it writes these. `parseFrame` checks the shape
 * of every one, and `run.ts` whether it makes sense; anything odd and the process is killed.
 */
export type ToWorker =
  /**
   * Starts a run. `left` is, in every frame that runs guest code, the milliseconds until the deadline; `at` the time that the
   * guest has from then on, in milliseconds since 1970.
   */
  | {
      readonly kind: "run";
      readonly run: number;
      readonly code: string;
      readonly guest: GuestOptions;
      readonly left: number;
    }
  /** Answers calls: `heads` is JSON, `[sequence, 1 for a value or 0 for an error, length]` of each; `bodies` is their JSON in a row. */
  | {
      readonly kind: "replies";
      readonly run: number;
      readonly count: number;
      readonly heads: string;
      readonly bodies: string;
      readonly at: number;
      readonly left: number;
    }
  /** A timer of the guest is due. */
  | { readonly kind: "timer"; readonly run: number; readonly id: number; readonly at: number; readonly left: number }
  /** Asks whether the worker is responsive. */
  | { readonly kind: "ping"; readonly run: number };

/** What the guest is told of a run. */
export interface GuestOptions {
  readonly filename: string;
  readonly tools: readonly (readonly [namespace: string, members: readonly string[]])[];
  readonly limits: Limits;
  /** 32 random bytes as hexadecimal digits, from which all chance in the guest comes. */
  readonly seed: string;
  /** The time at which the guest starts, in milliseconds since 1970. */
  readonly startedAt: number;
}

export type FromWorker =
  /** Warm: an isolate is waiting. Sent once. */
  | { readonly kind: "ready" }
  /** The worker cannot start. */
  | { readonly kind: "failed"; readonly message: string }
  | RunFrame;

/** A frame about the run in progress. */
export type RunFrame = { readonly run: number } & (
  | { readonly kind: "pong" }
  /** Calls: `heads` is JSON, `[namespace index, member index, length, line?, column?]` of each; `bodies` is their JSON in a row. */
  | { readonly kind: "calls"; readonly heads: string; readonly bodies: string }
  | { readonly kind: "timer"; readonly id: number; readonly ms: number }
  | { readonly kind: "cancel"; readonly id: number }
  /** The snippet aborted a call: it takes no answer any more. */
  | { readonly kind: "cancel-call"; readonly sequence: number }
  /** Printed lines; `cut` when there was no room for more. */
  | { readonly kind: "logs"; readonly lines: readonly LogLine[]; readonly cut: boolean }
  | { readonly kind: "warning"; readonly text: string }
  /** The snippet is done. `open` calls are not answered yet; with none, the run is over. */
  | { readonly kind: "settled"; readonly result: Settled; readonly open: number; readonly unawaited: number }
  /** The last of the open calls is answered, and what followed has run. */
  | { readonly kind: "finished" }
  /** The isolate was stopped. */
  | { readonly kind: "stopped"; readonly reason: "deadline" | "memory" }
  /** The snippet computed too long: `ms` milliseconds. */
  | { readonly kind: "stopped"; readonly reason: "cpu"; readonly ms: number }
);

/** How a snippet ended. `error` is JSON text of a GuestError; `length` is that of a result beyond `outputBytes`. */
export type Settled =
  | { readonly kind: "returned"; readonly json: string | undefined }
  | { readonly kind: "threw"; readonly error: string }
  | { readonly kind: "oversize"; readonly length: number };

const LEVELS: ReadonlySet<unknown> = new Set(["log", "info", "warn", "error", "debug"]);

/** The frame, or undefined if the message is none. Reads own data of a structured clone: no code of the sender runs. */
export function parseFrame(message: unknown): FromWorker | undefined {
  if (!isRecord(message)) return undefined;
  if (message["kind"] === "ready") return { kind: "ready" };
  if (message["kind"] === "failed") {
    return typeof message["message"] === "string" ? { kind: "failed", message: message["message"] } : undefined;
  }
  return parseRunFrame(message);
}

function parseRunFrame(message: Record<string, unknown>): RunFrame | undefined {
  const { kind, run, id, ms, sequence, heads, bodies, lines, cut, text, open, reason } = message;
  if (!isCount(run)) return undefined;
  switch (kind) {
    case "pong":
    case "finished":
      return { kind, run };
    case "calls":
      return typeof heads === "string" && typeof bodies === "string" ? { kind, run, heads, bodies } : undefined;
    case "timer":
      return isCount(id) && typeof ms === "number" && ms >= 0 && ms <= MAX_TIMER_MS ? { kind, run, id, ms } : undefined;
    case "cancel":
      return isCount(id) ? { kind, run, id } : undefined;
    case "cancel-call":
      return isCount(sequence) ? { kind, run, sequence } : undefined;
    case "logs":
      return Array.isArray(lines) && lines.every(isLogLine) && typeof cut === "boolean"
        ? { kind, run, lines, cut }
        : undefined;
    case "warning":
      return typeof text === "string" ? { kind, run, text } : undefined;
    case "settled": {
      const result = parseSettled(message["result"]);
      const { unawaited } = message;
      if (!result || !isCount(open) || !isCount(unawaited) || unawaited > open) return undefined;
      return { kind, run, result, open, unawaited };
    }
    case "stopped":
      if (reason === "cpu") return isCount(ms) ? { kind, run, reason, ms } : undefined;
      return reason === "deadline" || reason === "memory" ? { kind, run, reason } : undefined;
    default:
      return undefined;
  }
}

/** The longest delay that Node's timers take. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function parseSettled(result: unknown): Settled | undefined {
  if (!isRecord(result)) return undefined;
  const { kind, json, error, length } = result;
  if (kind === "returned" && (json === undefined || typeof json === "string")) return { kind, json };
  if (kind === "threw" && typeof error === "string") return { kind, error };
  if (kind === "oversize" && isCount(length)) return { kind, length };
  return undefined;
}

/** A call as the heads of a `calls` frame name it. */
export interface CallHead {
  readonly namespace: number;
  readonly member: number;
  readonly length: number;
  readonly line?: number;
  readonly column?: number;
}

/** The heads of a `calls` frame, or undefined if they are none. */
export function parseCallHeads(text: string): CallHead[] | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list)) return undefined;
  const heads: CallHead[] = [];
  for (const item of list) {
    if (!Array.isArray(item) || !item.every(isCount)) return undefined;
    const [namespace, member, length, line, column] = item;
    if (namespace === undefined || member === undefined || length === undefined) return undefined;
    heads.push({ namespace, member, length, ...(line && column && { line, column }) });
  }
  return heads;
}

/** The error of a `threw` frame without its stack's other frames, or undefined if it is none. */
export function parseGuestError(text: string, filename: string): GuestError | undefined {
  const error = parseJson(text);
  if (!isRecord(error)) return undefined;
  const { name, message, stack, data, tool } = error;
  if (typeof name !== "string" || typeof message !== "string") return undefined;
  const frames = typeof stack === "string" ? snippetFrames(stack, filename) : "";
  return {
    name,
    message,
    ...(frames !== "" && { stack: frames }),
    ...(data !== undefined && { data }),
    ...(typeof tool === "string" && { tool }),
  };
}

function snippetFrames(stack: string, filename: string): string {
  const lines = stack.split("\n").map((line) => line.trim());
  return lines.filter((line) => line.startsWith("at ") && line.includes(`${filename}:`)).join("\n");
}

/** JSON text as a value, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isLogLine = (line: unknown): line is LogLine =>
  isRecord(line) && LEVELS.has(line["level"]) && typeof line["text"] === "string";
