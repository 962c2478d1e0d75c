import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/catalog/tool.ts";
import { prepareSchema } from "../../../src/sdk/arguments/schema.ts";
import { objectOf } from "../catalog.ts";
import { condition, verdict, verdictOn } from "./cases.ts";

const DRAFT_4 = "http://json-schema.org/draft-04/schema#";
const DRAFT_6 = "http://json-schema.org/draft-06/schema#";
const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";
const ALL = [undefined, DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020];

/** Whether `value` is valid as property `v` of arguments whose schema declares the dialect. */
async function isValid(schema: unknown, value: unknown, $schema?: string, more: object = {}): Promise<boolean> {
  return (await verdictOn(schema, value, { ...more, ...($schema !== undefined && { $schema }) })) === "valid";
}

describe("a schema that declares no dialect", () => {
  test.each<[string, unknown, unknown, unknown]>([
    ["a list of items as a tuple", { items: [{ type: "string" }, { type: "number" }] }, ["a", 1, null], ["a", "b"]],
    ["additionalItems", { items: [{ type: "string" }], additionalItems: { type: "number" } }, ["a", 1], ["a", "b"]],
    ["prefixItems", { prefixItems: [{ type: "string" }], items: false }, ["a"], ["a", 1]],
    ["true as exclusiveMinimum", { minimum: 0, exclusiveMinimum: true }, 1, 0],
    ["false as exclusiveMaximum", { maximum: 9, exclusiveMaximum: false }, 9, 10],
    ["a number as exclusiveMaximum", { exclusiveMaximum: 9 }, 8, 9],
    ["dependencies on names", { dependencies: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    ["dependencies on a schema", { dependencies: { a: { required: ["b"] } } }, { b: 1 }, { a: 1 }],
    ["const", { const: 1 }, 1, 2],
    ["a condition", condition({ if: { type: "string" }, yes: { minLength: 1 }, no: true }), 1, ""],
    ["nullable", { type: "string", nullable: true }, null, 1],
    ["nullable beside enum", { enum: ["a"], nullable: true }, null, "b"],
    ["nullable beside allOf", { allOf: [{ type: "string" }], nullable: true }, null, 1],
  ])("is judged as meant when it uses %s", async (_, schema, good, bad) => {
    expect(await isValid(schema, good)).toBe(true);
    expect(await isValid(schema, bad)).toBe(false);
  });

  test("finds definitions under either name, and under none", async () => {
    const definitions = { A: { type: "string" } };
    for (const more of [{ definitions }, { $defs: definitions }]) {
      const schema = { $ref: `#/${Object.keys(more)[0]}/A` };
      expect(await isValid(schema, "a", undefined, more)).toBe(true);
      expect(await isValid(schema, 1, undefined, more)).toBe(false);
    }
    const properties = { a: { type: "string" }, b: { $ref: "#/properties/a" } };
    expect(await verdict({ properties }, { b: 1 })).toBe("args.b must be a string, but is 1 (number).");
  });

  test("lets a reference be one rule among others", async () => {
    const more = { $defs: { A: { type: "string" } } };
    expect(await isValid({ $ref: "#/$defs/A", maxLength: 1 }, "ab", undefined, more)).toBe(false);
    expect(await isValid({ $ref: "#/$defs/A", maxLength: 1 }, 1, undefined, more)).toBe(false);
  });
});

describe("a declared dialect", () => {
  test.each(ALL)("%s knows the words that all dialects have", async ($schema) => {
    expect(await isValid({ type: "integer", minimum: 1, enum: [1, 2] }, 2, $schema)).toBe(true);
    expect(await isValid({ type: "integer", minimum: 1 }, 0, $schema)).toBe(false);
    expect(await isValid({ nullable: true, type: "string" }, null, $schema)).toBe(true);
    expect(await isValid({ items: [{ type: "string" }] }, [1], $schema)).toBe(false);
  });

  test.each<[string, unknown, unknown, readonly (string | undefined)[]]>([
    ["const", { const: 1 }, 2, [DRAFT_4]],
    ["contains", { contains: { const: 1 } }, [], [DRAFT_4]],
    ["propertyNames", { propertyNames: { maxLength: 1 } }, { ab: 1 }, [DRAFT_4]],
    ["if", condition({ if: true, yes: false, no: true }), 1, [DRAFT_4, DRAFT_6]],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, [DRAFT_4, DRAFT_6, DRAFT_7]],
    ["unevaluatedProperties", { unevaluatedProperties: false }, { a: 1 }, [DRAFT_4, DRAFT_6, DRAFT_7]],
    ["prefixItems", { prefixItems: [{ type: "string" }] }, [1], [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019]],
  ])("that is older than %s ignores it", async (_, schema, bad, older) => {
    const ignoring: (string | undefined)[] = [];
    for (const $schema of ALL) if (await isValid(schema, bad, $schema)) ignoring.push($schema);
    expect(ignoring).toEqual(older);
  });

  test("up to draft-07 lets nothing count beside a reference", async () => {
    const more = { definitions: { A: { type: "string" } } };
    const beside: (string | undefined)[] = [];
    for (const $schema of ALL) {
      if (await isValid({ $ref: "#/definitions/A", maxLength: 1 }, "ab", $schema, more)) beside.push($schema);
      expect(await isValid({ $ref: "#/definitions/A", maxLength: 1 }, 1, $schema, more)).toBe(false);
    }
    expect(beside).toEqual([DRAFT_4, DRAFT_6, DRAFT_7]);
    const named = { $schema: DRAFT_7, $ref: "#/definitions/Args", definitions: { Args: objectOf({}, ["a"]) } };
    expect(await verdict(named, {})).toBe("args.a is missing (required).");
  });

  test("that is unknown counts as none", async () => {
    for (const $schema of ["https://example.com/my-dialect", "", "http://json-schema.org/schema#", "demo.tool"]) {
      expect(await isValid({ const: 1 }, 2, $schema)).toBe(false);
      expect(await isValid({ const: 1 }, 1, $schema)).toBe(true);
    }
  });
});

describe("a reference", () => {
  test.each<[string, string, object]>([
    ["an anchor", "#name", { $defs: { A: { $anchor: "name", type: "string" } } }],
    ["an anchor of draft-06", "#name", { $defs: { A: { $id: "#name", type: "string" } } }],
    ["an $id", "https://example.com/a.json", { $defs: { A: { $id: "https://example.com/a.json", type: "string" } } }],
    [
      "a relative $id",
      "a.json",
      { $id: "https://example.com/t.json", $defs: { A: { $id: "a.json", type: "string" } } },
    ],
    [
      "a part of another $id",
      "a.json#/$defs/B",
      { $defs: { A: { $id: "a.json", $defs: { B: { $ref: "#/$defs/C" }, C: { type: "string" } } } } },
    ],
    [
      "the own $id",
      "https://example.com/t.json#/$defs/A",
      { $id: "https://example.com/t.json", $defs: { A: { type: "string" } } },
    ],
    ["an id of draft-04", "#name", { $schema: DRAFT_4, definitions: { A: { id: "#name", type: "string" } } }],
    ["a name with signs", "#/$defs/a~1b%20c%25", { $defs: { "a/b c%": { type: "string" } } }],
    ["a reference", "#/$defs/A", { $defs: { A: { $ref: "#/$defs/B" }, B: { type: "string" } } }],
  ])("finds %s", async (_, $ref, more) => {
    expect(await verdictOn({ $ref }, "a", more)).toBe("valid");
    expect(await verdictOn({ $ref }, 1, more)).toBe("args.v must be a string, but is 1 (number).");
  });

  test("may be recursive", async () => {
    const schema = { properties: { value: { type: "number" }, next: { $ref: "#" } }, required: ["value"] };
    expect(await verdict(schema, { value: 1, next: { value: 2 } })).toBe("valid");
    expect(await verdict(schema, { value: 1, next: { value: 2, next: {} } })).toBe(
      "args.next.next.value is missing (required, number).",
    );
  });
});

describe("a format", () => {
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ["date", ["2026-01-31", 5], ["31.1.2026", "2026-13-01x", "today"]],
    ["time", ["09:30:00Z", "09:30", "09:30:00.5+02:00"], ["9 o'clock"]],
    [
      "date-time",
      [
        "2026-01-31T09:30:00Z",
        "2026-01-31t09:30:00.123+01:00",
        "2026-01-31 09:30",
        "2026-01-31T09:30:00",
        "2026-01-31",
      ],
      ["tomorrow", "2026", "2026-01-31Tnoon"],
    ],
    ["duration", ["P1D", "PT1H30M", "P2W"], ["1 day", "P", "PT"]],
    [
      "email",
      ["a@b.example", "jürgen@müller.example", "用户@例子.测试", '"a b"@c.example', "root@localhost"],
      ["a", "a@", "@b", "a b@c"],
    ],
    ["hostname", ["example.com", "localhost", "müller.example", "a_b.internal"], ["a b", "http://a", "a..b", ""]],
    ["ipv4", ["192.0.2.1"], ["192.0.2", "256.0.0.1", "::1"]],
    ["ipv6", ["::1", "2001:db8::1"], ["192.0.2.1", "1:2"]],
    [
      "uri",
      ["https://example.com/ä?q=1#x", "urn:a:b", "file:///a", "mailto:a@b"],
      ["example.com", "/path", "https://a b"],
    ],
    ["uuid", ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"], ["123", "x"]],
    ["int32", [2147483647, -2147483648, "x"], [2147483648, -2147483649, 1.5]],
    ["int64", [2 ** 53], [1.5]],
    ["regex", ["(?P<name>x)", "["], []],
    ["cidrv4", ["anything"], []],
    ["__proto__", ["anything"], []],
  ])("%s rejects only what no validator would accept", async (format, good, bad) => {
    for (const value of good) expect(`${value}: ${await verdictOn({ format }, value)}`).toBe(`${value}: valid`);
    for (const value of bad) expect(await verdictOn({ format }, value)).toMatch(/^args\.v must match format /);
  });
});

