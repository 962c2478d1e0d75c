import { isRecord } from "../json-record.ts";
import { isDataKey } from "./data-keys.ts";

/** A JSON type that a value was seen to have. */
export type ObservedType = "array" | "boolean" | "null" | "number" | "object" | "string";

/**
 * What results looked like, as a small part of JSON Schema: names of fields and types of values, never a value. Nothing in it
 * means that nothing was seen, as of the items of an empty list.
 */
export interface ObservedSchema {
  readonly type?: readonly ObservedType[];
  readonly properties?: Readonly<Record<string, ObservedSchema>>;
  /** Fields that every object had. */
  readonly required?: readonly string[];
  /** The values of a map, whose keys are data. */
  readonly additionalProperties?: ObservedSchema;
  readonly items?: ObservedSchema;
}

/** Levels of nesting that are looked at: one more than the deepest results of 95 real calls needed. */
const DEPTH = 8;
/** Elements of a list that are looked at: half from its beginning, half spread over the rest. */
const ELEMENTS = 100;
/** Fields of an object. With more it is taken for a map. */
export const MAX_FIELDS = 100;
/** Parts of one result's type. Beyond it the deepest levels are given up, one after the other. */
export const MAX_PARTS = 1000;
/** Values that are looked at in one result, so that a huge one costs milliseconds. */
const VALUES = 20_000;

/** The type of one JSON value. Never throws; anything that is not JSON counts as not seen. */
export function observe(value: unknown): ObservedSchema {
  let left = VALUES;
  const look = (node: unknown, depth: number): ObservedSchema => {
    if (left-- <= 0 || depth > DEPTH) return {};
    if (node === null) return { type: ["null"] };
    if (Array.isArray(node)) {
      return { type: ["array"], items: mergeAll(sample(node).map((element) => look(element, depth + 1))) };
    }
    if (isRecord(node)) return lookAtObject(Object.entries(node), (child) => look(child, depth + 1));
    const type = typeof node;
    return type === "string" || type === "number" || type === "boolean" ? { type: [type] } : {};
  };
  return bounded(look(value, 0));
}

/** The type of all that either has seen. Objects become one object, so the result is bounded however often it grows. */
export function mergeObserved(a: ObservedSchema, b: ObservedSchema): ObservedSchema {
  return bounded(merge(a, b));
}

function lookAtObject(
  entries: readonly (readonly [string, unknown])[],
  look: (value: unknown) => ObservedSchema,
): ObservedSchema {
  if (entries.length > MAX_FIELDS) return mapOf(sample(entries).map(([, value]) => look(value)));
  const seen = entries.map(([key, value]) => [key, look(value)] as const);
  const fields = seen.filter(([key]) => !isDataKey(key));
  const others = seen.filter(([key]) => isDataKey(key)).map(([, schema]) => schema);
  return settle({
    type: ["object"],
    ...(fields.length > 0 && { properties: Object.fromEntries(fields), required: fields.map(([key]) => key) }),
    ...(others.length > 0 && { additionalProperties: mergeAll(others) }),
  });
}

function merge(a: ObservedSchema, b: ObservedSchema): ObservedSchema {
  if (a.type === undefined) return b;
  if (b.type === undefined) return a;
  const items = both(a.items, b.items);
  const rest = both(a.additionalProperties, b.additionalProperties);
  const merged: ObservedSchema = {
    type: [...new Set([...a.type, ...b.type])].sort(nullLast),
    ...mergeFields(a, b),
    ...(rest && { additionalProperties: rest }),
    ...(items && { items }),
  };
  return settle(merged);
}

/** By name, but `null` at the end, as people write it. */
function nullLast(a: ObservedType, b: ObservedType): number {
  return Number(a === "null") - Number(b === "null") || (a < b ? -1 : 1);
}

function mergeFields(a: ObservedSchema, b: ObservedSchema): Pick<ObservedSchema, "properties" | "required"> {
  if (!a.type?.includes("object")) return fieldsOf(b);
  if (!b.type?.includes("object")) return fieldsOf(a);
  const [ours, theirs] = [a.properties ?? {}, b.properties ?? {}];
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  if (names.length === 0) return {};
  const properties = names.map((name) => [name, both(own(ours, name), own(theirs, name)) ?? {}] as const);
  const required = (a.required ?? []).filter((name) => b.required?.includes(name));
  return { properties: Object.fromEntries(properties), required };
}

