import type { JsonSchema } from "../../catalog/tool.ts";
import { isRecord, type JsonRecord } from "../json-record.ts";
import type { SchemaProblem } from "../types/clean.ts";
import { type Dialect, dialectOf, modernise } from "./dialect.ts";
import { isOfType, listedValues, VALUE_KEYWORDS } from "./keywords.ts";
import { compilePattern } from "./pattern.ts";
import { followReference, indexSchema, isStatic, type SchemaIndex } from "./references.ts";

/** A schema that can be compiled as it is, and what of the server's had to be left out. */
export interface PreparedSchema {
  /** In the words of 2020-12; references lead to its own `$defs` under names made here. */
  readonly schema: JsonSchema;
  readonly problems: readonly SchemaProblem[];
}

/** Levels of nesting that are checked. The deepest of 5,574 schemas seen has 14. */
export const MAX_CHECKED_DEPTH = 64;
/** Subschemas and listed values that are checked of one schema. The largest of 5,574 seen has about 1,200. */
export const MAX_CHECKED_PARTS = 3000;

/**
 * Rewrites a server's schema, of any draft and with any nonsense in it, as one that says the same in the words of 2020-12. It
 * is built from keywords that are known here, so nothing else gets through to the compiler: no `$id`, no `$async`, no
 * reference to elsewhere, no text of the server but property names, values and regular expressions. What is malformed is left
 * out with a problem, and then so is all that would reject more because of it: the result never rejects what the server's
 * schema accepts. Needs a schema of less than `MAX_JSON_DEPTH` levels. Never throws.
 */
export function prepareSchema(schema: JsonSchema): PreparedSchema {
  const exact = prepare(schema, false);
  return exact.problems.length === 0 ? exact : { ...prepare(schema, true), problems: exact.problems };
}

function prepare(root: JsonSchema, isWeakened: boolean): PreparedSchema {
  const dialect = dialectOf(root);
  const work: Work = {
    dialect,
    index: indexSchema(root, dialect),
    isWeakened,
    names: new Map(),
    waiting: [],
    problems: [],
    parts: 0,
  };
  const prepared = convert(root, 0, work);
  const definitions: [string, JsonSchema][] = [];
  for (let next = work.waiting.shift(); next !== undefined; next = work.waiting.shift()) {
    definitions.push([next.name, convert(next.schema, 0, work)]);
  }
  if (work.parts > MAX_CHECKED_PARTS) {
    return { schema: true, problems: [{ pointer: "#", problem: `it has more than ${MAX_CHECKED_PARTS} parts` }] };
  }
  const isPlain = typeof prepared === "boolean" || definitions.length === 0;
  return {
    schema: isPlain ? prepared : { ...prepared, $defs: Object.fromEntries(definitions) },
    problems: work.problems,
  };
}

interface Work {
  readonly dialect: Dialect;
  readonly index: SchemaIndex;
  /** Whether everything is left out that could reject more when something else demands less. */
  readonly isWeakened: boolean;
  /** Names in `$defs` of what is referred to. */
  readonly names: Map<unknown, string>;
  /** Definitions that have a name and still must be converted. */
  readonly waiting: { readonly name: string; readonly schema: unknown }[];
  readonly problems: SchemaProblem[];
  parts: number;
}

/** Keywords without which others would reject more. */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["properties", ["additionalProperties"]],
  ["patternProperties", ["additionalProperties"]],
  ["prefixItems", ["items"]],
  ["minContains", ["contains"]],
  ["if", ["then", "else"]],
]);

/** Keywords that may reject more when something within or beside them demands less. */
const FRAGILE: ReadonlySet<string> = new Set([
  ...["not", "if", "then", "else", "maxContains", "unevaluatedItems", "unevaluatedProperties"],
]);

function convert(schema: unknown, depth: number, work: Work): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { pointer, base } = work.index.places.get(schema) ?? { pointer: "#", base: "" };
  work.parts += 1;
  if (work.parts > MAX_CHECKED_PARTS) return true;
  if (depth > MAX_CHECKED_DEPTH) return giveUp(work, pointer, `it is nested deeper than ${MAX_CHECKED_DEPTH} levels`);
  if (!isRecord(schema)) return giveUp(work, pointer, "it is not a schema");
  const converted = new Map<string, unknown>();
  const left: string[] = [];
  for (const [keyword, value] of Object.entries(modernise(schema, work.dialect))) {
    if (work.isWeakened && FRAGILE.has(keyword)) continue;
    const result = convertKeyword(keyword, value, { pointer: `${pointer}/${keyword}`, base, depth: depth + 1 }, work);
    if (result === undefined) left.push(keyword);
    else converted.set(keyword, result);
  }
  for (const companion of left.flatMap((keyword) => COMPANIONS.get(keyword) ?? [])) converted.delete(companion);
  return finish(converted, schema["nullable"] === true, work);
}

/** Where a keyword stands. `depth`: of the schemas in it. */
interface KeywordPlace {
  readonly pointer: string;
  readonly base: string;
  readonly depth: number;
}

