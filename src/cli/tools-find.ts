import { nearest } from "../catalog/nearest.ts";
import { createSearch } from "../catalog/search.ts";
import type { Tool } from "../catalog/tool.ts";
import { NamiError } from "../errors.ts";
import { findRequest } from "../sdk/view/view-request.ts";
import type { ToolsSource } from "./tools-source.ts";

/** What a query means. */
export interface FoundTools {
  readonly tools: readonly Tool[];
  /** Whether they are named, and not found by words. */
  readonly isNamed: boolean;
  /** The part of the tool that is asked for. */
  readonly path?: string;
}

/** The tool that the query names, else the best matches among the servers that are asked for. Throws `TOOL_UNKNOWN`. */
export function findTools(
  query: string,
  { catalog, servers }: ToolsSource,
  flags: { readonly limit: number; readonly json?: true },
): FoundTools {
  const request = findRequest(query, catalog);
  if (request) return { ...request, isNamed: true };
  const wanted = new Set(servers.map(({ name }) => name));
  const isRef = catalog.servers.some(({ name }) => query.startsWith(`${name}.`) || query.startsWith(`mcp__${name}__`));
  const all = isRef ? [] : createSearch(catalog).search(query, catalog.tools.length);
  const tools = all.filter(({ server }) => wanted.has(server)).slice(0, flags.limit);
  if (tools.length > 0 || flags.json) return { tools, isNamed: false };
  const near = nearest(
    query,
    catalog.tools.map(({ ref }) => ref),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new NamiError("TOOL_UNKNOWN", `No tool matches "${query}".${hint}`);
}
