import { isRecord, type JsonRecord } from "./json-record.ts";
import type { ResultSchema } from "./result-schema.ts";
import { indexReferences, type References, referencesOf, resolveReference } from "./types/references.ts";

/**
 * A value of the shape that a tool's result will have, for a call that is not made yet: every declared field, one item in each
 * list, `mark` for each text that is free to be anything. Where nothing is known it is `mark` itself. The schema is untrusted:
 * at most 20 levels and 2,000 values, `null` beyond. Formats, patterns and lengths are not kept: a mark that can be found
 * again is worth more than a text that looks real.
 */
export function placeholderOf(result: ResultSchema | undefined, mark: string): unknown {
  if (result === undefined) return mark;
  const entry = resolveReference(result.schema, result.entry);
  if (entry === undefined) return mark;
  const search: Search = { mark, references: indexReferences(result.schema), values: 0 };
  return standIn(entry.schema, entry.pointer, 0, search);
}

const MAX_LEVELS = 20;
const MAX_VALUES = 2000;

interface Search {
  readonly mark: string;
  readonly references: References;
  values: number;
}

function standIn(schema: unknown, pointer: string, level: number, search: Search): unknown {
  if (level > MAX_LEVELS || ++search.values > MAX_VALUES) return null;
  if (!isRecord(schema)) return schema === false ? null : search.mark;
  if (Object.hasOwn(schema, "const")) return schema["const"];
  const { enum: choices } = schema;
  if (Array.isArray(choices) && choices.length > 0) return choices.find((choice) => choice !== null) ?? null;
  const down = (part: unknown, step: string) => standIn(part, `${pointer}/${step}`, level + 1, search);
  for (const reference of referencesOf(schema)) {
    const target = search.references.resolve(reference, pointer);
    if (target) return standIn(target.schema, target.pointer, level + 1, search);
  }
  const parts = [...listOf(schema["allOf"]).map((part, at) => down(part, `allOf/${at}`)), ...oneOfMany(schema, down)];
  const own = ownValue(schema, down, search);
  if (own !== undefined) parts.push(own);
  if (parts.length === 0) return search.mark;
  return parts.every(isRecord) ? merge(parts) : parts.at(-1);
}

/** The first choice that is not null of `anyOf` and of `oneOf`. */
function oneOfMany(schema: JsonRecord, down: (part: unknown, step: string) => unknown): unknown[] {
  return ["anyOf", "oneOf"].flatMap((keyword) => {
    const choices = listOf(schema[keyword]);
    if (choices.length === 0) return [];
    const at = choices.findIndex((choice) => !(isRecord(choice) && choice["type"] === "null"));
    return at === -1 ? [null] : [down(choices[at], `${keyword}/${at}`)];
  });
}

/** What the schema's own type says; undefined where it says none. */
function ownValue(schema: JsonRecord, down: (part: unknown, step: string) => unknown, search: Search): unknown {
  const { properties, items, minimum, maximum } = schema;
  switch (typeOf(schema)) {
    case "object":
      return merge(
        Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => ({
          [name]: down(property, `properties/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
        })),
      );
    case "array":
      if (schema["maxItems"] === 0) return [];
      if (Array.isArray(schema["prefixItems"]))
        return schema["prefixItems"].map((item, at) => down(item, `prefixItems/${at}`));
      return items === undefined || items === false ? [search.mark] : [down(items, "items")];
    case "string":
      return search.mark;
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : Math.min(0, typeof maximum === "number" ? maximum : 0);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return undefined;
  }
}

/** The first type that is not null, said or meant. */
function typeOf({ type, properties, items, prefixItems }: JsonRecord): unknown {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const said = types.find((each) => each !== "null") ?? types[0];
  if (said !== undefined) return said;
  if (isRecord(properties)) return "object";
  return items !== undefined || prefixItems !== undefined ? "array" : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** One object with the fields of all; a field called `__proto__` is a field. */
function merge(parts: readonly unknown[]): object {
  return Object.fromEntries(parts.flatMap((part) => (isRecord(part) ? Object.entries(part) : [])));
}
