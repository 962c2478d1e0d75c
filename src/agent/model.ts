/** A call of one of the agent's tools, as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model kept to it. */
  readonly arguments: string;
}

/** One message of a conversation: plain data that any endpoint's format can be made from. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A tool that the model may call. `parameters` is a JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [keyword: string]: unknown };
}

/** Tokens of one turn as the endpoint counted them. `cachedTokens` are part of `promptTokens`. */
export interface TurnUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
}

/** What a model is asked for. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Sent with every turn, since a changed list would break the endpoint's prompt cache. */
  readonly tools: readonly ToolDefinition[];
  /** With `none` the tools stay listed but must not be called. */
  readonly toolUse: "auto" | "none";
  readonly signal: AbortSignal;
  /** Called with each piece of text as it arrives. Must not throw. */
  onText(delta: string): void;
  /** Called when a turn is asked for anew: the text that has arrived so far is void. Must not throw. */
  onRetry(reason: string): void;
}

/** One complete answer of a model. */
export interface ModelTurn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Why the model stopped, in the endpoint's words: `stop`, `tool_calls`, `length`, … */
  readonly finish: string;
  /** Absent when the endpoint does not count. */
  readonly usage?: TurnUsage;
}

/**
 * A language model. `respond` does its own retries; it throws a `NamiError` with code `MODEL_FAILED` when the endpoint failed
 * for good, and the signal's reason when the signal fires.
 */
export interface Model {
  respond(request: ModelRequest): Promise<ModelTurn>;
}
