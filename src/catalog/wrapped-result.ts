import type { JsonSchema } from "./tool.ts";

/**
 * Whether a declared result is FastMCP's wrapper of a value that is no object: `{ result }`, with a mark on the schema. The
 * type and the value that a snippet gets are both those of `result` then. Undefined where nothing is declared.
 */
export function wrapsResult(outputSchema: JsonSchema | undefined): boolean | undefined {
  if (typeof outputSchema !== "object") return undefined;
  const { properties } = outputSchema;
  const declaresResult = typeof properties === "object" && properties !== null && Object.hasOwn(properties, "result");
  return outputSchema["x-fastmcp-wrap-result"] === true && declaresResult;
}
