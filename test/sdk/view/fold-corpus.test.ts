import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { renderFolded } from "../../../src/sdk/view/fold.ts";
import { corpusMissing, readCorpus } from "../../corpus/corpus.ts";
import { typeErrors } from "../type-check.ts";
import { count } from "./fold-tools.ts";

if (corpusMissing) console.warn(`${corpusMissing} Folded views are not tried on them.`);
const catalog = buildCatalog(corpusMissing ? [] : await readCorpus());
const sdk = await buildSdk(catalog);

/** The tools with the longest declarations. */
const largest = catalog.tools
  .map((tool) => ({ tool, size: sdk.describe(tool).length }))
  .sort((a, b) => b.size - a.size)
  .slice(0, 20)
  .map(({ tool }) => tool);

/** Paths that are asked for of one tool: recursive types have endlessly many. */
const ASKED = 40;

describe.skipIf(corpusMissing)("the tools of real servers", () => {
  test.each([200, 500, 1500])("keep to %i tokens", (budgetTokens) => {
    const over = catalog.tools.filter(
      (tool) => count(renderFolded({ tool, sdk, count, budgetTokens }).text) > budgetTokens,
    );
    expect(over.map(({ ref }) => ref)).toEqual([]);
  });

  test("have a line of 100 tokens at most on average", () => {
    const tokens = catalog.tools.reduce((sum, tool) => sum + count(sdk.signatureLine(tool)), 0);
    expect(tokens / catalog.tools.length).toBeLessThanOrEqual(100);
  });

  test.each([500, 1500])("show more at every path that is named, in %i tokens", (budgetTokens) => {
    for (const tool of largest) {
      const waiting: (string | undefined)[] = [undefined];
      for (let asked = 0; asked < Math.min(waiting.length, ASKED); asked++) {
        const path = waiting[asked];
        const { kind, text } = renderFolded({ tool, sdk, count, budgetTokens, ...(path !== undefined && { path }) });
        expect({ path, kind }).not.toEqual({ path, kind: "missing" });
        expect(count(text)).toBeLessThanOrEqual(budgetTokens);
        // The part itself is open.
        if (path !== undefined) expect(text).not.toMatch(/^type \w+ = \{ … \}/m);
        const named = namedPaths(text);
        if (named.length > 0) expect(kind).toBe("folded");
        waiting.push(...named.filter((next) => !waiting.includes(next)));
      }
      expect(waiting.length).toBeGreaterThan(1);
    }
  });

  test("are valid TypeScript where nothing is left out, and mean what the checker's types mean", async () => {
    const files = new Map<string, string>();
    for (const { namespace, tools } of catalog.servers) {
      files.set(`${namespace}.ts`, [sdk.declarations.get(fileOf(namespace)), ...tools.map(sameArguments)].join("\n"));
    }
    expect(await typeErrors(files)).toEqual([]);
  });
});

function namedPaths(text: string): string[] {
  const notes = [...text.matchAll(/ \/\* (.*?) \*\/$/gm)].flatMap(([, note = ""]) => note.split("; "));
  return notes.flatMap((note) => /: ((?:args|result).*)$/.exec(note)?.[1] ?? []);
}

const fileOf = (namespace: string): string => sdk.servers.find((server) => server.namespace === namespace)?.file ?? "";

/** Code that compiles only when the folded text of the arguments says the same as the declaration. */
function sameArguments(tool: Tool, index: number): string {
  const declared = sdk.servers.flatMap(({ tools }) => tools).find((declaration) => declaration.tool === tool);
  const { text } = renderFolded({ tool, sdk, count, path: "args", budgetTokens: 1_000_000 });
  const name = /^type (\w+) = (?!.*^type Args = )/ms.exec(text)?.[1] ?? "Args";
  return `namespace folded${index} {\n${text}\nexport const there = (value: ${declared?.inputType}): ${name} => value;\nexport const back = (value: ${name}): ${declared?.inputType} => value;\n}`;
}
