import { isRecord, type JsonRecord } from "../json-record.ts";

/**
 * A version of JSON Schema, by number or year. `Infinity` when none is declared: MCP says 2020-12, but authors who declare
 * nothing also use older words, and each of those still has only one meaning.
 */
export type Dialect = number;

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
  ["json-schema.org/draft/2020-12/schema", 2020],
]);

/** The dialect that a schema declares for itself. One that is not known counts as none. */
export function dialectOf(schema: unknown): Dialect {
  const declared = isRecord(schema) ? schema["$schema"] : undefined;
  if (typeof declared !== "string") return Infinity;
  return DIALECTS.get(declared.replace(/^https?:\/\//, "").replace(/#$/, "")) ?? Infinity;
}

/** The dialect that brought a keyword: older ones ignore it, as they do any word that they do not know. */
const SINCE: ReadonlyMap<string, Dialect> = new Map([
  ["const", 6],
  ["contains", 6],
  ["propertyNames", 6],
  ["if", 7],
  ["then", 7],
  ["else", 7],
  ["$recursiveRef", 2019],
  ["dependentRequired", 2019],
  ["dependentSchemas", 2019],
  ["minContains", 2019],
  ["maxContains", 2019],
  ["unevaluatedItems", 2019],
  ["unevaluatedProperties", 2019],
  ["prefixItems", 2020],
  ["$dynamicRef", 2020],
]);

/** One schema in the words of 2020-12, its subschemas untouched. Up to draft-07 nothing counts beside `$ref`. */
export function modernise(schema: JsonRecord, dialect: Dialect): JsonRecord {
  if (dialect <= 7 && typeof schema["$ref"] === "string") return { $ref: schema["$ref"] };
  const words = new Map(Object.entries(schema).filter(([keyword]) => (SINCE.get(keyword) ?? 0) <= dialect));
  const items = words.get("items");
  if (Array.isArray(items)) {
    words.delete("items");
    // An empty list of items says nothing about any, and `prefixItems` must not be empty.
    if (items.length > 0 && !words.has("prefixItems")) words.set("prefixItems", items);
    if (words.has("additionalItems")) words.set("items", words.get("additionalItems"));
  }
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const isExclusive = words.get(exclusive);
    if (typeof isExclusive !== "boolean") continue;
    words.delete(exclusive);
    if (!isExclusive || !words.has(inclusive)) continue;
    words.set(exclusive, words.get(inclusive));
    words.delete(inclusive);
  }
  const dependencies = words.get("dependencies");
  if (isRecord(dependencies)) {
    const entries = Object.entries(dependencies);
    const names = entries.filter(([, needed]) => Array.isArray(needed));
    const schemas = entries.filter(([, needed]) => !Array.isArray(needed));
    if (names.length > 0 && !words.has("dependentRequired")) words.set("dependentRequired", Object.fromEntries(names));
    if (schemas.length > 0 && !words.has("dependentSchemas"))
      words.set("dependentSchemas", Object.fromEntries(schemas));
  }
  return Object.fromEntries(words);
}