describe("a pattern", () => {
  test.each<[string, string, string]>([
    ["^\\p{Lu}+$", "Ä", "ä"],
    ["^.$", "👋", "ab"],
    ["^[\\w-.]+$", "a-b.c", "a b"],
    ["^a\\_b$", "a_b", "ab"],
    ["b", "abc", "ac"],
    ["^[\\w[\\].-]+$", "a[0].b", "a b"],
    ["^\\[--[a-z]]$", "[--a]", "[a]"],
    ["^{{.*}}\\-$", "{{a}}-", "{a}"],
    ["^\\x41\\u0042\\_$", "AB_", "ab"],
  ])("%s is read as JavaScript reads it", async (pattern, good, bad) => {
    expect(await verdictOn({ pattern }, good)).toBe("valid");
    expect(await verdictOn({ pattern }, bad)).toMatch(/^args\.v must match the pattern /);
  });

  test.each([
    ...["\\A\\d+\\Z", "^(?P<year>\\d+)$", "(?i)abc", "a++", "(", "a".repeat(2001)],
    ...["^[[:alpha:]]+$", "^[_[:digit:]]+$", "^\\pL+$", "^\\pN$", "^\\p{IsGreek}+$", "^\\x{41}$", "^\\c+$", "^\\ha$"],
    ...[
      "^[a-z&&[^b]]+$",
      "^[a-z-[aeiou]]+$",
      "^[a-zA-Z[0-9]]{3}$",
      "^[a-d[m-p]]+$",
      "^[[a-d][m-p]]+$",
      "^[\\w--\\d]+$",
      "^a{,3}$",
      "^[]a]+$",
      "^[^]a]+$",
    ],
  ])("%s of another language rejects nothing", async (pattern) => {
    expect(await verdictOn({ pattern, type: "string" }, "!")).toBe("valid");
    expect(await verdictOn({ pattern, type: "string" }, 1)).toBe("args.v must be a string, but is 1 (number).");
  });

  test.each([
    ["date", ["2028-02-29", "2026-12-31"], ["2026-02-29", "2026-00-10", "2026-04-31"]],
    ["date-time", ["2028-02-29T10:00:00Z"], ["2026-13-01T10:00:00Z", "2026-02-30T10:00:00Z"]],
  ] as const)("stands beside the format %s, which is one of the calendar", async (format, good, bad) => {
    for (const value of good) expect(await verdictOn({ format }, value)).toBe("valid");
    for (const value of bad) expect(await verdictOn({ format }, value)).toContain(`must match format ${format}`);
  });
});

