import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { parseSync } from "oxc-parser";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import { buildSdk, type Sdk } from "../../../src/sdk/sdk.ts";
import { typeErrors } from "../type-check.ts";
import { type Json, type Sample, schemaOf } from "./shape.ts";
import { sample as sampleArbitrary } from "./shape-arbitrary.ts";
import { createRandom, faultsOf, forJudge, literalOf, makeValue } from "./shape-values.ts";

// A hang guard: thousands of schemas on a loaded machine take minutes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** `NAMI_SEED=7 NAMI_SAMPLES=5000 vitest run test/sdk/types/exact.test.ts` tries others. */
const SEED = Number(process.env["NAMI_SEED"] ?? 1);
const SAMPLES = Number(process.env["NAMI_SAMPLES"] ?? 400);
/** So many that no server's schemas are too large altogether. */
const TOOLS_PER_SERVER = 200;
/** Faults of one value that are tried; the list is long for a value with many parts. */
const FAULTS = 8;

interface Trial {
  readonly index: number;
  readonly side: "input" | "output";
  readonly value: Json;
  readonly isAccepted: boolean;
  readonly kind: string;
}

describe(`of ${SAMPLES} schemas made at random (NAMI_SEED=${SEED})`, () => {
  const samples = fc.sample(sampleArbitrary, { numRuns: SAMPLES, seed: SEED });
  const trials = samples.flatMap(trialsOf);
  let sdk: Sdk;
  let errors: readonly string[];
  let wrong: readonly Trial[];

  beforeAll(async () => {
    sdk = await buildSdk(
      buildCatalog(
        chunks(samples, TOOLS_PER_SERVER).map((chunk, server) => ({
          name: `s${server}`,
          tools: chunk.map((each, index) => ({
            name: `t${index}`,
            inputSchema: schemaOf(each),
            outputSchema: schemaOf(each),
          })),
        })),
      ),
    );
    const lines = trials.map(({ index, side, value }) => {
      const member = `s${Math.floor(index / TOOLS_PER_SERVER)}["t${index % TOOLS_PER_SERVER}"]`;
      const type = side === "input" ? `Parameters<${member}>[0]` : `Awaited<ReturnType<${member}>>`;
      return `{ const v: ${type} = { v: ${literalOf(value)} }; }`;
    });
    errors = await typeErrors(new Map([...sdk.declarations, ["use.ts", lines.join("\n")]]));
    const rejected = new Set(errors.flatMap((error) => /^use\.ts\((\d+)\)/.exec(error)?.[1] ?? []).map(Number));
    wrong = trials.filter(({ isAccepted }, line) => rejected.has(line + 1) === isAccepted);
    console.log(tableOf(trials, wrong));
  });

  test("each compiles, with nothing given up", () => {
    expect(errors.filter((error) => !error.startsWith("use.ts")).slice(0, 3)).toEqual([]);
    expect(sdk.warnings).toEqual([]);
  });

  test("types accept each value that ajv accepts, and results also what is not declared", () => {
    expect(describeFirst(wrong.filter(({ isAccepted }) => isAccepted))).toBe("");
  });

  test("types reject each value with a fault of structure", () => {
    expect(describeFirst(wrong.filter(({ isAccepted }) => !isAccepted))).toBe("");
  });

  test("nothing but declarations of the expected names is written", () => {
    for (const { namespace, text } of sdk.servers) {
      const { program, comments, errors: parseErrors } = parseSync(`${namespace}.d.ts`, text);
      expect(parseErrors).toEqual([]);
      const outline = program.body.map((node) =>
        node.type === "VariableDeclaration"
          ? `declare ${node.declare} ${node.declarations.map(({ init }) => init)}`
          : node.type,
      );
      expect(new Set(outline)).toEqual(new Set(["TSModuleDeclaration", "TSInterfaceDeclaration", "declare true "]));
      expect(namesOf(program.body).filter((name) => !isExpected(name, namespace))).toEqual([]);
      expect(kindsOf(program).filter((kind) => !HARMLESS.test(kind))).toEqual([]);
      expect(comments.filter(({ value }) => /@ts-|^\/\s*<|sourceMappingURL/.test(value))).toEqual([]);
    }
  });

  /** The first failure with the shortest schema, as text that can be pasted into a test. */
  function describeFirst(failures: readonly Trial[]): string {
    const sizes = samples.map((each) => JSON.stringify(each).length);
    const [first] = failures.toSorted((a, b) => (sizes[a.index] ?? 0) - (sizes[b.index] ?? 0));
    const shape = first && samples[first.index];
    if (first === undefined || shape === undefined) return "";
    const [schema, value] = [JSON.stringify(schemaOf(shape)), JSON.stringify(first.value)];
    return `${failures.length} wrong, such as: ${first.side} ${first.kind} ${value} of ${schema}`;
  }
});

