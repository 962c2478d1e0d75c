import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonSchema } from "../../src/catalog/tool.ts";
import { placeholderOf } from "../../src/sdk/placeholder.ts";

const of = (schema: JsonSchema, entry = "#") => placeholderOf({ schema, entry }, "MARK");

it("stands for a result of which nothing is known", () => {
  expect(placeholderOf(undefined, "MARK")).toBe("MARK");
  expect(of(true)).toBe("MARK");
  expect(of({ type: "object" }, "#/nowhere")).toBe("MARK");
});

it("has every declared field, one item in a list, and the mark for free text", () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "integer", minimum: 1 },
      cold: { type: "number", maximum: -5 },
      title: { type: "string" },
      state: { enum: [null, "open", "closed"] },
      version: { const: 2 },
      done: { type: "boolean" },
      owner: { anyOf: [{ type: "null" }, { type: "object", properties: { login: { type: ["null", "string"] } } }] },
      labels: { type: "array", items: { type: "string" } },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      none: { type: "array", maxItems: 0 },
      any: {},
      "a/b~c": { $ref: "#/properties/title" },
    },
    required: ["id"],
  };
  expect(of(schema)).toEqual({
    id: 1,
    cold: -5,
    title: "MARK",
    state: "open",
    version: 2,
    done: true,
    owner: { login: "MARK" },
    labels: ["MARK"],
    pair: ["MARK", 0],
    none: [],
    any: "MARK",
    "a/b~c": "MARK",
  });
  expect(new Ajv2020({ strict: false }).validate(schema, of(schema))).toBe(true);
});

it("follows references, joins allOf, and starts at the entry", () => {
  const schema = {
    $defs: { Id: { type: "object", properties: { id: { type: "integer" } } } },
    properties: { result: { allOf: [{ $ref: "#/$defs/Id" }, { properties: { at: { type: "string" } } }] } },
  };
  expect(of(schema, "#/properties/result")).toEqual({ id: 0, at: "MARK" });
});

it("ends for schemas without an end", () => {
  const node = { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } } };
  expect(JSON.stringify(of(node)).length).toBeLessThan(100_000);
  expect(of({ $ref: "#" })).toBe(null);
  expect(of({ $ref: "https://example.test/other.json" })).toBe("MARK");
});

it("takes fields of any name as fields", () => {
  const value = of(JSON.parse('{ "type": "object", "properties": { "__proto__": { "type": "string" } } }'));
  expect(Object.keys(value as object)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it("gives JSON for any schema", () => {
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom("type", "properties", "items", "anyOf", "allOf", "enum", "$ref", "a") }),
      (schema) => {
        JSON.stringify(of(schema as JsonSchema));
      },
    ),
  );
});
