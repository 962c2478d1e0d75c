import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createArgumentValidator } from "../../../src/sdk/arguments/validate.ts";
import { objectOf, toolOf } from "../catalog.ts";
import { checkOnce, condition, verdict, verdictOn } from "./cases.ts";

describe("the message about one value", () => {
  test.each<[string, unknown, unknown, string]>([
    ["type", { type: "number" }, "250", 'args.v must be a number, but is "250" (string).'],
    ["type", { type: "integer" }, 1.5, "args.v must be an integer, but is 1.5 (number)."],
    ["type", { type: ["string", "null"] }, [1, 2], "args.v must be a string or null, but is an array of 2."],
    ["type", { type: "boolean" }, {}, "args.v must be true or false, but is an empty object."],
    ["type", { type: "array" }, { a: 1, "b c": 2 }, 'args.v must be an array, but is an object with a, "b c".'],
    ["type", { type: "object" }, null, "args.v must be an object, but is null."],
    ["enum", { enum: ["open", "closed"] }, "done", 'args.v must be one of "open", "closed", but is "done" (string).'],
    [
      "enum",
      { enum: ["open", "closed"] },
      "Closd",
      'args.v must be one of "open", "closed", but is "Closd" (string). Did you mean "closed"?',
    ],
    ["enum with its type", { type: "string", enum: ["a"] }, 1, 'args.v must be "a", but is 1 (number).'],
    [
      "long enum",
      { enum: Array.from({ length: 50 }, (_, n) => n) },
      "x",
      'args.v must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 38 more, but is "x" (string).',
    ],
    ["const", { const: { a: 1 } }, 1, 'args.v must be {"a":1}, but is 1 (number).'],
    ["minimum", { minimum: 1 }, 0, "args.v must be at least 1, but is 0 (number)."],
    ["maximum", { maximum: 100 }, 250, "args.v must be at most 100, but is 250 (number)."],
    ["exclusiveMinimum", { exclusiveMinimum: 0 }, 0, "args.v must be more than 0, but is 0 (number)."],
    ["exclusiveMaximum", { exclusiveMaximum: 1 }, 1, "args.v must be less than 1, but is 1 (number)."],
    ["multipleOf", { multipleOf: 5 }, 7, "args.v must be a multiple of 5, but is 7 (number)."],
    ["minLength", { minLength: 3 }, "👋", 'args.v must have at least 3 characters, but has 1: "👋".'],
    ["maxLength", { maxLength: 1 }, "ab", 'args.v must have at most 1 character, but has 2: "ab".'],
    ["pattern", { pattern: "^[a-z]+$" }, "ABC", 'args.v must match the pattern ^[a-z]+$, but is "ABC" (string).'],
    [
      "format",
      { format: "email" },
      "nobody",
      'args.v must match format email (such as name@example.com), but is "nobody" (string).',
    ],
    ["format of a number", { format: "int64" }, 0.5, "args.v must match format int64, but is 0.5 (number)."],
    ["minItems", { minItems: 1 }, [], "args.v must have at least 1 item, but has 0."],
    ["maxItems", { maxItems: 2 }, [1, 2, 3], "args.v must have at most 2 items, but has 3."],
    ["items: false", { prefixItems: [true], items: false }, [1, 2], "args.v must have at most 1 item, but has 2."],
    [
      "uniqueItems",
      { uniqueItems: true },
      ["a", 1, "a"],
      'args.v must not have equal items, but items 0 and 2 are both "a" (string).',
    ],
    [
      "uniqueItems of objects",
      { uniqueItems: true },
      [{ a: 1 }, { a: 1 }],
      "args.v must not have equal items, but items 0 and 1 are both an object with a.",
    ],
    [
      "contains",
      { contains: { type: "number" } },
      ["a"],
      "args.v must have at least 1 of its items that are number, but has 0.",
    ],
    [
      "maxContains",
      { contains: { const: 1 }, minContains: 1, maxContains: 2 },
      [1, 1, 1],
      "args.v must have 1 to 2 of its items that are 1, but has 3.",
    ],
    ["minProperties", { minProperties: 1 }, {}, "args.v must have at least 1 property, but has 0."],
    ["maxProperties", { maxProperties: 0 }, { a: 1 }, "args.v must have at most 0 properties, but has 1."],
    ["required", objectOf({ a: { type: "string" } }, ["a"]), {}, "args.v.a is missing (required, string)."],
    ["required by itself", { required: ["a b"] }, {}, 'args.v["a b"] is missing (required).'],
    [
      "required list",
      objectOf({ a: { type: "array", items: { type: "number" } } }, ["a"]),
      {},
      "args.v.a is missing (required, array of number).",
    ],
    [
      "required values",
      objectOf({ a: { anyOf: [{ enum: ["x", "y"] }, { type: "null" }] } }, ["a"]),
      {},
      'args.v.a is missing (required, one of "x", "y" or null).',
    ],
    [
      "required beside a mistake",
      objectOf({ title: {} }, ["title"]),
      { titel: "x" },
      "args.v.title is missing (required). Did you write titel for it?",
    ],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, "args.v.b is missing (required beside a)."],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, "args.v.b is missing (required)."],
    ["additionalProperties", { additionalProperties: false }, { a: 1 }, "args.v.a is not allowed."],
    [
      "additionalProperties beside others",
      { properties: { id: {}, "x-y": {} }, additionalProperties: false },
      { zz: 1 },
      'args.v.zz is not allowed, only id, "x-y".',
    ],
    [
      "additionalProperties with a mistake",
      { properties: { priority: {} }, additionalProperties: false },
      { prioritty: 1 },
      "args.v.prioritty is not allowed. Did you mean priority?",
    ],
    [
      "a mistake in a required name",
      { properties: { priority: {} }, required: ["priority"], additionalProperties: false },
      { prioritty: 1 },
      "args.v.prioritty is not allowed. Did you mean priority?",
    ],
    [
      "patternProperties",
      { patternProperties: { "^n": { type: "number" } } },
      { n1: "a" },
      'args.v.n1 must be a number, but is "a" (string).',
    ],
    [
      "propertyNames",
      { propertyNames: { pattern: "^[a-z]+$" } },
      { "A-1": 1 },
      'args.v has a property with a name that is not allowed: "A-1" must match the pattern ^[a-z]+$, but is "A-1" (string).',
    ],
    [
      "unevaluatedProperties",
      { properties: { a: {} }, unevaluatedProperties: false },
      { a: 1, b: 1 },
      "args.v.b is not allowed.",
    ],
    [
      "unevaluatedProperties beside branches",
      { anyOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      "args.v.b is not allowed.",
    ],
    [
      "unevaluatedItems",
      { prefixItems: [true], unevaluatedItems: false },
      [1, 2],
      'args.v does not fulfil "unevaluatedItems" of the tool\'s schema.',
    ],
    ["false", false, 1, "args.v is not allowed here."],
    ["not with a value", { not: { const: "root" } }, "root", 'args.v must not be "root".'],
    ["not with values", { not: { enum: [1, 2] } }, 2, "args.v must not be 1 or 2."],
    ["not with a type", { not: { type: "null" } }, null, "args.v must not be null, but is null."],
    [
      "not with properties",
      { not: { required: ["a", "b"] } },
      { a: 1, b: 2 },
      "args.v must not have a and b together.",
    ],
    [
      "not with a rule",
      { not: { minimum: 5 } },
      7,
      'args.v has a value that the tool\'s schema rules out ("not"): 7 (number).',
    ],
    [
      "then",
      condition({ if: { properties: { kind: { const: "a" } } }, yes: { required: ["x"] }, no: { required: ["y"] } }),
      { kind: "a" },
      "args.v.x is missing (required).",
    ],
    ["else", condition({ if: { minimum: 5 }, yes: true, no: false }), 1, "args.v is not allowed here."],
  ])("says for %s what is allowed and what came", async (_, schema, value, message) => {
    expect(await verdictOn(schema, value)).toBe(message);
  });

  test("about the arguments as a whole calls them args", async () => {
    expect(await verdict({ type: "object" }, 5)).toBe("args must be an object, but is 5 (number).");
    expect(await verdict(objectOf({ id: { type: "integer" } }, ["id"]), {})).toBe(
      "args.id is missing (required, integer).",
    );
    expect(await verdict(false, {})).toBe("args is not allowed here.");
  });

  test("finds the type of a required property behind a reference", async () => {
    const schema = { ...(objectOf({ a: { $ref: "#/$defs/A" } }, ["a"]) as object), $defs: { A: { type: "string" } } };
    expect(await verdict(schema, {})).toBe("args.a is missing (required, string).");
  });

  test("begins with the tool as a snippet names it", async () => {
    const tool = toolOf(objectOf({ id: {} }, ["id"]), { name: "close-ticket" });
    expect(await createArgumentValidator().check(tool, {})).toEqual({
      kind: "invalid",
      message: 'demo["close-ticket"] was not called: args.id is missing (required).',
      problems: [{ path: "args.id", message: "args.id is missing (required)." }],
    });
  });

  test("names a place as JavaScript does", async () => {
    const schema = { items: { properties: { "odd-name": { properties: { "a/b~c": { type: "string" } } } } } };
    expect(await verdictOn(schema, [{}, { "odd-name": { "a/b~c": 1 } }])).toBe(
      'args.v[1]["odd-name"]["a/b~c"] must be a string, but is 1 (number).',
    );
    expect(await verdictOn({ properties: { 3: { type: "string" } } }, { 3: 1 })).toBe(
      'args.v["3"] must be a string, but is 1 (number).',
    );
  });

  test("names a place so that a snippet would find the value there", async () => {
    const forbidden = 12345.5;
    const rule = { not: { const: forbidden }, items: { $ref: "#" }, additionalProperties: { $ref: "#" } };
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("__proto__", "a/b", "~1", "0", "\u202e"),
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constant(forbidden),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(name, tie("node"), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(node, async (args) => {
        const check = await checkOnce(rule, args);
        for (const { path } of check.kind === "invalid" ? check.problems : []) {
          expect(new Function("args", `return ${path};`)(args)).toBe(forbidden);
        }
        expect(check.kind).toBe(JSON.stringify(args).includes(`${forbidden}`) ? "invalid" : "valid");
      }),
      { numRuns: 100 },
    );
  });

  test("clips what is long and escapes what is invisible", async () => {
    expect(await verdictOn({ type: "number" }, "a".repeat(1e6))).toBe(
      `args.v must be a number, but is "${"a".repeat(59)}…" (string).`,
    );
    expect(await verdictOn({ enum: ["\u202eb\n"] }, "\u200ba")).toBe(
      'args.v must be "\\u{202e}b\\n", but is "\\u{200b}a" (string).',
    );
    expect(await verdictOn({ additionalProperties: false }, { "a\u2066": 1 })).toBe(
      'args.v["a\\u{2066}"] is not allowed.',
    );
    expect(await verdictOn({ pattern: "^\u202ea$" }, "b")).toBe(
      'args.v must match the pattern ^\\u{202e}a$, but is "b" (string).',
    );
    const pattern = `^${"a".repeat(200)}\u202e$`;
    expect(await verdictOn({ pattern }, "b")).toBe(
      `args.v must match the pattern ^${"a".repeat(98)}…, but is "b" (string).`,
    );
  });

  test("suggests no name that is taken or has a meaning of its own", async () => {
    const closed = { ...(objectOf({ priority: {} }) as object), additionalProperties: false };
    expect(await verdict(closed, { priority: 1, prioritty: 2 })).toBe("args.prioritty is not allowed, only priority.");
    const open = objectOf({ title: {}, titles: {} }, ["title"]);
    expect(await verdict(open, { titles: [] })).toBe("args.title is missing (required).");
  });
});

