import type { Tool } from "../catalog/tool.ts";
import type { WrittenRule } from "./grants.ts";

/** What a call does, as far as its server tells: hints of an untrusted party, good for a warning and nothing else. */
export type Effect = "reads" | "writes" | "destroys" | "unknown";

/** A line of the snippet, as its author wrote it. */
export interface SnippetLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** One call that needs a person's word. */
export interface PendingCall {
  /** The call's number in its run, from 1. */
  readonly sequence: number;
  readonly tool: Tool;
  /** Exactly what would be sent, frozen. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The same with secrets masked: what to show. */
  readonly shown: unknown;
  readonly effect: Effect;
  /** SHA-256 of server, tool and arguments: what the answer is bound to. */
  readonly hash: string;
  /** Where the snippet says that it makes the call; good for showing only. */
  readonly line?: SnippetLine;
  /** Why it is asked about although a rule allows it: a cap, or a tool that its server marks as destructive. */
  readonly reason?: string;
}

/** Calls that need a person's word. The first one is repeated in the question itself, for an `ask` that takes them singly. */
export interface Question extends PendingCall {
  readonly run: string;
  /** All calls of the run that wait now, the first one and those of other tools among them, in their order. */
  readonly calls: readonly PendingCall[];
  /** Further calls of this run that wait behind the first: `calls.length - 1`. */
  readonly waiting: number;
  /** Calls of the first one's tool that were allowed in this run so far. */
  readonly made: number;
  /** The arguments of the first call that say where it goes (`to`, `url`, `path` …); absent when it has none. */
  readonly destination?: Readonly<Record<string, unknown>>;
  /** What `always` would write into the configuration. Absent when it cannot, or when the tool says that it destroys. */
  readonly rule?: WrittenRule;
  /**
   * The calls are a plan: the snippet went on with placeholders for their results, and all of them, whatever their tools, are
   * to be decided now.
   */
  readonly plan?: true;
  /** What `always-destination` would write. Absent when it cannot, or without a destination. */
  readonly destinationRule?: WrittenRule;
}

/**
 * What a person says. All but `once`, `deny` and `later` speak of the first call's tool.
 *
 * - `once`: the first call. An object: the calls of these sequence numbers; the others are asked about again, or denied.
 * - `waiting`: every call of the tool in this question.
 * - `tool`: this and every further call of the tool in this run.
 * - `destination`: the same, where the destination is equal.
 * - `always`, `always-destination`: `rule` or `destinationRule` is written, and holds from now on.
 * - `deny`: not the first call. `deny-waiting`: no call of the tool in this question.
 * - `stop`: none of the calls, and the run is stopped.
 * - `later`: the first call is refused for now.
 */
export type Answer =
  | "once"
  | { readonly kind: "calls"; readonly allow: readonly number[]; readonly others?: "deny" }
  | "waiting"
  | "tool"
  | "destination"
  | "always"
  | "always-destination"
  | "deny"
  | "deny-waiting"
  | "stop"
  | "later";

/**
 * Asks a person. One question at a time; the signal aborts when no call of it waits any more. Throwing, and answering
 * anything else or what was not offered, is a no to every call of the question.
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
