import type { Redactor } from "../output/redact.ts";
import { redactValue } from "../output/redact-value.ts";
import type { AgentEvent } from "./events.ts";
import type { ToolCall } from "./model.ts";
import { readArguments } from "./tool-arguments.ts";

/** What the two tools do. Both give the text that the model reads. */
export interface ToolActions {
  /** Must not throw for an unlucky query; what it throws ends the conversation. */
  search(query: string, limit?: number): Promise<string>;
  /** Must not throw because a snippet failed; what it throws ends the conversation. Stops when the signal fires. */
  execute(code: string, signal: AbortSignal): Promise<{ readonly text: string }>;
}

/** What the calls of one turn need to know. */
export interface ToolContext {
  readonly actions: ToolActions;
  readonly turn: number;
  readonly signal: AbortSignal;
  /** Masks secrets in events. */
  readonly redact: Redactor;
  emit(event: AgentEvent): void;
}

/** What the model reads in place of an answer that an interruption cut off. */
const INTERRUPTED = "Interrupted by the user before it was finished. Calls of the snippet may have taken effect.";
const NOT_STARTED = "Not started: the user interrupted before.";

/**
 * Answers all tool calls of one turn, in their order. Searches run at once; snippets run one after the other, since a later
 * one may count on what an earlier one did. Each call has an answer, whatever happens: endpoints refuse a conversation in
 * which one is missing. Throws what an action threw, but not while the signal is firing.
 */
export async function answerToolCalls(calls: readonly ToolCall[], context: ToolContext): Promise<readonly string[]> {
  let snippets: Promise<unknown> = Promise.resolve();
  const answers = calls.map((call) => {
    if (call.name !== "execute") return answerCall(call, context);
    const answer = snippets.then(() => answerCall(call, context));
    snippets = answer;
    return answer;
  });
  const settled = await Promise.allSettled(answers);
  return settled.map((answer) => {
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  });
}

async function answerCall(call: ToolCall, context: ToolContext): Promise<string> {
  const { turn, signal, redact, emit } = context;
  if (signal.aborted) return NOT_STARTED;
  emit({
    kind: "tool-requested",
    turn,
    id: call.id,
    name: redact(call.name),
    arguments: redactJson(call.arguments, redact),
  });
  const started = performance.now();
  const text = await act(call, context);
  emit({
    kind: "tool-answered",
    turn,
    id: call.id,
    name: redact(call.name),
    text: redact(text),
    ms: Math.round(performance.now() - started),
  });
  return text;
}

/** JSON with secrets masked in its texts; as text when it is none, which models write too. */
function redactJson(json: string, redact: Redactor): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(json), redact));
  } catch {
    return redact(json);
  }
}

async function act(call: ToolCall, { actions, signal }: ToolContext): Promise<string> {
  const read = readArguments(call);
  try {
    switch (read.kind) {
      case "search":
        return await actions.search(read.query, read.limit);
      case "execute":
        return (await actions.execute(read.code, signal)).text;
      case "unusable":
        return read.message;
    }
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    throw error;
  }
}