describe("a dynamic reference", () => {
  const node = (reference: object, more: object = {}): object => ({
    ...more,
    properties: { name: { type: "string" }, child: reference },
    additionalProperties: false,
  });

  test.each<[string, object]>([
    ["$recursiveRef", { $recursiveAnchor: true, ...node({ $recursiveRef: "#" }) }],
    ["$dynamicRef to an anchor", node({ $dynamicRef: "#n" }, { $dynamicAnchor: "n" })],
    ["$dynamicRef to a definition", { $defs: { N: node({ $dynamicRef: "#/$defs/N" }) }, $ref: "#/$defs/N" }],
    ["$dynamicRef beside $ref", node({ $dynamicRef: "#n", $ref: "#n" }, { $dynamicAnchor: "n" })],
  ])("that can mean one part only is followed: %s", async (_, schema) => {
    expect(await verdict(schema as JsonSchema, { child: { child: { name: "a" } } })).toBe("valid");
    expect(await verdict(schema as JsonSchema, { child: { child: { name: 1 } } })).toContain(
      "args.child.child.name must be a string",
    );
  });

  test("that can mean several parts refuses nothing", async () => {
    const schema = {
      ...node({ $dynamicRef: "#n" }, { $dynamicAnchor: "n" }),
      $defs: { N: { $id: "https://example.com/n", $dynamicAnchor: "n", type: "string" } },
    };
    expect(await verdict(schema, { child: 1 })).toBe("valid");
    expect(prepareSchema(schema).problems).toHaveLength(1);
  });
});

