import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/catalog/tool.ts";
import { objectOf } from "../catalog.ts";
import { count, folder } from "./fold-tools.ts";

const text = { type: "string" };
const nothing = { type: "null" };
const named = (prefix: string, length: number): JsonSchema =>
  objectOf(Object.fromEntries(Array.from({ length }, (_, n) => [`${prefix}${n}`, text])));
const long = named("x".repeat(80), 40);
const values = Array.from({ length: 200 }, (_, n) => ({ id: n, name: `option number ${n}` }));

const SHAPES: readonly (readonly [name: string, schema: JsonSchema])[] = [
  ["an object that may be null", { anyOf: [named("field_number_", 80), nothing] }],
  ["one that comes second", { anyOf: [nothing, named("field_number_", 80)] }],
  ["one with very long names", { oneOf: [nothing, long] }],
  ["one within another", { anyOf: [nothing, { anyOf: [nothing, objectOf({ a: { anyOf: [long, nothing] } })] }] }],
  ["a list of them", { type: "array", items: { anyOf: [long, nothing] } }],
  [
    "a union of a list and a map of them",
    {
      anyOf: [
        { type: "array", items: named("f", 40) },
        { type: "object", additionalProperties: { anyOf: [named("g", 60), nothing] } },
      ],
    },
  ],
  ["one of many values or an object", { anyOf: [{ enum: values }, named("h", 60)] }],
  ["a recursive one", { anyOf: [nothing, { $ref: "#/$defs/N" }] }],
];
const definitions = {
  N: objectOf({
    ...Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`n${n}`, text])),
    next: { anyOf: [{ $ref: "#/$defs/N" }, nothing] },
  }),
};

/** The paths that a view names, in its notes and in its first line. */
const pathsIn = (view: string): string[] => [
  ...new Set(view.match(/(?:args|result)[^\s;]*?(?=\.\. ?(?:\*\/|;)|\s\*\/|;|\n|$)(?:\.\.)?/gm) ?? []),
];

describe("a type that may be something without parts instead", () => {
  test.each(SHAPES)("leads to all that it leaves out: %s", async (_, schema) => {
    const fold = await folder({ inputSchema: { type: "object", properties: { v: schema }, $defs: definitions } });
    const seen = new Set<string>();
    const waiting = ["args"];
    const shown: string[] = [];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      // What is recursive leads on without end.
      if (seen.has(path) || path.length > 250) continue;
      seen.add(path);
      const { kind, text: view } = fold({ path, budgetTokens: 300 });
      expect(kind, path).not.toBe("missing");
      shown.push(view);
      waiting.push(...pathsIn(view));
    }
    const all = shown.join("\n");
    const json = JSON.stringify([schema, JSON.stringify(schema).includes("$ref") ? definitions : {}]);
    for (const [, name = ""] of json.matchAll(/"([fghn]\d+|field_number_\d+)":/g)) expect(all).toContain(`${name}?:`);
  });

  test.each([200, 500, 1500])("keeps to %i tokens where values have parts", async (budgetTokens) => {
    const inputSchema = objectOf({
      e: { enum: values },
      c: { const: { text: values } },
      n: { anyOf: [{ enum: values }, nothing] },
    });
    const fold = await folder({ inputSchema });
    for (const path of [undefined, "args", "args.e", "args.c", "args.n"]) {
      const view = fold({ budgetTokens, ...(path !== undefined && { path }) });
      expect(count(view.text), path).toBeLessThanOrEqual(budgetTokens);
    }
    expect(fold({ path: "args.e|200..", budgetTokens }).text).toContain('{"id":199,"name":"option number 199"}');
  });
});
