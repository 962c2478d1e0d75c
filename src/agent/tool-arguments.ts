import { messageOf } from "../errors.ts";
import type { ToolCall } from "./model.ts";

/** A tool call after reading, or what the model has to do to make it usable. */
export type ReadCall =
  | { readonly kind: "search"; readonly query: string; readonly limit?: number }
  | { readonly kind: "execute"; readonly code: string }
  | { readonly kind: "unusable"; readonly message: string };

/** Reads a call of `search` or `execute`. What the model got wrong comes back as a message for it. */
export function readArguments(call: ToolCall): ReadCall {
  if (call.name !== "search" && call.name !== "execute") {
    return unusable(
      `There is no tool "${call.name}" here. Call search({ query }) or execute({ code }); tools of servers are called inside the code of execute.`,
    );
  }
  const wanted = call.name === "search" ? '{ "query": "…" }' : '{ "code": "…" }';
  const parsed = parseObject(call.arguments);
  if (typeof parsed === "string") {
    return unusable(`The arguments of ${call.name} were not usable: ${parsed}. Send one JSON object: ${wanted}.`);
  }
  const { query, limit, code } = parsed;
  if (call.name === "search" && typeof query === "string" && query.trim() !== "") {
    return typeof limit === "number" && limit >= 1
      ? { kind: "search", query, limit: Math.floor(limit) }
      : { kind: "search", query };
  }
  if (call.name === "execute" && typeof code === "string" && code.trim() !== "") return { kind: "execute", code };
  const missing = call.name === "search" ? "query" : "code";
  return unusable(`${call.name} needs "${missing}", a text that is not empty. Send ${wanted}.`);
}

/**
 * The same call, with arguments that are a JSON object: some endpoints parse the conversation's arguments again and fail
 * for good on what a model got wrong once.
 */
export function withValidArguments(call: ToolCall): ToolCall {
  return typeof parseObject(call.arguments) === "string" ? { ...call, arguments: "{}" } : call;
}

function unusable(message: string): ReadCall {
  return { kind: "unusable", message };
}

/** The fields of a JSON object, or what is wrong with it. */
function parseObject(json: string): string | { readonly [field: string]: unknown } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return `they are no valid JSON (${messageOf(error)})`;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return "they are no JSON object";
  // An object from JSON has string keys and nothing else.
  return parsed as { readonly [field: string]: unknown };
}
