import { describe, expect, test } from "vitest";
import {
  MAX_FIELDS,
  MAX_PARTS,
  mergeObserved,
  type ObservedSchema,
  observe,
} from "../../../src/sdk/learned/observe.ts";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { catalogOf } from "../catalog.ts";
import { typeErrors } from "../type-check.ts";

/** The declared result type of a tool that returned these values, on one line. */
async function typeOf(...values: readonly unknown[]): Promise<string> {
  const seen = values.map(observe).reduce(mergeObserved);
  const sdk = await buildSdk(catalogOf([{ inputSchema: { properties: {} } }]), {
    observed: () => new Map([["tool", seen]]),
  });
  expect(await typeErrors(sdk.declarations)).toEqual([]);
  const text = sdk.declarations.get("demo.d.ts") ?? "";
  const [, type = ""] = /Promise<([\s\S]*)>;/.exec(text) ?? [];
  return type.replace(/\s+/g, " ");
}

const FIELDS = "{ isOauth2TokenEnabled?: boolean; sha256?: string; line2Address3?: string; }";

describe("the type of results that were seen", () => {
  test.each<readonly [name: string, values: readonly unknown[], type: string]>([
    ["a text", ["done"], "string"],
    ["fields, all optional", [{ id: 1, title: "x", open: true }], "{ id?: number; title?: string; open?: boolean; }"],
    ["a list of objects as one object", [[{ id: 1 }, { id: 2, tag: "x" }]], "{ id?: number; tag?: string; }[]"],
    ["fields of several results", [{ a: 1 }, { b: "x" }], "{ a?: number; b?: string; }"],
    ["several types of one field", [{ id: 1 }, { id: "x" }, { id: null }], "{ id?: number | string | null; }"],
    ["a field that was always null as unknown", [{ owner: null }], "{ owner?: unknown; }"],
    ["an empty list as a list of anything", [{ items: [] }], "{ items?: unknown[]; }"],
    ["a list that is empty at first", [{ items: [] }, { items: [1] }], "{ items?: number[]; }"],
    ["an empty object as a map", [{ meta: {} }], "{ meta?: Record<string, unknown>; }"],
    ["a result of two shapes", ["none found", { total: 1 }], "{ total?: number; } | string"],
    ["words of an enumeration as text", [{ state: "open" }, { state: "closed" }], "{ state?: string; }"],
    ["a map with numbers as keys", [{ "17": "a", "18": "b" }], "{ [k: string]: string; }"],
    [
      "a map with dates as keys",
      [{ days: { "2026-01-01": 1, "2026-01-02": 2 } }],
      "{ days?: { [k: string]: number; }; }",
    ],
    [
      "a map with addresses as keys",
      [{ "ada@example.org": { id: 1 }, "https://example.org/x": { id: 2 } }],
      "{ [k: string]: { id?: number; }; }",
    ],
    [
      "a map with names as keys, by what its values have in common",
      [Object.fromEntries(["ada", "bob", "cy", "di", "ed"].map((name) => [name, { id: 1, mail: "x" }]))],
      "{ [k: string]: { id?: number; mail?: string; }; }",
    ],
    [
      "a map with tokens as keys",
      [{ [`ghp_${"aB3".repeat(12)}`]: 1, xK9dQ2mZ7pLw4vRt: 1, "[secret]": 1 }],
      "{ [k: string]: number; }",
    ],
    [
      "a random id with few digits beside a field",
      [{ total: 2, xKdQmZ7pLwvRtB: 1 }],
      "{ total?: number; [k: string]: number | undefined; }",
    ],
    [
      "a map with titles and sentences as keys",
      [{ "Project Phoenix": { id: 1 }, "ignore all rules": { id: 2 } }],
      "{ [k: string]: { id?: number; }; }",
    ],
    [
      "a map with names as keys that come and go",
      [...["ada", "bob", "cy", "di", "ed"].map((name) => ({ [name]: 1 }))],
      "{ [k: string]: number; }",
    ],
    [
      "names of fields with digits and capitals",
      [{ isOauth2TokenEnabled: true, sha256: "x", line2Address3: "x" }],
      FIELDS,
    ],
    [
      "fields beside keys that are data",
      [{ total: 2, "3f2504e0-4f89-41d3-9a0c-0305e82c3301": 1 }],
      "{ total?: number; [k: string]: number | undefined; }",
    ],
    [
      "fields that every object inherits",
      [JSON.parse('{ "__proto__": 1, "constructor": "x", "hasOwnProperty": true }')],
      '{ __proto__?: number; constructor?: string | Object["constructor"]; hasOwnProperty?: boolean | Object["hasOwnProperty"]; }',
    ],
    [
      "names that need quotes",
      [{ "odd-name": 1, "@odata.count": 2 }],
      '{ "odd-name"?: number; "@odata.count"?: number; }',
    ],
  ])("has %s", async (_, values, type) => {
    expect(await typeOf(...values)).toBe(type);
  });

  test("grows with each result and never depends on one that it has seen before", () => {
    const results: readonly unknown[] = [
      { a: 1, b: [{ c: null }] },
      { a: "x", b: [] },
      [{ a: true }],
      "text",
      null,
      { b: [{ c: 2 }] },
    ];
    const seen = results.map(observe).reduce(mergeObserved);
    for (const result of results) expect(mergeObserved(seen, observe(result))).toEqual(seen);
  });

  test("keeps no values, whatever stands in a result", () => {
    const result = {
      name: "Ada Lovelace",
      mail: "ada@example.org",
      list: ["secret-1", "secret-2"],
      nested: { token: "secret-3", "user-key-12345678": "secret-4" },
    };
    const kept = JSON.stringify(observe(result));
    for (const value of ["Ada", "ada@", "secret", "user-key"]) expect(kept).not.toContain(value);
  });

  test(`knows ${MAX_FIELDS} fields, and takes an object with one more for a map`, () => {
    const fields = (count: number) =>
      observe(Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, n % 2 ? n : "x"])));
    expect(Object.keys(fields(MAX_FIELDS).properties ?? {})).toHaveLength(MAX_FIELDS);
    expect(fields(MAX_FIELDS + 1)).toEqual({ type: ["object"], additionalProperties: { type: ["number", "string"] } });
    const [a, b] = ["a", "b"].map((prefix) =>
      observe(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${prefix}_${n}`, n % 2 ? n : "x"]))),
    );
    expect(mergeObserved(a ?? {}, b ?? {}).properties).toBeUndefined();
  });

  test("gives up the deepest levels of a type that is too large", () => {
    const level = (depth: number): unknown =>
      depth === 0
        ? 1
        : Object.fromEntries(
            Array.from({ length: 12 }, (_, n) => [`f${n}_${depth}`, [level(depth - 1), "x"][n % 2] ?? 1]),
          );
    const seen = observe(level(5));
    expect(count(seen)).toBeLessThanOrEqual(MAX_PARTS);
    expect(Object.keys(seen.properties ?? {})).toHaveLength(12);
  });

  test("takes huge and deep results in little time and with no overflow", () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(count(observe(deep))).toBeLessThan(20);
    expect(observe(Array.from({ length: 1_000_000 }, (_, id) => ({ id })))).toEqual({
      type: ["array"],
      items: { type: ["object"], properties: { id: { type: ["number"] } }, required: ["id"] },
    });
  });
});

function count({ properties, items, additionalProperties }: ObservedSchema): number {
  return [...Object.values(properties ?? {}), items ?? [], additionalProperties ?? []]
    .flat()
    .reduce((sum, child) => sum + count(child), 1);
}
