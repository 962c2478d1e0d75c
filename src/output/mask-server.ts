import type { ListedServer, ListedTool } from "../catalog/tool.ts";
import type { Redactor } from "./redact.ts";
import { redactValue } from "./redact-value.ts";

/**
 * A server's list with secrets masked in all that it says about itself and its tools, so that none comes into searches,
 * declarations and files. Names stay: calls need them. What has nothing to mask stays the same object.
 */
export function maskServer(server: ListedServer, mask: Redactor): ListedServer {
  const { name, tools, ...said } = server;
  const masked = maskFields(said, mask);
  const maskedTools = tools.map((tool) => maskTool(tool, mask));
  const isSame = masked === said && maskedTools.every((tool, index) => tool === tools[index]);
  return isSame ? server : { name, ...masked, tools: maskedTools };
}

function maskTool(tool: ListedTool, mask: Redactor): ListedTool {
  const { name, ...said } = tool;
  const masked = maskFields(said, mask);
  return masked === said ? tool : { name, ...masked };
}

function maskFields<T extends object>(fields: T, mask: Redactor): T {
  // Masking keeps the kinds of all values but numbers, and these fields are texts, booleans and schemas, which may be any JSON.
  return redactValue(fields, mask) as T;
}