describe("the message about alternatives", () => {
  const cat = objectOf({ kind: { const: "cat" }, lives: { type: "integer" } }, ["kind", "lives"]);
  const dog = objectOf({ kind: { const: "dog" }, bark: { type: "boolean" } }, ["kind", "bark"]);

  test.each(["anyOf", "oneOf"])("of %s lists simple types and values", async (keyword) => {
    expect(await verdictOn({ [keyword]: [{ type: "string" }, { type: "null" }] }, 5)).toBe(
      "args.v must be a string or null, but is 5 (number).",
    );
    expect(await verdictOn({ [keyword]: [{ const: "a" }, { const: "b" }] }, "c")).toBe(
      'args.v must be one of "a", "b", but is "c" (string).',
    );
    expect(
      await verdictOn({ [keyword]: [{ type: "number" }, { type: "string", enum: ["auto", "none"] }] }, "atuo"),
    ).toBe('args.v must be a number or one of "auto", "none", but is "atuo" (string).');
  });

  test("tells only what is wrong with the branch that a label chose", async () => {
    expect(await verdictOn({ oneOf: [cat, dog] }, { kind: "dog", bark: "loud" })).toBe(
      'args.v.bark must be true or false, but is "loud" (string).',
    );
    const $defs = { cat, dog };
    const schema = { anyOf: [{ $ref: "#/$defs/cat" }, { $ref: "#/$defs/dog" }] };
    expect(await verdictOn(schema, { kind: "cat", lives: 9.5 }, { $defs })).toBe(
      "args.v.lives must be an integer, but is 9.5 (number).",
    );
  });

  test("lists the labels when none was met", async () => {
    expect(await verdictOn({ oneOf: [cat, dog] }, { kind: "cow" })).toBe(
      'args.v.kind must be one of "cat", "dog", but is "cow" (string).',
    );
  });

  test("tells what is wrong in the branch of the right type", async () => {
    expect(
      await verdictOn({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, ["a", 1]),
    ).toBe("args.v[1] must be a string, but is 1 (number).");
    expect(await verdictOn({ anyOf: [{ type: "null" }, { type: "string", maxLength: 1 }] }, "ab")).toBe(
      'args.v must have at most 1 character, but has 2: "ab".',
    );
  });

  test("names the properties of which one is needed", async () => {
    const schema = { anyOf: [{ required: ["id"] }, { required: ["name", "owner"] }] };
    expect(await verdictOn(schema, {})).toBe("args.v must have id or name and owner.");
  });

  test("says when more than one alternative fits", async () => {
    expect(await verdictOn({ oneOf: [{ type: "number" }, { type: "string" }, { minimum: 1 }] }, 5)).toBe(
      "args.v must fit exactly one of 3 alternatives, but fits numbers 1 and 3.",
    );
  });

  test("looks into alternatives within alternatives", async () => {
    const schema = { anyOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "null" }] };
    expect(await verdictOn(schema, true)).toBe("args.v must be a string, a number or null, but is true (boolean).");
    const deep = { anyOf: [{ type: "null" }, objectOf({ pet: { oneOf: [cat, dog] } })] };
    expect(await verdictOn(deep, { pet: { kind: "dog" } })).toBe("args.v.pet.bark is missing (required, boolean).");
  });
});

