import { buildCatalog, type Catalog } from "../../src/catalog/catalog.ts";
import type { JsonSchema, ListedTool, Tool } from "../../src/catalog/tool.ts";

/** A catalog with one server that has these tools. */
export function catalogOf(tools: readonly Partial<ListedTool>[], server = "demo"): Catalog {
  return buildCatalog([{ name: server, tools: tools.map((tool) => ({ name: "tool", inputSchema: {}, ...tool })) }]);
}

/** One tool of a server called `demo`. */
export function toolOf(inputSchema: JsonSchema, more: Partial<ListedTool> = {}): Tool {
  const [tool] = catalogOf([{ inputSchema, ...more }]).tools;
  if (tool === undefined) throw new Error("a catalog of one tool has one");
  return tool;
}

/** A schema of an object with these properties. */
export function objectOf(properties: Readonly<Record<string, unknown>>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required };
}
