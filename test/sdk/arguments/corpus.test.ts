import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import type { ListedTool, Tool } from "../../../src/catalog/tool.ts";
import { type ArgumentValidator, createArgumentValidator } from "../../../src/sdk/arguments/validate.ts";

const CORPUS = join(import.meta.dirname, "../../../../shared/corpus");
const isThere = existsSync(CORPUS);
if (!isThere) console.warn(`SKIPPED: the corpus of real tools is not at ${CORPUS}; arguments are not checked on it.`);

interface Case {
  readonly tool: string;
  readonly side: "input" | "output";
  readonly expect: "accept" | "reject" | "open";
  readonly kind: string;
  readonly value: unknown;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8"));
}

/** The tools of one server with the schemas that it sent. */
async function toolsOf(path: string): Promise<ReadonlyMap<string, Tool>> {
  const { server, tools } = await readJson<{ server: string; tools: readonly ListedTool[] }>(path);
  return new Map(buildCatalog([{ name: server, tools }]).tools.map((tool) => [tool.name, tool]));
}

async function eachServer(
  visit: (tools: ReadonlyMap<string, Tool>, cases: readonly Case[]) => Promise<void>,
): Promise<void> {
  for (const file of await readdir(join(CORPUS, "tools"))) {
    const cases = await readJson<readonly Case[]>(join(CORPUS, "cases", file));
    await visit(
      await toolsOf(join(CORPUS, "tools", file)),
      cases.filter(({ side }) => side === "input"),
    );
  }
}

describe.skipIf(!isThere)("the arguments of 62 real servers", { timeout: 300_000 }, () => {
  test("are valid and invalid just where an independent judge says so", async () => {
    const counts = { accept: 0, reject: 0, open: 0, skipped: 0 };
    const wrong: unknown[] = [];
    await eachServer(async (tools, cases) => {
      const validator = createArgumentValidator();
      for (const { tool, value, ...wanted } of cases) {
        const check = await validator.check(toolNamed(tools, tool), value);
        counts[check.kind === "skipped" ? "skipped" : wanted.expect]++;
        if (check.kind !== (wanted.expect === "reject" ? "invalid" : "valid"))
          wrong.push({ tool, value, wanted, check });
        if (check.kind === "invalid" && check.message.length > 700) wrong.push(check);
      }
    });
    console.info(`Checked ${JSON.stringify(counts)}`);
    expect(wrong).toEqual([]);
    expect(counts).toEqual({ accept: 5728, reject: 10_318, open: 1620, skipped: 0 });
  });

  test("at the edges of ranges, lengths and patterns are judged as Ajv judges them", async () => {
    let compared = 0;
    let rejected = 0;
    const wrong: unknown[] = [];
    await eachServer(async (tools, cases) => {
      const validator = createArgumentValidator();
      for (const [name, tool] of tools) {
        if (!/"(?:m(?:in|ax)\w+|pattern|multipleOf)":/i.test(JSON.stringify(tool.inputSchema))) continue;
        const judge = plainAjv(tool);
        const valid = cases.find((one) => one.tool === name && one.expect === "accept");
        for (const args of variants(valid?.value)) {
          const verdict = await verdictOf(validator, tool, args);
          if (verdict === "format") continue;
          compared++;
          if (verdict === "invalid") rejected++;
          if ((verdict === "valid") !== judge(args)) wrong.push({ tool: tool.ref, args, verdict });
        }
      }
    });
    console.info(`Compared ${compared} variants, ${rejected} of them invalid`);
    expect(wrong).toEqual([]);
    expect(rejected).toBeGreaterThan(500);
  });

  test("have usable schemas even in a server of 1,223 tools with dangling references", async () => {
    const [file] = await readdir(join(CORPUS, "stress"));
    const tools = await toolsOf(join(CORPUS, "stress", file ?? ""));
    const kinds = new Map<string, number>();
    const validator = createArgumentValidator();
    for (const tool of tools.values()) {
      const { kind } = await validator.check(tool, {});
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    console.info(`Checked no arguments at all: ${JSON.stringify([...kinds])}`);
    expect(tools.size).toBe(1223);
    expect(kinds.get("skipped")).toBeUndefined();
  });

  test("are checked or skipped, never more, by tools that were made to break generators", async () => {
    const validator = createArgumentValidator();
    for (const tool of (await toolsOf(join(CORPUS, "nasty.json"))).values()) {
      for (const args of [{}, { a: 1 }, { item: null, value: [1], filter: { and: [{}] } }]) {
        const check = await validator.check(tool, args);
        if (check.kind === "skipped") expect(check.reason).toMatch(/^(?:its schema|checking|compiling) /);
      }
    }
  });
});

function toolNamed(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`the corpus has a case for ${name}, but no such tool`);
  return tool;
}

/** Ajv as people use it, with the class for the declared dialect. */
function plainAjv({ inputSchema }: Tool): (args: unknown) => boolean {
  const options = { strict: false, validateSchema: false, validateFormats: false, logger: false } as const;
  const isOld = typeof inputSchema === "object" && String(inputSchema["$schema"]).includes("draft-07");
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  try {
    const validate = ajv.compile(inputSchema as object);
    return (args) => validate(args);
  } catch {
    return () => true;
  }
}

async function verdictOf(validator: ArgumentValidator, tool: Tool, args: unknown): Promise<string> {
  const check = await validator.check(tool, args);
  if (check.kind !== "invalid") return check.kind;
  return check.problems.every(({ message }) => message.includes("must match format")) ? "format" : "invalid";
}

/** Each leaf of a value replaced by values at which rules end. */
function* variants(value: unknown): Generator<unknown> {
  if (typeof value === "number") yield* [-1, 0, 1, value + 0.5, 100, 101, 1e9];
  else if (typeof value === "string") yield* ["", "a", "A b", "a".repeat(300), "2026-01-31", "#ffffff", "-"];
  else if (Array.isArray(value)) {
    yield* [[], [...value, ...value], Array(200).fill(value[0])];
    for (const variant of variants(value[0])) yield [variant, ...value.slice(1)];
  } else if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      for (const variant of variants(child)) yield { ...value, [name]: variant };
    }
  }
}
