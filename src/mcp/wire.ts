/** The id of a JSON-RPC request. */
export type RequestId = string | number;

/** A JSON-RPC message whose envelope is sound; what it carries is still unchecked. */
export interface RawMessage {
  jsonrpc: "2.0";
  id?: RequestId;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** What one line of a server's standard output holds. */
export interface ParsedLine {
  readonly messages: readonly RawMessage[];
  /** Text on the line that is not protocol: a banner, a log line. */
  readonly noise?: string;
}

/**
 * Finds the JSON-RPC messages on a line. Tolerates what real servers write: batches, a banner without a newline in front
 * of the message, a byte-order mark, fields that are null, an error that is a text.
 */
export function parseLine(line: string): ParsedLine {
  const text = line.replace(/^\ufeff/, "").trim();
  if (text === "") return { messages: [] };
  const whole = toMessages(parseJson(text));
  if (whole.length > 0) return { messages: whole };
  const start = text.indexOf('{"jsonrpc"');
  if (start > 0) {
    const messages = toMessages(parseJson(text.slice(start)));
    if (messages.length > 0) return { messages, noise: text.slice(0, start) };
  }
  return { messages: [], noise: text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toMessages(value: unknown): RawMessage[] {
  if (Array.isArray(value)) return value.flatMap(toMessages);
  if (!isRecord(value)) return [];
  if (value["jsonrpc"] !== "2.0" && !("method" in value || "result" in value || "error" in value)) return [];
  const message: RawMessage = { jsonrpc: "2.0" };
  const { id, method, params, result, error } = value;
  if (typeof id === "string" || typeof id === "number") message.id = id;
  if (typeof method === "string") {
    message.method = method;
    if (params !== undefined && params !== null) message.params = params;
  } else if (error !== undefined && error !== null) {
    message.error = repairError(error);
  } else {
    message.result = result ?? {};
  }
  return [message];
}

function repairError(error: unknown): Record<string, unknown> {
  if (!isRecord(error)) return { code: -32603, message: String(error) };
  const code = Number(error["code"]);
  return {
    ...error,
    code: Number.isInteger(code) ? code : -32603,
    message: String(error["message"] ?? "unknown error"),
  };
}

/** A plain object, not an array and not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
