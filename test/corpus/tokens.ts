/**
 * Prints what 10, 100 and 1,000 tools of real servers cost in a prompt, as a Markdown table. Run it with Node:
 * `node test/corpus/tokens.ts`.
 */
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { type TokenCosts, tokenCosts } from "../../src/cli/tools-tokens.ts";
import { loadTokenCounter } from "../../src/sdk/manifest.ts";
import { buildSdk } from "../../src/sdk/sdk.ts";
import { corpusMissing, readCorpus, roundRobin } from "./corpus.ts";

const SIZES = [10, 100, 1000];

if (corpusMissing) console.log(corpusMissing);
else console.log(await tokenTable());

async function tokenTable(): Promise<string> {
  const catalog = buildCatalog(await readCorpus());
  const sdk = await buildSdk(catalog);
  const count = await loadTokenCounter();
  const sizes = [...SIZES.filter((size) => size < catalog.tools.length), catalog.tools.length];
  const rows = sizes.map((size) => row(tokenCosts(roundRobin(catalog.servers, size), { sdk }, count)));
  return [
    "| tools | raw definitions | declarations | signature lines | names |",
    "| ----: | --------------: | -----------: | --------------: | ----: |",
    ...rows,
  ].join("\n");
}

function row({ tools, ...costs }: TokenCosts): string {
  const cells = [tools, costs.raw, costs.full, costs.lines, costs.names].map((cost) => cost.toLocaleString("en-US"));
  return `| ${cells.join(" | ")} |`;
}
