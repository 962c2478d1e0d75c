import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { JsonSchema } from "../../../src/catalog/tool.ts";
import { MAX_CHECKED_DEPTH, MAX_CHECKED_PARTS, prepareSchema } from "../../../src/sdk/arguments/schema.ts";
import { createArgumentValidator, MAX_SCHEMA_LENGTH, MAX_TIMEOUTS } from "../../../src/sdk/arguments/validate.ts";
import { MAX_JSON_DEPTH } from "../../../src/sdk/json-record.ts";
import { objectOf, toolOf } from "../catalog.ts";
import { checkOnce, condition, verdict, verdictOn } from "./cases.ts";

/** Longest that anything in here may hold up the process, in milliseconds: a hang guard, limits are far below. */
const HANG = 20_000;

function nested(levels: number, inner: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

describe("a hostile regular expression", { timeout: HANG }, () => {
  const bomb = "^(a+)+$";
  const fuse = `${"a".repeat(60)}!`;

  test.each<[string, unknown, unknown]>([
    ["pattern", { pattern: bomb }, fuse],
    ["a pattern without the unicode flag", { pattern: `^(a+)+[\\w-.]$` }, fuse],
    ["patternProperties", { patternProperties: { [bomb]: { type: "number" } } }, { [fuse]: 1 }],
    ["propertyNames", { propertyNames: { pattern: bomb } }, { [fuse]: 1 }],
    [
      "additionalProperties beside it",
      { patternProperties: { [bomb]: {} }, additionalProperties: false },
      { [fuse]: 1 },
    ],
    ["a condition", condition({ if: { pattern: bomb }, yes: { minLength: 1 }, no: true }), fuse],
    ["contains", { contains: { pattern: bomb } }, [fuse]],
    ["nested repeats", { pattern: "^(?:(?:a?){1000}){1000}b" }, "a".repeat(5000)],
  ])("in %s costs one interrupted check", async (_, schema, value) => {
    expect(await verdictOn(schema, value)).toBe("skipped: checking its arguments took longer than 250 ms");
  });

  test("is tried a few times, and then no more", async () => {
    const validator = createArgumentValidator();
    const schema = objectOf({ v: { pattern: bomb } });
    for (let time = 0; time < MAX_TIMEOUTS; time++) {
      expect(await validator.check(toolOf(schema), { v: fuse })).toMatchObject({
        reason: expect.stringContaining("250 ms"),
      });
    }
    // Also under the other arguments and as a new object of the same content.
    expect(await validator.check(toolOf(structuredClone(schema)), { v: "a" })).toEqual({
      kind: "skipped",
      reason: "checking its arguments took too long before",
    });
    expect(await validator.check(toolOf(objectOf({ v: { pattern: "^a$" } })), { v: "b" })).toMatchObject({
      kind: "invalid",
    });
  });

  test("that only the message would need costs the message, a few times", async () => {
    const validator = createArgumentValidator();
    const tool = toolOf(objectOf({ v: { oneOf: [true, true, { pattern: bomb }] } }));
    const runs = vi.spyOn(Script.prototype, "runInContext");
    const message = 'demo.tool was not called: args.v does not fulfil "oneOf" of the tool\'s schema.';
    for (let time = 0; time < MAX_TIMEOUTS; time++) {
      expect(await validator.check(tool, { v: fuse })).toMatchObject({ message });
    }
    expect(runs.mock.results.filter(({ type }) => type === "throw").length).toBeGreaterThanOrEqual(MAX_TIMEOUTS);
    runs.mockClear();
    expect(await validator.check(tool, { v: fuse })).toMatchObject({ message });
    expect(runs.mock.results.filter(({ type }) => type === "throw")).toEqual([]);
    runs.mockRestore();
  });

  test("may be harmless with most arguments", async () => {
    expect(await verdictOn({ pattern: bomb }, "aaa")).toBe("valid");
    expect(await verdictOn({ pattern: bomb }, "ab")).toBe(
      'args.v must match the pattern ^(a+)+$, but is "ab" (string).',
    );
  });
});

describe("hostile arguments", { timeout: HANG }, () => {
  test("that are endlessly deep are not checked by a recursive schema", async () => {
    const schema = { properties: { next: { $ref: "#" } }, additionalProperties: false };
    const deep = nested(200_000, {}, (next) => ({ next }));
    expect(await verdict(schema, deep)).toMatch(
      /^skipped: checking its arguments (failed: Maximum call stack|took longer)/,
    );
    expect(
      await verdict(
        schema,
        nested(100, {}, (next) => ({ next })),
      ),
    ).toBe("valid");
  });

  test("of many equal objects are not compared for ever", async () => {
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id, a: { b: [1, 2, 3] } }));
    expect(await verdictOn({ uniqueItems: true }, items)).toBe(
      "skipped: checking its arguments took longer than 250 ms",
    );
    expect(await verdictOn({ uniqueItems: true }, items.slice(0, 100))).toBe("valid");
  });

  test("with many mistakes are told of a few", async () => {
    const check = await checkOnce(objectOf({ v: { items: { type: "string" } } }), { v: Array(10_000).fill(1) });
    expect(check.kind === "invalid" && check.message).toMatch(/There are 9995 more problems\.$/);
    const more = await verdictOn({ items: { type: "string" } }, Array(1_000_000).fill(1));
    expect(more.length).toBeLessThan(700);
    expect(more).not.toBe("valid");
  });

  test("cannot pass for properties that every object has", async () => {
    const schema = {
      ...(objectOf({ constructor: { type: "string" } }, ["toString"]) as object),
      additionalProperties: false,
    };
    expect(await verdict(schema, {})).toBe("args.toString is missing (required).");
    expect(await verdictOn({ properties: { constructor: { type: "string" }, hasOwnProperty: false } }, {})).toBe(
      "valid",
    );
    const proto: unknown = JSON.parse('{"__proto__": 5}');
    expect(await verdictOn({ required: ["__proto__"] }, {})).toBe("args.v.__proto__ is missing (required).");
    expect(await verdictOn({ required: ["__proto__"] }, proto)).toBe("valid");
    const known: JsonSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}');
    expect(await verdictOn(known, proto)).toBe("args.v.__proto__ must be a string, but is 5 (number).");
    expect(await verdictOn(known, JSON.parse('{"__proto__": "a"}'))).toBe("valid");
    expect(await verdictOn({ additionalProperties: false }, proto)).toBe("args.v.__proto__ is not allowed.");
  });

  test("are not changed, filled in or converted", async () => {
    const schema = {
      ...(objectOf({
        a: { type: "number", default: 5 },
        b: { type: "string", default: "x" },
        c: { type: "array", items: { default: 1 } },
      }) as object),
      additionalProperties: false,
    };
    const args = Object.freeze({ a: "5", c: Object.freeze([]), extra: Object.freeze({ deep: null }) });
    const before = structuredClone(args);
    expect(await verdict(schema, args)).toContain('args.a must be a number, but is "5" (string).');
    expect(args).toEqual(before);
  });
});

