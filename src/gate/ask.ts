import type { Tool } from "../catalog/tool.ts";

/** A call that needs a person's word. */
export interface Question {
  readonly run: string;
  /** The call's number in its run, from 1. */
  readonly sequence: number;
  readonly tool: Tool;
  /** Exactly what would be sent, frozen. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Further calls of this run that wait for an answer behind this one. */
  readonly waiting: number;
}

/**
 * `once`: this call. `tool`: this call and every further call of this tool in this run. `deny`: not this call.
 */
export type Answer = "once" | "tool" | "deny";

/**
 * Asks a person. One question at a time; the signal aborts when the answer is no longer needed. Throwing or answering
 * anything else counts as `deny`.
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** The same, but questions of several runs come one after the other too. */
export function oneAtATime(ask: Ask): Ask {
  let turn: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = turn.then(() => (signal.aborted ? "deny" : ask(question, signal)));
    turn = answer.catch(() => {});
    return answer;
  };
}