describe("a malformed part", () => {
  const isLeft = (schema: JsonSchema): readonly string[] =>
    prepareSchema(schema).problems.map(({ pointer }) => pointer);

  test.each<[string, unknown]>([
    ["$ref", "#/nowhere"],
    ["$ref", "https://example.com/other.json"],
    ["$ref", "http://json-schema.org/draft-07/schema#"],
    ["$ref", "file:///etc/passwd"],
    ["$ref", "#/constructor"],
    ["$ref", 5],
    ["$dynamicRef", "#a"],
    ["type", "date"],
    ["type", []],
    ["enum", []],
    ["enum", "a"],
    ["pattern", "("],
    ["pattern", 1],
    ["minimum", "1"],
    ["exclusiveMaximum", "1"],
    ["multipleOf", 0],
    ["minLength", -1],
    ["maxItems", 1.5],
    ["uniqueItems", "yes"],
    ["required", true],
    ["required", [1]],
    ["properties", []],
    ["patternProperties", { "(": {} }],
    ["additionalProperties", "no"],
    ["items", "string"],
    ["anyOf", []],
    ["allOf", {}],
    ["not", 1],
    ["dependentRequired", { a: "b" }],
  ])("is left out, with its place, and the rest is checked: %s %j", async (keyword, value) => {
    const schema = { properties: { v: { [keyword]: value }, w: { type: "string" } } };
    expect(isLeft(schema)).toEqual([`#/properties/v/${keyword}`]);
    expect(await verdict(schema, { v: 5, w: "" })).toBe("valid");
    expect(await verdict(schema, { v: 5, w: 5 })).toBe("args.w must be a string, but is 5 (number).");
  });

  test.each<[string, unknown, unknown]>([
    ["within not", { not: { pattern: "(" } }, "a"],
    ["within oneOf", { oneOf: [{ pattern: "(" }, { type: "string" }] }, "a"],
    ["within if", condition({ if: { pattern: "(" }, yes: false, no: true }), "a"],
    ["within else", condition({ if: 5, yes: true, no: false }), "a"],
    ["within a counted part", { contains: { pattern: "(" }, maxContains: 0 }, ["a"]],
    ["beside unevaluatedProperties", { $ref: "#/nowhere", unevaluatedProperties: false }, { a: 1 }],
    ["beside additionalProperties", { patternProperties: { "(": {} }, additionalProperties: false }, { a: 1 }],
    ["as properties beside additionalProperties", { properties: 1, additionalProperties: false }, { a: 1 }],
    ["as prefixItems beside items", { prefixItems: 1, items: false }, [1]],
    ["as minContains", { contains: false, minContains: "0" }, []],
    ["behind a reference within not", { not: { $ref: "#/$defs/A" }, $defs: { A: { minimum: "x" } } }, 1],
  ])("never makes the whole reject more: %s", async (_, schema, value) => {
    expect(await verdict({ properties: { v: schema }, ...(schema as object) }, { v: value })).toMatch(
      /^valid$|^skipped/,
    );
    expect(await verdictOn({ allOf: [schema] }, value, { $defs: { A: { minimum: "x" } } })).toBe("valid");
  });

  test("that contradicts its own values gives way to them", async () => {
    expect(await verdictOn({ type: "string", enum: [1, 2] }, 1)).toBe("valid");
    expect(await verdictOn({ type: "string", const: 1 }, "1")).toBe('args.v must be 1, but is "1" (string).');
  });
});
