import type { Catalog } from "../../catalog/catalog.ts";
import type { Tool } from "../../catalog/tool.ts";
import type { CountTokens } from "../manifest.ts";
import type { Sdk } from "../sdk.ts";
import { FOLD_TOKENS, renderFolded } from "./fold.ts";
import { renderView } from "./view.ts";
import { findRequest } from "./view-request.ts";

/** What a model is shown of an SDK. */
export interface Views {
  /**
   * For `server.tool` its declaration, for `server.tool args.body.fields` that part of it, folded to 1,500 tokens; undefined
   * when the query names no tool.
   */
  named(query: string): string | undefined;
  /** Tools in a budget of tokens, the first ones with a line each. */
  listed(tools: readonly Tool[], budgetTokens: number): string;
}

/** Tools of the same ref that are shown; each has its share of the tokens. */
const SAME_REF = 3;

/** The views of an SDK. */
export function createViews(catalog: Catalog, sdk: Sdk, count: CountTokens): Views {
  return {
    named: (query) => {
      const request = findRequest(query, catalog);
      const tools = request?.tools.slice(0, SAME_REF) ?? [];
      if (request === undefined || tools.length === 0) return undefined;
      const { path } = request;
      const budgetTokens = Math.floor(FOLD_TOKENS / tools.length);
      return tools
        .map((tool) => renderFolded({ tool, sdk, count, budgetTokens, ...(path !== undefined && { path }) }).text)
        .join("\n");
    },
    listed: (tools, budgetTokens) => renderView({ tools, sdk, budgetTokens, count }),
  };
}
