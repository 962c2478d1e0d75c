import { describe, expect, test } from "vitest";
import type { JsonSchema, ListedTool } from "../../../src/catalog/tool.ts";
import { renderGenerated } from "../../../src/sdk/generate.ts";
import { buildSdk, type Sdk } from "../../../src/sdk/sdk.ts";
import { signatureLine } from "../../../src/sdk/signature.ts";
import { MAX_CHARACTERS, MAX_DEPTH, MAX_NODES } from "../../../src/sdk/types/clean.ts";
import { MAX_PRODUCT } from "../../../src/sdk/types/clean-products.ts";
import { MAX_POINTER } from "../../../src/sdk/types/references.ts";
import { catalogOf, objectOf, toolOf } from "../catalog.ts";
import { typeErrors } from "../type-check.ts";

async function declarationsOf(...tools: readonly Partial<ListedTool>[]): Promise<{ text: string; sdk: Sdk }> {
  const sdk = await buildSdk(catalogOf(tools.map((tool, index) => ({ name: `t${index}`, ...tool }))));
  return { sdk, text: sdk.declarations.get("demo.d.ts") ?? "" };
}

async function typeOf(schema: unknown): Promise<string> {
  const { text } = await declarationsOf({ inputSchema: objectOf({ v: schema }) });
  return /v\?: ([^;]*);/.exec(text)?.[1] ?? text;
}

/** A schema of objects within objects, `levels` deep. */
function nested(levels: number): JsonSchema {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { c: schema } };
  return schema;
}

