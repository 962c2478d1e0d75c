import type { RunResult } from "../run/result.ts";

/** What the process's exit code tells a script. 4 and 6 are kept for a needed login and for changed definitions. */
export const EXIT = {
  ok: 0,
  /** The snippet threw or was rejected, or nami failed. */
  failed: 1,
  /** Bad command line or configuration. */
  usage: 2,
  /** A person denied a call. */
  denied: 3,
  /** A call needed asking and nobody was there. */
  nobody: 5,
  /** The run reached its deadline. */
  deadline: 124,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/**
 * The exit code of one run: the way it was ended from outside comes first, then a call that was not allowed (also when the
 * snippet caught the error: a script must learn that something was not done), then its own failure.
 */
export function exitCodeOf({ outcome, calls }: Pick<RunResult, "outcome" | "calls">): number {
  if (outcome.kind === "stopped" && outcome.reason === "aborted") return EXIT.interrupted;
  if (outcome.kind === "stopped" && outcome.reason === "deadline") return EXIT.deadline;
  if (calls.some(({ decision }) => decision === "denied")) return EXIT.denied;
  if (calls.some(({ decision }) => decision === "refused")) return EXIT.nobody;
  // A call that could not be made for another reason (the audit is not writable) is a failure too, caught or not.
  const isDone = calls.every(({ decision }) => decision === "allowed" || decision === "invalid");
  return outcome.kind === "returned" && isDone ? EXIT.ok : EXIT.failed;
}