describe("a hostile schema", { timeout: HANG }, () => {
  test("that doubles its work at each level of the data is interrupted", async () => {
    const branch = { allOf: [{ properties: { next: { $ref: "#" } } }, { required: ["never"] }] };
    const schema = { anyOf: [branch, structuredClone(branch)] };
    expect(
      await verdict(
        schema,
        nested(60, {}, (next) => ({ next })),
      ),
    ).toMatch(/^skipped: .*250 ms$/);
  });

  test("that is only itself is not followed for ever", async () => {
    expect(await verdict({ $ref: "#" }, {})).toMatch(/^skipped: .*: Maximum call stack/);
    const $defs = { A: { anyOf: [{ $ref: "#/$defs/B" }] }, B: { allOf: [{ $ref: "#/$defs/A" }] } };
    expect(await verdictOn({ $ref: "#/$defs/A" }, 1, { $defs })).toMatch(/^skipped: .*: Maximum call stack/);
  });

  test("is checked down to the deepest level that is allowed, and not below", async () => {
    const wrap = (inner: unknown): unknown => ({ properties: { c: inner } });
    const wrapArgs = (c: unknown): unknown => ({ c });
    const allowed = nested(MAX_CHECKED_DEPTH, { type: "string" }, wrap) as JsonSchema;
    expect(await verdict(allowed, nested(MAX_CHECKED_DEPTH, 1, wrapArgs))).toContain(
      "must be a string, but is 1 (number).",
    );
    const over = nested(MAX_CHECKED_DEPTH + 1, { type: "string" }, wrap) as JsonSchema;
    expect(await verdict(over, nested(MAX_CHECKED_DEPTH + 1, 1, wrapArgs))).toBe("valid");
    expect(prepareSchema(over).problems[0]?.problem).toBe("it is nested deeper than 64 levels");
  });

  test("of too many levels, characters or parts is not checked", async () => {
    const deep = nested(MAX_JSON_DEPTH, {}, (not) => ({ not })) as JsonSchema;
    expect(await verdict(deep, {})).toBe("skipped: its schema is nested deeper than 1000 levels");
    const long = (length: number): JsonSchema => ({ title: "x".repeat(length - '{"title":""}'.length) });
    expect(await verdict(long(MAX_SCHEMA_LENGTH), {})).toBe("valid");
    expect(await verdict(long(MAX_SCHEMA_LENGTH + 1), {})).toBe("skipped: its schema has more than 500000 characters");
    const wide = (parts: number): JsonSchema =>
      objectOf(Object.fromEntries(Array.from({ length: parts - 1 }, (_, n) => [`p${n}`, { type: "string" }])));
    expect(await verdict(wide(MAX_CHECKED_PARTS), { p0: 1 })).toMatch(/^args\.p0 |^skipped: compiling/);
    expect(await verdict(wide(MAX_CHECKED_PARTS + 1), { p0: 1 })).toBe(
      "skipped: its schema cannot be used: it has more than 3000 parts (at #)",
    );
  });

  test("with nothing usable in it is not checked, and says where", async () => {
    expect(await verdict({ $ref: "https://example.com/x.json" }, {})).toBe(
      'skipped: its schema cannot be used: "https://example.com/x.json" does not lead to a part of this schema (at #/$ref)',
    );
    expect(await verdict([] as unknown as JsonSchema, {})).toBe(
      "skipped: its schema cannot be used: it is not a schema (at #)",
    );
  });

  test("cannot run code from any text in it", async () => {
    for (const text of TEXTS) {
      const schema = withTextEverywhere(text);
      for (const args of [
        {},
        { [text]: text },
        { [text]: 1, a: text, b: [text, 1] },
        { a: { [text]: { [text]: 1 } } },
      ]) {
        const check = await checkOnce(schema, args);
        expect(check.kind === "skipped" ? check.reason : "").toBe("");
      }
      expect(Reflect.has(globalThis, "pwned")).toBe(false);
    }
  });

  test("with half a character in a name is at worst not checked", async () => {
    expect(await verdict(objectOf({ "\ud800": { type: "string" } }), {})).toMatch(/^valid$|^skipped: /);
  });

  test("cannot reach the compiler with words that mean something to it alone", async () => {
    const schema = {
      $async: true,
      $id: "http://json-schema.org/draft-07/schema",
      $schema: "http://json-schema.org/draft-07/schema",
      $anchor: "x",
      $vocabulary: { a: true },
      discriminator: { propertyName: "a" },
      type: "object",
      properties: {
        a: { minimum: { $data: "1/b" }, const: { $data: "1/b" }, default: 1, formatMaximum: "x", $comment: "x" },
        b: { $async: true, type: "number", instanceof: "Function", keyword: 1 },
      },
    };
    expect(prepareSchema(schema).schema).toEqual({
      type: "object",
      properties: { a: { const: { $data: "1/b" } }, b: { type: "number" } },
    });
    expect(await verdict(schema, { a: { $data: "1/b" }, b: 1 })).toBe("valid");
    expect(await verdict(schema, { b: "x" })).toBe('args.b must be a number, but is "x" (string).');
  });

  test("cannot change what another one says", async () => {
    const validator = createArgumentValidator();
    const $id = "https://example.com/shared.json";
    const first = {
      $id,
      ...(objectOf({ v: { $ref: "#/$defs/A" } }) as object),
      $defs: { A: { $id: "a.json", type: "string" } },
    };
    const second = { $id, ...(objectOf({ v: { $ref: "a.json" } }) as object) };
    const meta = { $id: "https://json-schema.org/draft/2020-12/schema", type: "string" };
    const honest = objectOf({ v: { type: "number" } });
    const kinds: string[] = [];
    for (const schema of [meta, first, second, honest, first, meta]) {
      kinds.push((await validator.check(toolOf(schema), { v: 1 })).kind);
    }
    expect(kinds).toEqual(["invalid", "invalid", "valid", "valid", "invalid", "invalid"]);
  });

  test("does not grow with every use of a definition", async () => {
    const big = objectOf(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, { type: "string" }])));
    const users = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`u${n}`, { $ref: "#/$defs/big" }]));
    const schema = { ...(objectOf(users) as object), $defs: { big } };
    expect(await verdict(schema, { u7: { p3: 1 } })).toMatch(/^args\.u7\.p3 /);
  });

  test("of any kind makes no check throw", async () => {
    const words = fc.constantFrom(
      ...[
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "not",
        "$ref",
        "enum",
        "const",
        "required",
        "pattern",
        "minimum",
      ],
      ...[
        "additionalProperties",
        "if",
        "then",
        "nullable",
        "$id",
        "$defs",
        "prefixItems",
        "contains",
        "dependencies",
        "format",
      ],
      ...[
        "object",
        "string",
        "#",
        "#/$defs/a",
        "a",
        "__proto__",
        "constructor",
        "uniqueItems",
        "allOf",
        "propertyNames",
      ],
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        words,
        fc.boolean(),
        fc.integer({ min: -2, max: 9 }),
        fc.constant(null),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(words, tie("node"), { maxKeys: 5 }),
      ),
    }));
    const validator = createArgumentValidator();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(words, node, { maxKeys: 6 }), node, async (schema, args) => {
        const before = JSON.stringify(args);
        const check = await validator.check(toolOf(schema), args);
        expect(JSON.stringify(args)).toBe(before);
        if (check.kind !== "invalid") return;
        expect(check.message).toMatch(/^demo\.tool was not called: args.*\.$|\?$/s);
        expect(check.message).not.toMatch(/undefined|\[object|NaN/);
        expect(check.problems.length).toBeGreaterThan(0);
        for (const { path, message } of check.problems) expect(message.startsWith(path)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Texts that would break out of one string syntax or another. */
const TEXTS = [
  `"; globalThis.pwned = 1; "`,
  `'; globalThis.pwned = 1; '`,
  "`; globalThis.pwned = 1; `",
  "${globalThis.pwned = 1}",
  `\\"; globalThis.pwned = 1; //`,
  `*/ globalThis.pwned = 1; /*`,
  `\n globalThis.pwned = 1; \n`,
  `\u2028globalThis.pwned = 1;\u2029`,
  `\r\nglobalThis.pwned = 1;//`,
  `]; globalThis.pwned = 1; [`,
  `) { } globalThis.pwned = 1; if (true`,
  "__proto__",
  "constructor",
  "\u0000",
  readFileSync(import.meta.filename, "utf8").slice(0, 1000),
];

function withTextEverywhere(text: string): JsonSchema {
  const escaped = text.replace(
    /[\\^$.*+?()[\]{}|/\n\r\u2028\u2029\u0000]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const part = {
    title: text,
    description: text,
    $comment: text,
    $anchor: text,
    format: text,
    contentEncoding: text,
    default: text,
    [text]: text,
  };
  return {
    ...part,
    $id: text,
    $schema: text,
    $defs: { [text]: { ...part, const: text } },
    properties: {
      [text]: { ...part, type: "string" },
      a: { ...part, enum: [text, { [text]: text }], pattern: escaped, const: text },
      b: { ...part, items: { ...part, $ref: `#/$defs/${encodeURIComponent(text.toWellFormed())}` } },
      c: { properties: { [text]: { properties: { [text]: false } } } },
    },
    patternProperties: { [escaped]: { ...part, not: { const: text } } },
    required: [text],
    dependentRequired: { [text]: [text, "x"] },
    dependentSchemas: { [text]: { required: [text] } },
    propertyNames: { ...part, enum: [text, "a", "b"] },
    anyOf: [{ required: [text] }, { const: text }],
    oneOf: [{ properties: { [text]: { const: text } } }, { const: text }],
    ...condition({ if: { const: { [text]: text } }, yes: { required: [text] }, no: { const: text } }),
  };
}
