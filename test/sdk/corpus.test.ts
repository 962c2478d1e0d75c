import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { ListedServer } from "../../src/catalog/tool.ts";
import { readToolList } from "../../src/mcp/saved-list.ts";
import { renderGenerated } from "../../src/sdk/generate.ts";
import { buildSdk } from "../../src/sdk/sdk.ts";
import { run, TSC, typeErrors } from "./type-check.ts";

// A hang guard: thousands of schemas on a loaded machine take minutes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/**
 * A folder of tool lists: `tools/*.json`, `stress/*.json` and `nasty.json` ({ server, tools }), and `cases/*.json` with values
 * that ajv judged. What is not there is skipped.
 */
const SHARED = join(import.meta.dirname, "../../../shared");
const CORPUS = resolve(process.env["NAMI_CORPUS"] ?? join(SHARED, "corpus"));
const EXACTNESS = join(SHARED, "tools/exactness.mjs");
const hasCases = existsSync(join(CORPUS, "cases")) && existsSync(EXACTNESS);
if (!existsSync(CORPUS)) console.warn(`SKIPPED: there is no corpus of real tools at ${CORPUS}; set NAMI_CORPUS.`);
else if (!hasCases) console.warn(`SKIPPED: no cases at ${CORPUS}, or no ${EXACTNESS}; exactness is not measured.`);

interface Generated {
  readonly servers: readonly ListedServer[];
  readonly tools: number;
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

describe.each(["tools", "stress", "nasty.json"])("the SDK of the corpus's %s", (part) => {
  describe.skipIf(!existsSync(join(CORPUS, part)))("if it is there", () => {
    let generated: Generated;
    beforeAll(async () => {
      generated = await generate(await listed(part));
      const { tools, servers, milliseconds } = generated;
      console.log(`${part}: ${servers.length} servers, ${tools} tools, ${(milliseconds / tools).toFixed(2)} ms a tool`);
    });

    test("has all servers and tools, and compiles as one program", async () => {
      const { files, servers, tools } = generated;
      expect(files.size).toBe(servers.length + 1);
      const manifest: unknown = JSON.parse(files.get("manifest.json") ?? "");
      expect(manifest).toHaveLength(tools);
      const declarations = new Map([...files].filter(([name]) => name.endsWith(".d.ts")));
      expect((await typeErrors(declarations)).slice(0, 5)).toEqual([]);
      expect([...declarations.values()].join("")).not.toMatch(/^\s*export /m);
    });

    test("gives up only what leads nowhere", () => {
      const { warnings, servers } = generated;
      if (warnings.length > 0)
        console.log(`${part}: ${warnings.length} warnings, such as\n${formsOf(warnings).join("\n")}`);
      expect(warnings.filter((warning) => !isUnresolvable(warning, servers))).toEqual([]);
    });

    test("has the same bytes whatever the order of servers and tools is, and when it is made again", async () => {
      const { servers, files } = generated;
      const reversed = servers.toReversed().map((server) => ({ ...server, tools: server.tools.toReversed() }));
      const again = [await generate(reversed), await generate(servers)];
      for (const other of again)
        expect([...other.files].filter(([name, text]) => files.get(name) !== text)).toEqual([]);
      expect(again.map((other) => other.files.size)).toEqual([files.size, files.size]);
    });

    test.skipIf(part !== "tools" || !hasCases)(
      "accepts what the schemas accept, and rejects what they reject",
      async () => {
        const folder = await mkdtemp(join(tmpdir(), "nami-corpus-"));
        afterAll(async () => await rm(folder, { recursive: true, force: true }));
        for (const [name, text] of generated.files) await writeFile(join(folder, name), text);
        const table = await run(process.execPath, [EXACTNESS, folder, join(CORPUS, "cases"), "--tsc", TSC]);
        console.log(table);
        // Holds since that is how the program ends.
        const judged = JSON.parse(table.trimEnd().split("\n").at(-1) ?? "") as Judgement;
        expect({ missing: judged.missing, compileErrors: judged.compileErrors }).toEqual({
          missing: 0,
          compileErrors: 0,
        });
        for (const { accepted, rejected } of [judged.input, judged.output]) {
          expect(accepted?.percent ?? 100).toBeGreaterThanOrEqual(99.9);
          expect(rejected?.percent ?? 100).toBeGreaterThanOrEqual(99.9);
        }
        // Arguments that are not declared count as misspelt; a result may hold more than is declared.
        expect(judged.input.openRejected?.percent ?? 100).toBeGreaterThanOrEqual(99);
        expect(judged.output.openRejected?.percent ?? 0).toBe(0);
      },
    );
  });
});

interface Judgement {
  readonly input: Rates;
  readonly output: Rates;
  readonly missing: number;
  readonly compileErrors: number;
}

/** Absent where there was no case. */
type Rates = Readonly<Record<"accepted" | "rejected" | "openRejected", { readonly percent: number } | null>>;

async function listed(part: string): Promise<ListedServer[]> {
  const path = join(CORPUS, part);
  const names = part.endsWith(".json") ? [path] : (await readdir(path)).filter((name) => name.endsWith(".json"));
  return await Promise.all(
    names.map(async (name) => readToolList(JSON.parse(await readFile(resolve(path, name), "utf8")))),
  );
}

async function generate(servers: readonly ListedServer[]): Promise<Generated> {
  const catalog = buildCatalog(servers);
  const begin = performance.now();
  const sdk = await buildSdk(catalog);
  const milliseconds = performance.now() - begin;
  const files = await renderGenerated(sdk);
  return { servers, tools: catalog.tools.length, files, warnings: sdk.warnings, milliseconds };
}

const WARNING = /^Server (".*?"), tool (".*"): its (input|output) schema is unknown at (#.*?): (.*)\.$/s;
const DANGLING = /^"(.*)" does not lead to a part of this schema$/s;

/** Whether a warning is about a reference that really names no part of its schema, found by other means than ours. */
function isUnresolvable(warning: string, servers: readonly ListedServer[]): boolean {
  const [, server, name, side, , problem = ""] = WARNING.exec(warning) ?? [];
  if (problem === "it is defined by itself alone") return true;
  const [, reference] = DANGLING.exec(problem) ?? [];
  const tool = servers
    .find((each) => JSON.stringify(each.name) === server)
    ?.tools.find((each) => JSON.stringify(each.name) === name);
  const schema = side === "input" ? tool?.inputSchema : tool?.outputSchema;
  if (reference === undefined || schema === undefined) return false;
  const fragment = reference.split("#")[1];
  if (fragment?.startsWith("/")) return !reference.startsWith("#") || !leadsToSchema(schema, fragment);
  const text = JSON.stringify(schema);
  const names = [reference, `#${fragment}`, fragment].map((name) => JSON.stringify(name ?? ""));
  return !["$id", "id", "$anchor"].some((keyword) => names.some((name) => text.includes(`"${keyword}":${name}`)));
}

function leadsToSchema(schema: unknown, pointer: string): boolean {
  let at: unknown = schema;
  for (const step of decodeURIComponent(pointer).split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null ? Object.entries(at).find(([name]) => name === key)?.[1] : undefined;
  }
  return typeof at === "boolean" || (typeof at === "object" && at !== null && !Array.isArray(at));
}

/** One warning of each form, with how many there are. */
function formsOf(warnings: readonly string[]): string[] {
  const forms = Map.groupBy(warnings, (warning) => (WARNING.exec(warning)?.[5] ?? warning).replace(/".*"|\d+/gs, "…"));
  return [...forms].map(([form, [first = "", ...more]]) => `${more.length + 1} × ${form}: ${first.slice(0, 300)}`);
}
