import type { Tool } from "../catalog/tool.ts";
import type { Answer, Ask, Question } from "./ask.ts";

/** What came of asking: a person's answer, that there was nobody, or that the run ended meanwhile. */
export type Approval = {
  readonly kind: "allowed" | "denied" | "refused" | "cancelled";
  /** Who or what decided, for the audit. */
  readonly by: string;
};

/** The approvals of one run. */
export interface Approvals {
  /** Resolves when a person has answered, or at once when nobody is there or the tool was allowed for the run. */
  request(question: Omit<Question, "waiting">, signal: AbortSignal): Promise<Approval>;
}

/**
 * Asks for calls one after the other, however many wait: an answer for the whole tool settles the calls behind it without
 * another question. Anything but a clear yes is a no.
 */
export function createApprovals(ask: Ask | undefined): Approvals {
  const allowedTools = new Set<Tool>();
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const answer = async (question: Omit<Question, "waiting">, signal: AbortSignal): Promise<Approval> => {
    if (allowedTools.has(question.tool)) return { kind: "allowed", by: "person, for this tool in this run" };
    if (ask === undefined) return { kind: "refused", by: "nobody to ask" };
    if (signal.aborted) return RUN_ENDED;
    let said: Answer;
    try {
      said = await Promise.race([ask({ ...question, waiting: waiting - 1 }, signal), aborted(signal)]);
    } catch {
      return signal.aborted ? RUN_ENDED : { kind: "denied", by: "asking failed" };
    }
    if (signal.aborted) return RUN_ENDED;
    if (said === "tool") allowedTools.add(question.tool);
    return said === "once" || said === "tool" ? { kind: "allowed", by: "person" } : { kind: "denied", by: "person" };
  };

  return {
    request: async (question, signal) => {
      waiting++;
      const mine = turn.then(() => answer(question, signal)).finally(() => waiting--);
      turn = mine;
      return await mine;
    },
  };
}

const RUN_ENDED: Approval = { kind: "cancelled", by: "the run ended before an answer" };

/** Rejects when the signal aborts: the run is over, whether or not the answer ever comes. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the run ended")), { once: true });
  });
}
