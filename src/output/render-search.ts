import type { Catalog } from "../catalog/catalog.ts";
import type { ToolSearch } from "../catalog/search.ts";
import type { Tool } from "../catalog/tool.ts";

/** What a search is answered from. */
export interface SearchInput {
  readonly query: string;
  readonly limit: number;
  readonly catalog: Catalog;
  readonly search: ToolSearch;
  /** The SDK in a budget. */
  readonly views: SearchViews;
  /** Servers that are configured and not there. */
  readonly missing: readonly string[];
}

/** Texts about tools that keep to a budget. */
export interface SearchViews {
  /** The declaration of a tool that the query names, or a part of it; undefined when it names none. */
  named(query: string): string | undefined;
  /** Tools in so many tokens, the first ones in most detail. */
  listed(tools: readonly Tool[], budgetTokens: number): string;
}

/** Most tools that a search shows. */
const SEARCH_LIMIT = 50;
/** Tokens of a list of tools: 30 lines of average length, and then the names of others. */
const SEARCH_TOKENS = 2000;
/** Of these, tokens to say how many more there are. */
const MORE_TOKENS = 40;

/** One tool, or a part of it, when the query names it exactly, else the best matches in 2,000 tokens. */
export function renderSearch({ query, limit, catalog, search, missing, views }: SearchInput): string {
  const named = views.named(query);
  if (named !== undefined) return named;
  const found = search.search(query, catalog.tools.length);
  if (found.length === 0) {
    const note = missing.length > 0 ? ` These servers are configured and not there: ${missing.join(", ")}.` : "";
    return `No tool matches. Try other words, or an empty query to see the first tools.${note}`;
  }
  const shown = found.slice(0, Math.min(Math.max(1, limit), SEARCH_LIMIT));
  const view = views.listed(shown, SEARCH_TOKENS - MORE_TOKENS);
  return found.length === shown.length ? view : `${view}\n${moreText(found.length - shown.length, shown.length)}`;
}

function moreText(more: number, shown: number): string {
  const wish = shown < SEARCH_LIMIT ? `use other words, or a limit up to ${SEARCH_LIMIT}` : "use other words";
  return `// ${more} more ${more === 1 ? "tool matches" : "tools match"}: ${wish}.`;
}
