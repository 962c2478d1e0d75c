import type { Tool as WireTool } from "@modelcontextprotocol/client";
import type { JsonSchema, ListedTool } from "../catalog/tool.ts";
import { OUTPUT_SCHEMA } from "./repair.ts";

/** A repaired tool of the wire as the catalog takes it. */
export function listedTool(tool: WireTool): ListedTool {
  const { name, title, description, inputSchema, annotations } = tool;
  const outputSchema = tool._meta?.[OUTPUT_SCHEMA];
  return {
    name,
    inputSchema,
    ...(title && { title }),
    ...(description && { description }),
    ...(annotations && { annotations: definedOnly(annotations) }),
    // Untrusted either way: the generator accepts any JSON value as a schema and degrades to `unknown`.
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonSchema }),
  };
}

/** The object without its undefined entries. */
function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Holds since exactly the undefined entries are left out.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
