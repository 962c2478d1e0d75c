import type { Catalog } from "../catalog/catalog.ts";
import type { ToolSearch } from "../catalog/search.ts";
import type { Tool } from "../catalog/tool.ts";

/** What a search is answered from. */
export interface SearchInput {
  readonly query: string;
  readonly limit: number;
  readonly catalog: Catalog;
  readonly search: ToolSearch;
  readonly sdk: { describe(tool: Tool): string; signatureLine(tool: Tool): string };
  /** Servers that are configured and not there. */
  readonly missing: readonly string[];
}

/** Most tools that a search shows, and characters of one tool's full declaration: the largest seen has 84,000. */
const SEARCH_LIMIT = 50;
const DECLARATION_LENGTH = 8_000;

/** One tool in full when the query names it exactly, else the best matches, a line each. */
export function renderSearch({ query, limit, catalog, search, sdk, missing }: SearchInput): string {
  const named = catalog.named(query.trim());
  if (named.length > 0) {
    const declaration = named.map((tool) => sdk.describe(tool)).join("\n");
    if (declaration.length <= DECLARATION_LENGTH) return declaration;
    return `${declaration.slice(0, DECLARATION_LENGTH)}\n… (cut; the whole declaration has ${declaration.length} characters)`;
  }
  const found = search.search(query, Math.min(Math.max(1, limit), SEARCH_LIMIT));
  if (found.length > 0) return found.map((match) => sdk.signatureLine(match)).join("\n");
  const note = missing.length > 0 ? ` These servers are configured and not there: ${missing.join(", ")}.` : "";
  return `No tool matches. Try other words, or an empty query to see the first tools.${note}`;
}