describe("a hostile schema", () => {
  test("cannot put TypeScript of its own into the declarations", async () => {
    const code = "0; }; export const pwned: any = 1; type z = {";
    const inputSchema = {
      ...(objectOf({
        a: { type: "string", tsType: code },
        b: { enum: ["x"], tsEnumNames: ["X } export const pwned = 1; enum Q { Z"] },
        c: { type: "string", title: code, $id: code, customName: code },
        d: { allOf: [{ tsType: code, type: "string" }] },
        [`e"; }; export const pwned = 1; //`]: { type: "string" },
        f: { enum: [`"; pwned`, { 'a"; pwned': 1 }] },
        g: { $ref: `#/$defs/${code}` },
        h: { $ref: `#/$defs/${code}` },
      }) as object),
      extends: { $ref: "#/$defs/Base" },
      title: code,
      $defs: { Base: objectOf({}), [code]: objectOf({ x: {} }) },
    };
    const { text, sdk } = await declarationsOf({ name: code, description: code, inputSchema });
    const typed = `${[...sdk.declarations.values()].join("")}\ntype Keys = keyof demo;`;
    expect(await typeErrors(new Map([["demo.d.ts", typed]]))).toEqual([]);
    const use = "export const a: { pwned: unknown } = globalThis;";
    expect(
      await typeErrors(
        new Map([
          ["demo.d.ts", text],
          ["use.ts", use],
        ]),
      ),
    ).toHaveLength(1);
    expect(text).not.toMatch(/^\s*export /m);
  });

  test.each([
    "file:///etc/passwd",
    "/etc/passwd",
    "./package.json",
    "https://example.test/schema.json#/definitions/A",
    "#anchor",
    "#/$defs/missing",
    "#/__proto__",
    "#/constructor/prototype",
    "#/properties/v/enum/0",
    "root.json#/$defs/A",
  ])("that refers to %s gets unknown and a warning", async (reference) => {
    const { text, sdk } = await declarationsOf({
      inputSchema: objectOf({ v: { $ref: reference, enum: undefined }, w: { enum: ["x"] } }),
    });
    expect(text).toContain("v?: unknown;");
    expect(sdk.warnings).toHaveLength(1);
    expect(sdk.warnings[0]).toContain("#/properties/v");
  });

  test("that has a reference inside of data is not followed there", async () => {
    expect(await typeOf({ enum: [{ $ref: "file:///etc/passwd" }] })).toBe('{"$ref":"file:///etc/passwd"}');
  });

  test.each([
    ["itself", { A: { $ref: "#/$defs/A" } }],
    ["a union with itself", { A: { anyOf: [{ $ref: "#/$defs/A" }, { type: "string" }] } }],
    ["a circle", { A: { $ref: "#/$defs/B" }, B: { allOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] } }],
  ])("with a type that is only %s compiles", async (_, $defs) => {
    const inputSchema = { ...(objectOf({ v: { $ref: "#/$defs/A" }, w: { $ref: "#/$defs/A" } }) as object), $defs };
    const { text, sdk } = await declarationsOf({ inputSchema });
    expect(await typeErrors(new Map([["demo.d.ts", text]]))).toEqual([]);
    expect(sdk.warnings.join()).toContain("it is defined by itself alone");
  });

  test("with a long chain of definitions compiles", async () => {
    const $defs: Record<string, unknown> = { D3000: { type: "object", properties: { x: {} } } };
    for (let n = 0; n < 3000; n++)
      $defs[`D${n}`] = { anyOf: [{ $ref: `#/$defs/D${n + 1}` }, { $ref: `#/$defs/D${n + 1}` }] };
    const { text } = await declarationsOf({
      inputSchema: { ...(objectOf({ v: { $ref: "#/$defs/D0" } }) as object), $defs },
    });
    expect(await typeErrors(new Map([["demo.d.ts", text]]))).toEqual([]);
  });

  test("is typed down to the deepest level that is allowed, and unknown below", async () => {
    const [allowed, over] = [
      await declarationsOf({ inputSchema: nested(MAX_DEPTH) }),
      await declarationsOf({ inputSchema: nested(MAX_DEPTH + 1) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.text).toContain("c?: unknown;");
    expect(await typeErrors(new Map([["demo.d.ts", allowed.text]]))).toEqual([]);
  });

  test("of 100,000 levels costs only its own type", async () => {
    const deep: unknown = JSON.parse(`${'{"items":'.repeat(100_000)}{}${"}".repeat(100_000)}`);
    const { text, sdk } = await declarationsOf(
      { inputSchema: deep as JsonSchema, outputSchema: deep as JsonSchema },
      { inputSchema: objectOf({}) },
    );
    expect(text).toContain("t0(args?: unknown, options");
    expect(text).toContain("t1(args?: Record<string, never>, options");
    expect(sdk.warnings).toHaveLength(2);
    expect((await renderGenerated(sdk)).size).toBe(2);
  });

  test("is typed up to 10,000 parts and unknown beyond", async () => {
    const wide = (parts: number): JsonSchema =>
      objectOf(Object.fromEntries(Array.from({ length: parts }, (_, n) => [`p${n}`, { type: "string" }])));
    const [allowed, over] = [
      await declarationsOf({ inputSchema: wide(MAX_NODES - 1) }),
      await declarationsOf({ inputSchema: wide(MAX_NODES) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.text).toContain(`p${MAX_NODES - 2}?: string;\n    p${MAX_NODES - 1}?: unknown;`);
  });

  test("is typed up to 10,000 values of an enum and unknown beyond", async () => {
    const values = (count: number): unknown => ({ enum: Array.from({ length: count }, (_, n) => n) });
    // The root and the property are parts too.
    expect(await typeOf(values(MAX_NODES - 2))).toContain(`| ${MAX_NODES - 3}`);
    expect(await typeOf(values(MAX_NODES - 1))).toBe("unknown");
  });

  test("is typed up to a million characters and unknown beyond", async () => {
    const ofSize = (characters: number): JsonSchema => ({ const: "x".repeat(characters - 12) });
    expect(JSON.stringify(ofSize(100))).toHaveLength(100);
    const [allowed, over] = [
      await declarationsOf({ inputSchema: ofSize(MAX_CHARACTERS) }),
      await declarationsOf({ inputSchema: ofSize(MAX_CHARACTERS + 1) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.text).toContain("t0(args?: unknown, ");
  });

  test("whose parts are repeated is typed up to a million characters", async () => {
    const $defs = { A: { enum: ["x".repeat(100_000)] } };
    const uses = (count: number): JsonSchema => ({
      ...(objectOf(
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { $ref: "#/$defs/A" }])),
      ) as object),
      $defs,
    });
    const [allowed, over] = [
      await declarationsOf({ inputSchema: uses(9) }),
      await declarationsOf({ inputSchema: uses(10) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.text.length).toBeLessThan(MAX_CHARACTERS + 1000);
  });

  test("has paths of 4,000 characters at most", async () => {
    const long = (characters: number): JsonSchema => {
      const name = "n".repeat(characters - "#/properties//properties/v".length);
      return objectOf({ [name]: objectOf({ v: { type: "string" } }) });
    };
    const [allowed, over] = [
      await declarationsOf({ inputSchema: long(MAX_POINTER) }),
      await declarationsOf({ inputSchema: long(MAX_POINTER + 1) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.text).toContain("v?: unknown;");
  });

  test("whose branches multiply is typed up to 1,000 combinations", async () => {
    const union = (letter: string, members: number): JsonSchema => ({
      anyOf: Array.from({ length: members }, (_, n) => objectOf({ [`${letter}${n}`]: { type: "string" } })),
    });
    const product = (...sizes: readonly number[]): JsonSchema =>
      objectOf({ v: { allOf: sizes.map((size, index) => union("abcde".charAt(index), size)) } });
    const [allowed, over] = [
      await declarationsOf({ inputSchema: product(10, 10, MAX_PRODUCT / 100) }),
      await declarationsOf({ inputSchema: product(10, 10, MAX_PRODUCT / 100 + 1) }),
    ];
    expect([allowed.sdk.warnings.length, over.sdk.warnings.length]).toEqual([0, 1]);
    expect(over.sdk.warnings.join()).toContain("its branches have more than 1000 combinations");
    expect(over.text).not.toContain("c0");
    expect(await typeErrors(new Map([["demo.d.ts", allowed.text]]))).toEqual([]);
  });

  test("whose branches multiply through definitions does not break the file", async () => {
    const $defs: Record<string, unknown> = { L8: objectOf({ z: { type: "string" } }) };
    for (let n = 0; n < 8; n++) {
      const union = {
        anyOf: [{ $ref: `#/$defs/L${n + 1}` }, objectOf({ [`a${n}`]: {} }), objectOf({ [`b${n}`]: {} })],
      };
      $defs[`L${n}`] = { allOf: [union, { $ref: `#/$defs/L${n + 1}` }, { $ref: `#/$defs/L${n + 1}` }] };
    }
    const { text } = await declarationsOf({
      inputSchema: { ...(objectOf({ v: { $ref: "#/$defs/L0" }, w: { $ref: "#/$defs/L0" } }) as object), $defs },
    });
    const use = 'const v: NonNullable<Parameters<demo["t0"]>[0]> = { v: {} };';
    const errors = await typeErrors(
      new Map([
        ["demo.d.ts", text],
        ["use.ts", use],
      ]),
    );
    expect(errors.filter((error) => error.includes("TS2590"))).toEqual([]);
  });

  test("whose parts multiply has a short signature", () => {
    const $defs: Record<string, unknown> = { L9: { type: "string" } };
    for (let n = 0; n < 9; n++) {
      $defs[`L${n}`] = {
        anyOf: Array.from({ length: 12 }, () => ({ type: "array", items: { $ref: `#/$defs/L${n + 1}` } })),
      };
    }
    const tool = toolOf({ ...(objectOf({ v: { $ref: "#/$defs/L0" } }) as object), $defs });
    expect(signatureLine(tool).length).toBeLessThan(500);
  });
});

describe("a hostile description", () => {
  test("cannot end its comment, direct the compiler, or hide text", async () => {
    const text = [
      "*/ export const pwned = 1; /*",
      "@ts-nocheck @@ts-ignore",
      "@ts-expect-error",
      '/// <reference path="/etc/passwd" />',
      "a\u202eb\u200bc\u{e0041}d\u2028e\u0000f",
    ].join("\n");
    const { text: declared } = await declarationsOf({
      description: text,
      inputSchema: objectOf({ v: { type: "string", description: text, pattern: text, default: text } }),
    });
    expect(declared).toContain(`  /**
   * *\\/ export const pwned = 1; /*
   * ts-nocheck ts-ignore
   * ts-expect-error
   * // <reference path="/etc/passwd" />
   * abcd
   * ef
   */
  t0(`);
    expect(declared).not.toMatch(/@ts-|\/\/\/|[\u202e\u200b\u2028\u0000]|\u{e0041}/u);
    expect(await typeErrors(new Map([["demo.d.ts", `${declared}\nexport const bad: string = 1;`]]))).toHaveLength(2);
  });

  test("takes at most 1,000 characters", async () => {
    const { text } = await declarationsOf({ description: "w".repeat(40_000), inputSchema: objectOf({}) });
    expect(text).toContain(`/** ${"w".repeat(999)}… */`);
  });

  test("has no tags that are too long to be of use", async () => {
    const { text } = await declarationsOf({ inputSchema: objectOf({ v: { default: "w".repeat(500), pattern: "w" } }) });
    expect(text).toContain("/** @pattern w */");
  });

  test("stays well-formed when it is cut or broken", async () => {
    const { text } = await declarationsOf({ description: `${"w".repeat(998)}🚀🚀` }, { description: "a\ud800b" });
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain(`/** ${"w".repeat(998)}… */`);
  });

  test("shows names and values with invisible characters as escapes that mean the same", async () => {
    const { text } = await declarationsOf({ inputSchema: objectOf({ "a\u202eb": { enum: ["x\u2028y\u200b"] } }) });
    expect(text).toContain('"a\\u{202e}b"?: "x\\u{2028}y\\u{200b}";');
    const use = 'export const a: NonNullable<Parameters<demo["t0"]>[0]> = { "a\\u202eb": "x\\u2028y\\u200b" };';
    expect(
      await typeErrors(
        new Map([
          ["demo.d.ts", text],
          ["use.ts", use],
        ]),
      ),
    ).toEqual([]);
  });
});
