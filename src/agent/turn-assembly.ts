import { randomUUID } from "node:crypto";
import type { ToolCall, TurnUsage } from "./model.ts";

/**
 * One chunk of a streamed answer, as loosely as compatible endpoints keep to the format: every field may be missing or null,
 * tool calls may come without index or id, and arguments as an object instead of JSON.
 */
export interface StreamChunk {
  readonly choices?: readonly StreamChoice[] | null;
  readonly usage?: StreamUsage | null;
}

interface StreamChoice {
  readonly delta?: StreamDelta | null;
  readonly finish_reason?: string | null;
}

interface StreamDelta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: readonly StreamToolCall[] | null;
}

interface StreamToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

interface StreamUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
}

/** A turn that is being put together. `finish` stays undefined until the endpoint says that it is done. */
export interface TurnAssembly {
  text: string;
  readonly toolCalls: GrowingCall[];
  finish: string | undefined;
  usage: TurnUsage | undefined;
}

interface GrowingCall {
  readonly index: number | undefined;
  readonly id: string | undefined;
  name: string;
  arguments: string;
}

/** An empty turn to add chunks to. */
export function startTurn(): TurnAssembly {
  return { text: "", toolCalls: [], finish: undefined, usage: undefined };
}

/** Adds a chunk to a turn and returns the text that it brought. What it does not know (`reasoning_content`, …) it skips. */
export function addChunk(turn: TurnAssembly, chunk: StreamChunk): string {
  if (chunk.usage) turn.usage = toUsage(chunk.usage);
  const choice = chunk.choices?.[0];
  if (choice?.finish_reason) turn.finish = choice.finish_reason;
  for (const call of choice?.delta?.tool_calls ?? []) addCall(turn.toolCalls, call);
  const text = [choice?.delta?.content, choice?.delta?.refusal].filter((part) => typeof part === "string").join("");
  turn.text += text;
  return text;
}

/** The tool calls of a turn. A call without an id gets one, since the answer has to name it. */
export function completeCalls(turn: TurnAssembly): readonly ToolCall[] {
  return turn.toolCalls.map((call) => ({
    id: call.id || `call_${randomUUID()}`,
    name: call.name,
    arguments: call.arguments,
  }));
}

function addCall(calls: GrowingCall[], delta: StreamToolCall): void {
  const name = delta.function?.name ?? "";
  let call = findCall(calls, delta);
  if (!call) {
    call = { index: delta.index ?? undefined, id: delta.id || undefined, name: "", arguments: "" };
    calls.push(call);
  }
  // Some endpoints repeat the name in every piece, so it is taken once.
  if (call.name === "") call.name = name;
  const piece = delta.function?.arguments;
  if (typeof piece === "string") call.arguments += piece;
  else if (typeof piece === "object" && piece !== null) call.arguments = JSON.stringify(piece);
}

/**
 * The call that a piece belongs to. An id that is new starts a call, also when the index was seen before: some endpoints
 * give index 0 to all parallel calls. Without id, the index decides; without index, a name starts a call and anything else
 * continues the last one.
 */
function findCall(calls: readonly GrowingCall[], delta: StreamToolCall): GrowingCall | undefined {
  if (delta.id) return calls.find((call) => call.id === delta.id);
  if (typeof delta.index === "number") return calls.findLast((call) => call.index === delta.index);
  return delta.function?.name ? undefined : calls.at(-1);
}

function toUsage(usage: StreamUsage): TurnUsage {
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens;
  return {
    promptTokens: usage.prompt_tokens ?? 0,
    completionTokens: usage.completion_tokens ?? 0,
    ...(typeof cachedTokens === "number" && { cachedTokens }),
  };
}
