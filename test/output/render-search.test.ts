import { describe, expect, test } from "vitest";
import { buildCatalog, type Catalog } from "../../src/catalog/catalog.ts";
import { createSearch } from "../../src/catalog/search.ts";
import { renderSearch, type SearchInput } from "../../src/output/render-search.ts";
import { loadTokenCounter } from "../../src/sdk/manifest.ts";
import { buildSdk } from "../../src/sdk/sdk.ts";
import { createViews } from "../../src/sdk/view/views.ts";
import { corpusMissing, readCorpus } from "../corpus/corpus.ts";
import { BIG_TOOL } from "../sdk/view/fold-tools.ts";

const count = await loadTokenCounter();

async function searcher(catalog: Catalog): Promise<(query: string, more?: Partial<SearchInput>) => string> {
  const sdk = await buildSdk(catalog);
  const search = createSearch(catalog);
  const views = createViews(catalog, sdk, count);
  return (query, more) => renderSearch({ query, limit: 10, catalog, search, views, missing: [], ...more });
}

const issues = Array.from({ length: 80 }, (_, n) => ({
  name: `issue_tool_${n + 10}`,
  description: `Handles issues in way number ${n}, and says at some length what it did about them.`,
  inputSchema: {
    type: "object",
    properties: { issue: { type: "string" }, body: { type: "string" }, state: { enum: ["open", "closed", "stale"] } },
  },
}));
const ask = await searcher(
  buildCatalog([
    { name: "tracker", tools: issues },
    { name: "shop", tools: [{ inputSchema: {}, ...BIG_TOOL, name: "create-order" }] },
    { name: "a", tools: [{ name: "b.c", inputSchema: {} }] },
    { name: "a.b", tools: [{ name: "c", inputSchema: {} }] },
  ]),
);

describe("a search", () => {
  test("shows the best matches, a line each, and how many more there are", () => {
    const lines = ask("issue").split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(
      /^tracker\.issue_tool_\d+\(args\?: \{ issue\?: string; body\?: string; state\?: "open" \| "closed" \| "stale" \}\): Promise<any> \/\/ /,
    );
    expect(lines[10]).toBe("// 70 more tools match: use other words, or a limit up to 50.");
  });

  test("keeps to 2,000 tokens with 50 tools, naming those that have no line", () => {
    const text = ask("issue", { limit: 500 });
    expect(count(text)).toBeLessThanOrEqual(2000);
    expect(text.match(/issue_tool_\d+/g)).toHaveLength(50);
    expect(text).toContain("// By name only; search for one to see its types:\ntracker: issue_tool_");
    expect(text).toMatch(/\n\/\/ 30 more tools match: use other words\.$/);
  });

  test("says nothing of more where there is none", () => {
    expect(ask("create order")).toMatch(/^shop\["create-order"\]\(.*$/);
  });

  test("that finds nothing names the servers that are missing", () => {
    expect(ask("xylophone", { missing: ["jira"] })).toBe(
      "No tool matches. Try other words, or an empty query to see the first tools. These servers are configured and not there: jira.",
    );
  });

  test("for a tool shows its declaration, for a path a part of it", () => {
    expect(ask("shop.create-order")).toContain("interface shop {");
    expect(ask('shop["create-order"] args.lines[].sku')).toBe(
      "// shop.create-order args.lines[].sku\n/** The number of the article */\ntype Sku = string;\n",
    );
    expect(ask("shop.create-order args.linse")).toContain("Did you mean args.lines?");
  });

  test("for a ref of two tools shows both", () => {
    expect(ask("a.b.c")).toMatch(/interface a \{[\s\S]*interface a_b \{/);
  });
});

describe.skipIf(corpusMissing)("a search among the tools of 62 real servers", () => {
  test("keeps to 2,000 tokens for words and to 1,500 for a tool", async () => {
    const catalog = buildCatalog(await readCorpus());
    const find = await searcher(catalog);
    for (const query of ["", "create issue", "list", "send a message to a channel", "delete", "sharepoint list"]) {
      const text = find(query, { limit: 50 });
      expect(count(text)).toBeLessThanOrEqual(2000);
      expect(text).toMatch(/\n\/\/ \d+ more tools match: use other words\.$/);
    }
    expect(count(find("ms-365.create-sharepoint-list"))).toBeLessThanOrEqual(1500);
    expect(find("ms-365.create-sharepoint-list args.body.displayName")).toContain("The displayable title of the list.");
  });
});