/** The value of a keyword as it is compiled, undefined when the keyword is left out. */
function convertKeyword(keyword: string, value: unknown, place: KeywordPlace, work: Work): unknown {
  const { pointer, base, depth } = place;
  const rule = VALUE_KEYWORDS.get(keyword);
  if (rule?.accepts(value)) {
    work.parts += listedValues(value);
    return value;
  }
  if (rule) return rule.problem === undefined ? undefined : leaveOut(work, pointer, rule.problem);
  switch (SCHEMA_KEYWORDS.get(keyword)) {
    case undefined:
      return undefined;
    case "one":
      return isSchema(value) ? convert(value, depth, work) : leaveOut(work, pointer, "it is not a schema");
    case "list":
      if (!Array.isArray(value) || value.length === 0) return leaveOut(work, pointer, "it is not a list of schemas");
      return value.map((schema) => convert(schema, depth, work));
    case "patterns":
      if (!isRecord(value) || !Object.keys(value).every(compilePattern)) {
        return leaveOut(work, pointer, "its names are not regular expressions of JavaScript");
      }
      return convertProperties(value, depth, work);
    case "properties":
      if (!isRecord(value)) return leaveOut(work, pointer, "it is not an object of schemas");
      return convertProperties(value, depth, work);
    case "reference":
      return convertReference(value, pointer, base, work);
    case "dynamic reference":
      if (typeof value !== "string" || isStatic(value, work.index)) return convertReference(value, pointer, base, work);
      return leaveOut(work, pointer, "it can mean several parts of the schema, which is not supported");
  }
}

/** The keywords that hold schemas, or refer to one. */
const SCHEMA_KEYWORDS = new Map<string, "one" | "list" | "properties" | "patterns" | "reference" | "dynamic reference">(
  [
    ["$ref", "reference"],
    ["$dynamicRef", "dynamic reference"],
    ["$recursiveRef", "dynamic reference"],
    ["prefixItems", "list"],
    ["items", "one"],
    ["contains", "one"],
    ["unevaluatedItems", "one"],
    ["properties", "properties"],
    ["patternProperties", "patterns"],
    ["additionalProperties", "one"],
    ["propertyNames", "one"],
    ["dependentSchemas", "properties"],
    ["unevaluatedProperties", "one"],
    ["allOf", "list"],
    ["anyOf", "list"],
    ["oneOf", "list"],
    ["not", "one"],
    ["if", "one"],
    ["then", "one"],
    ["else", "one"],
  ],
);

function convertProperties(value: JsonRecord, depth: number, work: Work): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convert(schema, depth, work)]));
}

/** A reference to the definition that its target becomes. */
function convertReference(value: unknown, pointer: string, base: string, work: Work): string | undefined {
  if (typeof value !== "string") return leaveOut(work, pointer, "it is not a reference");
  const target = followReference(value, base, work.index);
  if (!isSchema(target)) {
    return leaveOut(work, pointer, `"${value.slice(0, 100)}" does not lead to a part of this schema`);
  }
  const name = work.names.get(target) ?? `d${work.names.size}`;
  if (!work.names.has(target)) {
    work.names.set(target, name);
    work.waiting.push({ name, schema: target });
  }
  return `#/$defs/${name}`;
}

/** What concerns several keywords at once. */
function finish(converted: Map<string, unknown>, isNullable: boolean, work: Work): JsonSchema {
  const oneOf = converted.get("oneOf");
  if (work.isWeakened && oneOf !== undefined) {
    converted.delete("oneOf");
    converted.set("allOf", [...[converted.get("allOf") ?? []].flat(), { anyOf: oneOf }]);
  }
  for (const dynamic of ["$dynamicRef", "$recursiveRef"]) {
    const $ref = converted.get(dynamic);
    if (!converted.delete(dynamic)) continue;
    converted.set("allOf", [...[converted.get("allOf") ?? []].flat(), { $ref }]);
  }
  // A server that contradicts itself most likely means its values.
  const values = converted.has("const") ? [converted.get("const")] : converted.get("enum");
  const types = [converted.get("type") ?? []].flat();
  if (
    Array.isArray(values) &&
    types.length > 0 &&
    !values.some((value) => types.some((type) => isOfType(value, type)))
  ) {
    converted.delete("type");
  }
  separateProto(converted);
  const schema = Object.fromEntries(converted);
  // OpenAPI's word, which no dialect of JSON Schema knows but whose meaning is clear.
  return isNullable && converted.size > 0 ? { anyOf: [schema, { type: "null" }] } : schema;
}

/** Ajv skips a property of this name for safety, which would make it an additional one. */
function separateProto(converted: Map<string, unknown>): void {
  const properties = converted.get("properties");
  if (!isRecord(properties) || !Object.hasOwn(properties, "__proto__")) return;
  const patterns = Object.entries(converted.get("patternProperties") ?? {});
  // Read as an own property, which it is.
  const [, schema] = Object.entries(properties).find(([name]) => name === "__proto__") ?? [];
  converted.set("patternProperties", Object.fromEntries([...patterns, ["^__proto__$", schema]]));
}

function isSchema(value: unknown): boolean {
  return isRecord(value) || typeof value === "boolean";
}

/** Leaves out a keyword. */
function leaveOut(work: Work, pointer: string, problem: string): undefined {
  work.problems.push({ pointer, problem });
}

/** Leaves out a whole subschema. */
function giveUp(work: Work, pointer: string, problem: string): true {
  leaveOut(work, pointer, problem);
  return true;
}
