import type { Redactor } from "../output/redact.ts";
import { createStreamRedactor } from "../output/redact-stream.ts";
import type { AgentEvent } from "./events.ts";
import type { Message, Model, ModelTurn } from "./model.ts";
import { AGENT_TOOLS, EMPTY_ANSWER, LAST_TURN, type PromptServer, systemPrompt } from "./prompts.ts";
import { withValidArguments } from "./tool-arguments.ts";
import { answerToolCalls, type ToolActions } from "./tool-calls.ts";
import { addUsage, type TotalUsage, turnUsage } from "./usage.ts";

/** What an agent needs: a task, a model, and what its two tools do. */
export interface AgentOptions extends ToolActions {
  readonly task: string;
  readonly model: Model;
  /** The connected servers, for the system prompt. */
  readonly servers: readonly PromptServer[];
  /** Answers of the model at most, 1 or more. In the last one it must do without tools. */
  readonly maxTurns: number;
  /** Interrupts: what has been done is returned. */
  readonly signal: AbortSignal;
  /** Masks secrets in the answer and in events. The model's own words go back to it as they are. */
  readonly redact: Redactor;
  /** Must not throw; is not awaited. */
  emit(event: AgentEvent): void;
}

/** How a conversation ended. Always the same fields. */
export interface AgentResult {
  readonly kind: "answered" | "turns-exhausted" | "interrupted";
  /** The model's last words: the answer, or what had come of it. May be empty unless `answered`. */
  readonly answer: string;
  /** Turns that were begun. */
  readonly turns: number;
  readonly usage: TotalUsage;
  /** The whole conversation, complete enough to be continued: every tool call has its answer. */
  readonly messages: readonly Message[];
}

/**
 * Lets a model work on a task: it searches for tools and runs snippets until it answers in words. Throws what the model, a
 * search or an execution throws; a snippet that fails, an unusable tool call and an interruption are no exceptions.
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  const { model, maxTurns, signal, emit } = options;
  const messages: Message[] = [
    { role: "system", content: systemPrompt(options) },
    { role: "user", content: options.task },
  ];
  let usage: TotalUsage = { promptTokens: 0, completionTokens: 0, estimated: false };
  let lastWords = "";
  const end = (kind: AgentResult["kind"], turns: number): AgentResult => ({
    kind,
    answer: options.redact(lastWords),
    turns,
    usage,
    messages,
  });

  for (let turn = 1; turn <= maxTurns; turn++) {
    if (signal.aborted) return end("interrupted", turn - 1);
    const isLast = turn === maxTurns;
    if (isLast) messages.push({ role: "user", content: LAST_TURN });
    emit({ kind: "turn-started", turn });

    const heard = await listen(model, messages, isLast, turn, options);
    if (heard.text !== "") lastWords = heard.text;
    if (heard.kind === "interrupted") return end("interrupted", turn);
    const spent = await turnUsage(heard, messages);
    usage = addUsage(usage, spent);
    messages.push(...toMessages(heard, isLast));
    emit({ kind: "turn-ended", turn, finish: heard.finish, ...spent });

    if (heard.toolCalls.length === 0 && heard.text.trim() !== "") return end("answered", turn);
    if (isLast) break;
    const answers = await answerToolCalls(heard.toolCalls, {
      actions: options,
      turn,
      signal,
      redact: options.redact,
      emit,
    });
    for (const [index, call] of heard.toolCalls.entries()) {
      messages.push({ role: "tool", toolCallId: call.id, content: answers[index] || "(no output)" });
    }
  }
  return end(signal.aborted ? "interrupted" : "turns-exhausted", maxTurns);
}

type Heard = ({ readonly kind: "complete" } & ModelTurn) | { readonly kind: "interrupted"; readonly text: string };

/** One turn of the model. After an interruption, the text that had arrived is kept. */
async function listen(
  model: Model,
  messages: readonly Message[],
  isLast: boolean,
  turn: number,
  { signal, emit, redact }: AgentOptions,
): Promise<Heard> {
  let text = "";
  const stream = createStreamRedactor(redact);
  const tell = (delta: string): void => {
    if (delta !== "") emit({ kind: "text-delta", turn, text: delta });
  };
  try {
    const answer = await model.respond({
      messages: [...messages],
      tools: AGENT_TOOLS,
      toolUse: isLast ? "none" : "auto",
      signal,
      onText: (delta) => {
        text += delta;
        tell(stream.push(delta));
      },
      onRetry: (reason) => {
        text = "";
        stream.end();
        emit({ kind: "turn-retried", turn, reason: redact(reason) });
      },
    });
    tell(stream.end());
    return { kind: "complete", ...answer };
  } catch (error) {
    tell(stream.end());
    if (signal.aborted) return { kind: "interrupted", text };
    throw error;
  }
}

/** A turn as messages. Calls of the last turn are left out, since nobody answers them; an empty answer is asked for anew. */
function toMessages(heard: ModelTurn, isLast: boolean): readonly Message[] {
  const toolCalls = isLast ? [] : heard.toolCalls.map(withValidArguments);
  if (toolCalls.length > 0 || heard.text.trim() !== "") return [{ role: "assistant", content: heard.text, toolCalls }];
  return isLast ? [] : [{ role: "user", content: EMPTY_ANSWER }];
}