/** The values that are tried on one sample, judged by ajv. */
function trialsOf(sample: Sample, index: number): Trial[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, ownProperties: true });
  const validate = ajv.compile(forJudge(schemaOf(sample)));
  const judge = (v: Json): boolean | undefined => {
    try {
      return validate(forJudge({ v })) === true;
    } catch {
      // ajv calls `toString` and `valueOf` of values that it compares, which may be properties of any type.
      return undefined;
    }
  };
  const random = createRandom(SEED * 1_000_003 + index);
  const trials: Trial[] = [];
  for (let n = 0; n < 3; n++) {
    const value = makeValue(sample, random, false);
    if (value === undefined || judge(value) !== true) continue;
    for (const side of ["input", "output"] as const)
      trials.push({ index, side, value, isAccepted: true, kind: "valid" });
    const faults = faultsOf(sample, sample.root, value).toSorted(() => random(3) - 1);
    for (const { kind, value: faulty } of faults.slice(0, FAULTS)) {
      if (judge(faulty) !== false) continue;
      for (const side of ["input", "output"] as const)
        trials.push({ index, side, value: faulty, isAccepted: false, kind });
    }
  }
  for (let n = 0; n < 2; n++) {
    const value = makeValue(sample, random, true);
    if (value !== undefined && judge(value) === true)
      trials.push({ index, side: "output", value, isAccepted: true, kind: "open" });
  }
  return trials;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

function tableOf(trials: readonly Trial[], wrong: readonly Trial[]): string {
  const rows = Map.groupBy(
    trials,
    ({ side, isAccepted, kind }) => `${side} ${isAccepted ? "accept" : "reject"} ${kind}`,
  );
  const bad = new Set(wrong);
  return [...rows]
    .map(
      ([row, of]) =>
        `${row.padEnd(40)} n=${String(of.length).padEnd(7)} wrong=${of.filter((each) => bad.has(each)).length}`,
    )
    .sort()
    .join("\n");
}

/** The kinds of nodes that only declare. */
const HARMLESS =
  /^(TS\w+|Program|Identifier|Literal|VariableDeclaration|VariableDeclarator|TemplateElement|UnaryExpression)$/;

/** A node of a syntax tree, as far as it matters here. */
interface SyntaxNode {
  readonly type: string;
}

function kindsOf(tree: unknown): string[] {
  const kinds = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && typeof node.type === "string" && "start" in node) kinds.add((node as SyntaxNode).type);
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return [...kinds];
}

/** The names of all that is declared outside of types. */
function namesOf(body: readonly unknown[]): string[] {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("id" in node && node.id) names.push(nameOf(node.id));
    if ("body" in node && "type" in node && node.type === "TSModuleDeclaration") visit(node.body);
    else if ("body" in node && Array.isArray(node.body)) for (const child of node.body) visit(child);
    if ("declarations" in node && Array.isArray(node.declarations)) for (const child of node.declarations) visit(child);
  };
  for (const node of body) visit(node);
  return names;
}

function nameOf(id: object): string {
  if ("left" in id && "right" in id) return [id.left, id.right].map((part) => nameOf(part as object)).join(".");
  return "name" in id ? String(id.name) : "?";
}

function isExpected(name: string, namespace: string): boolean {
  return (
    name === namespace ||
    new RegExp(`^nami\\.${namespace}\\.t\\d+\\$(input|output)$`).test(name) ||
    /^(Input|Output|D\d+|[A-Z]\w*)$/.test(name)
  );
}
