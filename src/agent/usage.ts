import { estimateTokens } from "../output/tokens.ts";
import type { Message, ModelTurn, TurnUsage } from "./model.ts";

/** Tokens of a whole conversation. */
export interface TotalUsage extends TurnUsage {
  /** Whether any part was estimated here, because the endpoint does not count. */
  readonly estimated: boolean;
}

/**
 * Tokens of one turn: the endpoint's count, or an estimate from the texts that were sent and came back. The estimate leaves
 * out the tool definitions and what the endpoint adds around messages.
 */
export async function turnUsage(
  turn: ModelTurn,
  sent: readonly Message[],
): Promise<{ readonly usage: TurnUsage; readonly estimated: boolean }> {
  if (turn.usage) return { usage: turn.usage, estimated: false };
  const [promptTokens, completionTokens] = await Promise.all([
    estimateTokens(sent.map(textOf).join("\n")),
    estimateTokens(textOf({ role: "assistant", content: turn.text, toolCalls: turn.toolCalls })),
  ]);
  return { usage: { promptTokens, completionTokens }, estimated: true };
}

/** The sum with one more turn. */
export function addUsage(
  total: TotalUsage,
  { usage, estimated }: { readonly usage: TurnUsage; readonly estimated: boolean },
): TotalUsage {
  const cachedTokens = (total.cachedTokens ?? 0) + (usage.cachedTokens ?? 0);
  return {
    promptTokens: total.promptTokens + usage.promptTokens,
    completionTokens: total.completionTokens + usage.completionTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    estimated: total.estimated || estimated,
  };
}

function textOf(message: Message): string {
  if (message.role !== "assistant") return message.content;
  return [message.content, ...message.toolCalls.map((call) => `${call.name} ${call.arguments}`)].join("\n");
}
