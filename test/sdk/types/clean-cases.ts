import type { JsonSchema } from "../../../src/catalog/tool.ts";
import { objectOf } from "../catalog.ts";

/** A schema of arguments with values that its type must accept and reject. */
export interface Case {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
}

/** A case about a value, which stands in the property `v`. */
function value(title: string, schema: unknown, accepts: readonly unknown[], rejects: readonly unknown[]): Case {
  const wrap = (v: unknown): unknown => ({ v });
  return { title, schema: objectOf({ v: schema }, ["v"]), accepts: accepts.map(wrap), rejects: rejects.map(wrap) };
}

const A = objectOf({ a: { type: "string" } }, ["a"]);
/** As JSON, since an object with `then` looks like a promise. */
const CONDITION: object = JSON.parse(
  '{ "if": { "properties": { "a": { "const": "x" } } }, "then": { "properties": { "z": { "type": "string" } } } }',
);
const B = objectOf({ b: { type: "string" } }, ["b"]);

/** Each item of the clean-up, with values on both sides of it. */
export const CASES: readonly Case[] = [
  value("a property without a type is of any type", { description: "Anything" }, [1, "x", null, { a: 1 }], []),
  value("a schema of only `not` is of any type", { not: { type: "string" } }, [1, "x", null], []),
  value("the schema true is of any type", true, [1, null, {}], []),
  value("the schema false has no values", false, [], [1, null, {}]),
  value("an unknown type name is of any type", { type: "any" }, [1, "x"], []),
  value("unknown names in a list of types are left out", { type: ["string", "file"] }, ["x"], [1]),
  value("a list of types is a union", { type: ["integer", "null"] }, [1, null], ["x", {}]),
  value(
    "keywords of a list of types go to their type",
    { type: ["object", "array"], properties: { a: { type: "string" } }, items: { type: "number" } },
    [{ a: "x" }, [1]],
    [{ a: 1 }, ["x"], "x"],
  ),
  value("an object that says nothing is a free map", { type: "object" }, [{}, { a: 1 }], ["x", 1, null]),
  value("an open object takes other names", { ...(A as object), additionalProperties: true }, [{ a: "", z: 1 }], [{}]),
  value("an object that does not say so is closed", A, [{ a: "" }], [{ a: "", z: 1 }]),
  value(
    "a closed object without properties is empty",
    { type: "object", additionalProperties: false },
    [{}],
    [{ a: 1 }, 1, "x"],
  ),
  value(
    "an object need not name its type",
    { properties: { a: { type: "string" } } },
    [{ a: "x" }, {}],
    [{ a: 1 }, "x"],
  ),
  value(
    "a map has values of a type",
    { type: "object", additionalProperties: { type: "number" } },
    [{ a: 1 }],
    [{ a: "x" }],
  ),
  value(
    "declared and further properties of different types go together",
    { ...(A as object), additionalProperties: { type: "number" } },
    [{ a: "x", z: 1 }],
    [{ a: 1 }, { a: "x", z: null }],
  ),
  value(
    "patterns of names are a map",
    { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
    [{ "x-a": "" }],
    [{ "x-a": 1 }],
  ),
  value("properties that are null are none", { type: "object", properties: null }, [{}], [1]),
  value("required must be a list", { ...(A as object), required: "a" }, [{}, { a: "x" }], [{ a: 1 }]),
  value(
    "draft 3 says required at the property",
    { type: "object", properties: { a: { type: "string", required: true } } },
    [{ a: "x" }],
    [{}],
  ),
  value(
    "a name that is required and not declared is of any type",
    { type: "object", properties: {}, required: ["a"] },
    [{ a: 1 }, { a: "x" }],
    [{}],
  ),
  value(
    "names of `then` and `else` are allowed",
    { ...(A as object), ...CONDITION },
    [{ a: "x", z: "y" }],
    [{ a: "x", y: 1 }],
  ),
  value("a list without items is of anything", { type: "array" }, [[1, "x"]], ["x"]),
  value("a list need not name its type", { items: { type: "string" } }, [["x"]], [[1], "x"]),
  value(
    "limits of a list are not typed",
    { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
    [["x"]],
    [[1]],
  ),
  value(
    "prefixItems are a tuple",
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
    [[1, "x"], [1], []],
    [
      ["x", 1],
      [1, "x", 2],
    ],
  ),
  value(
    "items may be a tuple",
    { type: "array", items: [{ type: "number" }], additionalItems: { type: "string" } },
    [[1, "x", "y"]],
    [["x"], [1, 2]],
  ),
  value(
    "a list of tuples",
    { type: "array", items: { type: "array", prefixItems: [{ type: "number" }, {}] } },
    [[[1, 2], [1], []]],
    [[["x", 1]], [1], [[1, 2, 3]]],
  ),
  value(
    "minItems are the items of a tuple that must be there",
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }, { type: "boolean" }], minItems: 1 },
    [[1], [1, "x"], [1, "x", true]],
    [[], [1, true], [1, "x", true, 1]],
  ),
  value(
    "optional items of a tuple may be objects, unions, lists and tuples",
    {
      type: "array",
      prefixItems: [
        A,
        { type: ["string", "null"] },
        { type: "array", items: { type: "number" } },
        { type: "array", prefixItems: [{ const: 1 }] },
      ],
      items: { type: "number" },
    },
    [[], [{ a: "" }], [{ a: "" }, null], [{ a: "" }, "x", [1]], [{ a: "" }, "x", [1], [1], 2, 3]],
    [[{}], [{ a: "" }, 1], [{ a: "" }, "x", ["x"]], [{ a: "" }, "x", [1], [2]], [{ a: "" }, "x", [1], [1], "x"]],
  ),
  value("const is a literal", { const: "a" }, ["a"], ["b", null]),
  value("const may be null", { const: null }, [null], ["x", 0]),
  value("const may be an object", { const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, {}]),
  value(
    "an enum is a union of literals",
    { enum: ["a", 1, true, null, "it's", '"', "*/"] },
    ["a", 1, true, null, "it's", '"', "*/"],
    ["b", false],
  ),
  value(
    "values of an enum have the type that is named",
    { type: ["string", "null"], enum: ["a", 1, null] },
    ["a", null],
    [1],
  ),
  value("a type that no value of the enum has gives way", { type: "integer", enum: ["1", "2"] }, ["1"], [1]),
  value("an empty enum has no values", { type: "string", enum: [] }, [], ["a"]),
  value("nullable adds null", { type: "string", nullable: true }, ["x", null], [1]),
  value("nullable adds null to an enum", { enum: ["a"], nullable: true }, ["a", null], ["b"]),
  value("nullable adds null to a reference", { $ref: "#/$defs/X", nullable: true }, [null, 1, "x"], []),
  value("anyOf is a union", { anyOf: [{ type: "string" }, { type: "null" }] }, ["x", null], [1]),
  value("an empty anyOf says nothing", { anyOf: [] }, [1, "x"], []),
  value("oneOf is a union of objects", { oneOf: [A, B] }, [{ a: "" }, { b: "" }], [{}, { a: 1 }]),
  value("allOf is all of them", { allOf: [A, B] }, [{ a: "", b: "" }], [{ a: "" }, { b: "" }, { a: "", b: "", z: 1 }]),
  value(
    "branches add to properties",
    { ...(A as object), anyOf: [B, objectOf({ c: { type: "number" } }, ["c"])] },
    [
      { a: "", b: "" },
      { a: "", c: 1 },
    ],
    [{ a: "" }, { b: "" }],
  ),
  value(
    "branches may only require",
    {
      ...(objectOf({ a: { type: "string" }, b: { type: "string" } }) as object),
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    [{ a: "" }, { b: "" }],
    [{}, { a: 1 }, { a: "", z: 1 }],
  ),
  value(
    "branches of a typed schema that only constrain say nothing",
    { type: "string", anyOf: [{ format: "email" }, { format: "uri" }] },
    ["x"],
    [1],
  ),
  value(
    "branches have the type around them",
    { type: "string", anyOf: [{ const: "a" }, { enum: ["b"] }] },
    ["a", "b"],
    ["c"],
  ),
  value(
    "an object that says nothing does not open the others, and conditions in branches only add their names",
    { ...(A as object), allOf: [{ type: "object" }, CONDITION] },
    [{ a: "" }, { a: "x", z: "y" }],
    [{ a: "", y: 1 }],
  ),
  value("a default is not a type", { default: true }, [1, "x"], []),
  value(
    "unevaluatedProperties counts like additionalProperties",
    { ...(A as object), unevaluatedProperties: { type: "number" } },
    [{ a: "", z: 1 }],
    [{ a: "", z: null }],
  ),
  {
    title: "a tool without properties takes an empty object",
    schema: { type: "object", properties: {} },
    accepts: [{}],
    rejects: [{ a: 1 }, 1],
  },
  {
    title: "a tool that does not list its properties takes anything",
    schema: { type: "object" },
    accepts: [{}, { a: 1 }],
    rejects: [],
  },
  { title: "a tool without a schema takes anything", schema: { $schema: "x" }, accepts: [{ a: 1 }, null], rejects: [] },
  {
    title: "title and $id of the root are no names",
    schema: { ...(A as object), title: "Promise<", $id: "https://e.test/A" },
    accepts: [{ a: "" }],
    rejects: [{}],
  },
  {
    title: "a root may be a reference, with percent signs and escapes",
    schema: { $ref: "#/definitions/a%20b~1%25", definitions: { "a b/%": A } },
    accepts: [{ a: "" }],
    rejects: [{}, { a: 1 }],
  },
  {
    title: "a reference may lead anywhere in the schema",
    schema: objectOf({ x: A, y: { $ref: "#/properties/x/properties/a" }, z: { $ref: "#/properties/x" } }, ["y"]),
    accepts: [{ y: "x", z: { a: "" } }],
    rejects: [{ y: 1 }, { y: "x", z: {} }],
  },
  {
    title: "keywords beside a reference hold too",
    schema: {
      ...(objectOf({ v: { $ref: "#/$defs/A", ...(B as object), description: "both" } }, ["v"]) as object),
      $defs: { A },
    },
    accepts: [{ v: { a: "", b: "" } }],
    rejects: [{ v: { a: "" } }, { v: { b: "" } }],
  },
  {
    title: "a type may contain itself",
    schema: objectOf({ v: { type: "string" }, children: { type: "array", items: { $ref: "#" } } }, ["v"]),
    accepts: [{ v: "", children: [{ v: "", children: [] }] }],
    rejects: [{ v: "", children: [{}] }],
  },
  {
    title: "types may contain each other, also through references that stand elsewhere",
    schema: {
      ...(objectOf({ a: objectOf({ b: { $ref: "#/$defs/B" } }) }) as object),
      $defs: { B: objectOf({ a: { $ref: "#/properties/a" }, n: { type: "number" } }) },
    },
    accepts: [{ a: { b: { a: { b: { n: 1 } } } } }],
    rejects: [{ a: { b: { a: { b: { n: "x" } } } } }],
  },
  {
    title: "definitions may have the names of TypeScript's types",
    schema: {
      ...(objectOf({ x: { $ref: "#/$defs/Record" }, y: { $ref: "#/$defs/Record" }, z: { type: "object" } }, [
        "x",
        "y",
      ]) as object),
      $defs: { Record: A, Input: B },
    },
    accepts: [{ x: { a: "" }, y: { a: "" }, z: { q: 1 } }],
    rejects: [
      { x: {}, y: { a: "" } },
      { x: { a: "" }, y: { a: "" }, z: 1 },
    ],
  },
  ...[
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "length",
    "$ref",
    "tsType",
    "enum",
    "a-b",
    "",
    "1",
    "a\nb",
    "é",
    "查",
  ].map((name): Case => {
    const own = (property: unknown): unknown => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(property)}}`);
    return {
      title: `a property may be called ${JSON.stringify(name)}`,
      schema: { type: "object", properties: own({ type: "string" }), required: [name] },
      accepts: [own("x")],
      // In a literal, `__proto__: 1` sets no property.
      rejects: name === "__proto__" ? [] : [own(1)],
    };
  }),
];
