import type { JsonSchema, Tool } from "../catalog/tool.ts";
import { wrapsResult } from "../catalog/wrapped-result.ts";
import { isRecord } from "./json-record.ts";

/** The schema of what a snippet gets from a tool: `entry` points to it within `schema`. */
export interface ResultSchema {
  readonly schema: JsonSchema;
  readonly entry: string;
}

/** The declared type of a tool's result, if it says anything. A wrapped result is unwrapped, so its type is that of `result`. */
export function resultSchema({ outputSchema }: Tool): ResultSchema | undefined {
  if (!isRecord(outputSchema)) return undefined;
  const says = Object.keys(outputSchema).some((keyword) => !SILENT.has(keyword));
  if (!says) return undefined;
  return { schema: outputSchema, entry: wrapsResult(outputSchema) ? "#/properties/result" : "#" };
}

/** Keywords that do not restrict a value. */
const SILENT = new Set(["$schema", "$id", "$comment", "title", "description", "examples", "default"]);