const fieldsOf = ({ properties, required }: ObservedSchema): Pick<ObservedSchema, "properties" | "required"> => ({
  ...(properties && { properties }),
  ...(required && { required }),
});

const own = (properties: Readonly<Record<string, ObservedSchema>>, name: string): ObservedSchema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

function both(a: ObservedSchema | undefined, b: ObservedSchema | undefined): ObservedSchema | undefined {
  return a && b ? merge(a, b) : (a ?? b);
}

function mergeAll(schemas: readonly ObservedSchema[]): ObservedSchema {
  return schemas.reduce(merge, {});
}

function mapOf(values: readonly ObservedSchema[]): ObservedSchema {
  return { type: ["object"], additionalProperties: mergeAll(values) };
}

/** An object whose fields are more likely the keys of a map becomes one. */
function settle(schema: ObservedSchema): ObservedSchema {
  const values = Object.values(schema.properties ?? {});
  if (values.length === 0 || !(values.length > MAX_FIELDS || looksLikeMap(schema, values))) return schema;
  const { properties: _, required: __, additionalProperties, ...rest } = schema;
  return { ...rest, additionalProperties: mergeAll(additionalProperties ? [additionalProperties, ...values] : values) };
}

/**
 * Whether the values have so much in common that the names are data (`{ ada: { id, mail }, grace: { id, mail }, … }`):
 * many of the same basic type, several objects with the same fields, or fields that come and go from result to result. Where
 * some keys were data already, fields of the same kind as theirs are too.
 */
function looksLikeMap(
  { required = [], additionalProperties }: ObservedSchema,
  values: readonly ObservedSchema[],
): boolean {
  const kinds = new Set(values.map(kindOf));
  const [kind] = kinds;
  if (kinds.size > 1 || kind === undefined) return false;
  if (additionalProperties) return values.length >= BESIDE_DATA && kindOf(additionalProperties) === kind;
  const isObject = kind.startsWith("object");
  return values.length >= (isObject ? SAME_OBJECTS : SAME_VALUES) || (required.length === 0 && values.length >= COMING);
}

/** Fields that an object with real field names hardly has of the same kind. */
const SAME_OBJECTS = 4;
const SAME_VALUES = 24;
const COMING = 5;
const BESIDE_DATA = 3;

/** The type, and of an object its fields. */
function kindOf({ type = [], properties }: ObservedSchema): string {
  const others = type.filter((name) => name !== "null");
  return others.includes("object")
    ? `object ${Object.keys(properties ?? {})
        .sort()
        .join(" ")}`
    : others.join(" ");
}

function sample<T>(list: readonly T[]): readonly T[] {
  if (list.length <= ELEMENTS) return list;
  const half = ELEMENTS / 2;
  const step = (list.length - half) / half;
  const spread = Array.from({ length: half }, (_, index) => list.slice(Math.floor(half + index * step))[0]);
  return [...list.slice(0, half), ...spread.filter((element) => element !== undefined)];
}

/** The same with as many levels as have at most `MAX_PARTS` parts. */
function bounded(schema: ObservedSchema): ObservedSchema {
  let fitting = schema;
  for (let depth = DEPTH; depth >= 0 && countParts(fitting) > MAX_PARTS; depth--) fitting = prune(schema, depth);
  return fitting;
}

function prune(schema: ObservedSchema, depth: number): ObservedSchema {
  if (depth < 0) return {};
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, prune(child, depth - 1)] as const),
      ),
    }),
    ...(items && { items: prune(items, depth - 1) }),
    ...(additionalProperties && { additionalProperties: prune(additionalProperties, depth - 1) }),
  };
}

function countParts({ properties, items, additionalProperties }: ObservedSchema): number {
  const children = [...Object.values(properties ?? {}), items ?? [], additionalProperties ?? []].flat();
  return children.reduce((sum, child) => sum + countParts(child), 1);
}
