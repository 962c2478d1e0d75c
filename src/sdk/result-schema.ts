import type { JsonSchema, Tool } from "../catalog/tool.ts";
import { isRecord } from "./json-record.ts";

/** The schema of what a snippet gets from a tool: `entry` points to it within `schema`. */
export interface ResultSchema {
  readonly schema: JsonSchema;
  readonly entry: string;
}

/**
 * The declared type of a tool's result, if it says anything. FastMCP wraps results that are no objects as `{ result }` and
 * marks the schema; results are unwrapped, so the type is that of `result`.
 */
export function resultSchema({ outputSchema }: Tool): ResultSchema | undefined {
  if (!isRecord(outputSchema)) return undefined;
  const says = Object.keys(outputSchema).some((keyword) => !SILENT.has(keyword));
  if (!says) return undefined;
  const isWrapped = outputSchema["x-fastmcp-wrap-result"] === true && isRecord(outputSchema["properties"]);
  return { schema: outputSchema, entry: isWrapped ? "#/properties/result" : "#" };
}

/** Keywords that do not restrict a value. */
const SILENT = new Set(["$schema", "$id", "$comment", "title", "description", "examples", "default"]);
