import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { readToolList } from "../../src/mcp/saved-list.ts";
import { renderGenerated } from "../../src/sdk/generate.ts";
import { buildSdk } from "../../src/sdk/sdk.ts";
import { run, TSC, typeErrors } from "./type-check.ts";

const SHARED = join(import.meta.dirname, "../../../shared");
const CORPUS = join(SHARED, "corpus");
const EXACTNESS = join(SHARED, "tools/exactness.mjs");
const isThere = existsSync(CORPUS) && existsSync(EXACTNESS);
if (!isThere) console.warn(`SKIPPED: the corpus of real tools is not at ${CORPUS}; the SDK is not tried on it.`);

describe.skipIf(!isThere)("the SDK of 62 real servers", () => {
  let folder: string;
  let files: ReadonlyMap<string, string>;
  let warnings: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nami-corpus-"));
    ({ files, warnings } = await generate(...(await listed("tools"))));
    for (const [name, text] of files) await writeFile(join(folder, name), text);
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  test("compiles as a whole, with nothing given up", async () => {
    expect(files.size).toBe(63);
    expect(await typeErrors(declarationsOf(files))).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("accepts what the schemas accept, and rejects what they reject", async () => {
    const output = await run(process.execPath, [EXACTNESS, folder, join(CORPUS, "cases"), "--tsc", TSC, "--json"]);
    const { summary, missing, compileErrors, wrong } = JSON.parse(output) as Judgement;
    expect({ missing, compileErrors }).toEqual({ missing: 0, compileErrors: 0 });
    expect(summary.input.accepted.percent).toBeGreaterThanOrEqual(99.9);
    expect(summary.output.accepted.percent).toBe(100);
    // TypeScript has no integers, so 1.5 passes where a union has an integer; nothing else may.
    expect(wrong.filter(({ kind }) => kind !== "wrong type in union")).toEqual([]);
    expect(summary.input.rejected.percent).toBeGreaterThanOrEqual(99.97);
    expect(summary.output.rejected.percent).toBe(100);
    expect(summary.input.openRejected.percent).toBeGreaterThanOrEqual(99.8);
  });

  test("also compiles for a server of 1,223 tools with dangling references, each with a warning", async () => {
    const stress = await generate(...(await listed("stress")));
    expect(await typeErrors(declarationsOf(stress.files))).toEqual([]);
    expect(stress.warnings.length).toBeGreaterThan(0);
    for (const warning of stress.warnings) expect(warning).toMatch(/^Server "[\w-]+", tool ".+": .* at #\/.*: .*\.$/);
  });

  test("also compiles for tools that were made to break generators", async () => {
    const nasty = await generate(join(CORPUS, "nasty.json"));
    expect(await typeErrors(declarationsOf(nasty.files))).toEqual([]);
    expect([...declarationsOf(nasty.files).values()].join("")).not.toMatch(/^\s*export /m);
  });
});

interface Judgement {
  readonly summary: Readonly<
    Record<"input" | "output", Readonly<Record<"accepted" | "rejected" | "openRejected", { readonly percent: number }>>>
  >;
  readonly missing: number;
  readonly compileErrors: number;
  readonly wrong: readonly { readonly kind: string }[];
}

async function listed(folder: string): Promise<string[]> {
  return (await readdir(join(CORPUS, folder))).map((name) => join(CORPUS, folder, name));
}

async function generate(
  ...paths: readonly string[]
): Promise<{ files: ReadonlyMap<string, string>; warnings: readonly string[] }> {
  const lists = await Promise.all(paths.map(async (path) => readToolList(JSON.parse(await readFile(path, "utf8")))));
  const sdk = await buildSdk(buildCatalog(lists));
  return { files: await renderGenerated(sdk), warnings: sdk.warnings };
}

function declarationsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].filter(([name]) => name.endsWith(".d.ts")));
}