describe("several problems", () => {
  test("stand in one message, wrong names first", async () => {
    const schema = {
      ...(objectOf({ limit: { maximum: 100 }, title: { type: "string" }, id: {} }, ["title", "id"]) as object),
      additionalProperties: false,
    };
    expect(await verdict(schema, { limit: 250, titel: "x" })).toBe(
      "args.titel is not allowed. Did you mean title? args.id is missing (required). args.limit must be at most 100, but is 250 (number).",
    );
  });

  test("are told up to five, and the rest is counted", async () => {
    const schema = objectOf(Object.fromEntries([..."abcdef"].map((name) => [name, { type: "string" }])));
    const args = Object.fromEntries([..."abcdef"].map((name) => [name, 1]));
    const check = await checkOnce(schema, args);
    expect(check.kind === "invalid" && check.problems.map(({ path }) => path)).toEqual([
      "args.a",
      "args.b",
      "args.c",
      "args.d",
      "args.e",
    ]);
    expect(check.kind === "invalid" && check.message).toMatch(/ There is 1 more problem\.$/);
  });

  test("together take no more than some 150 tokens", async () => {
    const values = Array.from({ length: 12 }, (_, n) => `${n}`.repeat(50));
    const schema = objectOf(Object.fromEntries([..."abcdef"].map((name) => [name, { enum: values }])));
    const check = await checkOnce(schema, Object.fromEntries([..."abcdef"].map((name) => [name, "x".repeat(100)])));
    expect(check.kind === "invalid" && check.problems.length).toBe(1);
    expect(check.kind === "invalid" && check.message).toMatch(/ There are 5 more problems\.$/);
  });

  test("that are the same one twice are told once", async () => {
    const schema = { allOf: [objectOf({ a: {} }, ["a"]), objectOf({ a: {} }, ["a"])] };
    expect(await verdict(schema, {})).toBe("args.a is missing (required).");
  });
});
