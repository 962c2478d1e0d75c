import { type Context, createContext, Script } from "node:vm";

/** What came of work that had a limited time. */
export type GuardedOutcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "timeout" }
  | { readonly kind: "threw"; readonly error: unknown };

/** Attempts at work that was stopped before it had its time, because the machine was busy with something else. */
const ATTEMPTS = 4;

/**
 * Runs synchronous work and stops it after so many milliseconds, wherever it is: V8 interrupts loops, recursion and regular
 * expressions alike, and unwinds functions of this realm too when a `vm` script called them. What the work was changing is
 * left as it was at that moment, so it must own what it changes, and it must be repeatable: V8 counts the time on the wall, so
 * work that had less than half of it on the processor gets another attempt. Costs about 0.07 ms, for the watching thread.
 */
export function runWithin<T>(milliseconds: number, work: () => T): GuardedOutcome<T> {
  for (let attempt = 1; ; attempt++) {
    const start = process.threadCpuUsage();
    const outcome = runOnce(milliseconds, work);
    const { user, system } = process.threadCpuUsage(start);
    const hadItsTime = user + system > (milliseconds * 1000) / 2;
    if (outcome.kind !== "timeout" || hadItsTime || attempt === ATTEMPTS) return outcome;
  }
}

function runOnce<T>(milliseconds: number, work: () => T): GuardedOutcome<T> {
  let outcome: GuardedOutcome<T> = { kind: "timeout" };
  room ??= createContext({ work: undefined });
  room["work"] = () => {
    outcome = { kind: "done", value: work() };
  };
  try {
    CALL.runInContext(room, { timeout: milliseconds });
    return outcome;
  } catch (error) {
    return isTimeout(error) ? { kind: "timeout" } : { kind: "threw", error };
  } finally {
    room["work"] = undefined;
  }
}

const CALL = new Script("work()");

/** The realm from which work is called: made once, since it costs a millisecond and half a megabyte. */
let room: Context | undefined;

/** By its code: the error may come from the other realm and then is no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
