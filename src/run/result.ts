import type { Diagnostic } from "../snippet/compile.ts";
import type { CallRecord } from "./journal.ts";
import type { Receipt } from "./receipt.ts";

/** An error that the snippet threw, with its place in the author's text (both from 1). */
export interface SnippetError {
  readonly name: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** The tool that failed, when the error came from a call. */
  readonly tool?: string;
  /** What the tool returned with its failure. */
  readonly data?: unknown;
}

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: SnippetError }
  /** Ended from outside: `reason` is `deadline`, `memory`, `aborted`, `denied` (a person stopped it), … */
  | { readonly kind: "stopped"; readonly reason: string; readonly message: string }
  /** In plan mode, when none of the planned calls was allowed: none was made, and what the snippet returned is not true. */
  | { readonly kind: "planned"; readonly calls: readonly PlannedCallView[] }
  /** The check failed: nothing was executed. */
  | { readonly kind: "rejected"; readonly diagnostics: readonly Diagnostic[] };

/** A call as a plan shows it, with secrets masked. */
export interface PlannedCallView {
  readonly sequence: number;
  readonly ref: string;
  readonly arguments: unknown;
}

/** A line that the snippet wrote to its console. */
export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** Everything about one finished run: always the same fields. Secrets of the configuration are masked in all of them. */
export interface RunResult {
  readonly id: string;
  /** The snippet returned, and every call that it made was allowed. */
  readonly ok: boolean;
  readonly outcome: RunOutcome;
  readonly typeCheck: "passed" | "failed" | "skipped";
  readonly logs: readonly LogLine[];
  /** The console wrote more than the limit allows; the rest is lost. */
  readonly logsCut: boolean;
  /** What was changed in the snippet before it ran, and other things worth knowing. */
  readonly notes: readonly string[];
  readonly calls: readonly CallRecord[];
  readonly receipt: Receipt;
  /** What a model is told: value, logs, errors within the token budget. */
  readonly text: string;
  /** The returned value alone, printed within the token budget; absent when there is none. */
  readonly valueText?: string;
  /** `text` does not hold everything. */
  readonly truncated: boolean;
}
