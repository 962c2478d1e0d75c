import { isRecord, type JsonRecord } from "../json-record.ts";
import { type CleanSchema, type Literal, NEVER, unionOf } from "./clean-schema.ts";

/** The types of JSON Schema, with TypeScript's names. */
const TYPES = new Map<unknown, TypeName>([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
  ["object", "object"],
  ["array", "array"],
]);

export type TypeName = NonNullable<CleanSchema["type"]>;

const OBJECT_KEYWORDS = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "unevaluatedProperties",
];

/**
 * The types that a schema names, each once; words that are no type are left out. Without any, its keywords
 * tell. None at all means any value.
 */
export function typesOf(schema: JsonRecord): readonly TypeName[] {
  const named = [schema["type"]].flat().flatMap((type) => TYPES.get(type) ?? []);
  if (named.length > 0) return [...new Set(named)];
  const aboutObjects = OBJECT_KEYWORDS.some(
    (keyword) => schema[keyword] !== undefined && typeof schema[keyword] !== "number" && isStated(schema[keyword]),
  );
  if (aboutObjects) return ["object"];
  return isRecord(schema["items"]) || Array.isArray(schema["items"]) || Array.isArray(schema["prefixItems"])
    ? ["array"]
    : [];
}

/** Draft 3's `required: true` says something about the property's owner, not about the property. */
function isStated(keyword: unknown): boolean {
  return isRecord(keyword) || Array.isArray(keyword) || keyword === false;
}

/** The type of `enum` or `const`, if there is one. Values of another type than the schema's cannot occur. */
export function literalType(schema: JsonRecord, types: readonly TypeName[]): CleanSchema | undefined {
  const { enum: values } = schema;
  const listed = "const" in schema ? [schema["const"]] : Array.isArray(values) ? values : undefined;
  if (listed === undefined) return undefined;
  if (listed.length === 0) return NEVER;
  const possible = types.length > 0 ? listed.filter((value) => types.includes(typeOf(value))) : listed;
  // A server that contradicts itself most likely means its values.
  const meant = possible.length > 0 ? possible : listed;
  const simple = [...new Set(meant.filter(isLiteral))];
  const compound = new Set(meant.filter((value) => !isLiteral(value)).map((value) => JSON.stringify(value)));
  const members: CleanSchema[] = simple.length > 0 ? [{ enum: simple }] : [];
  // JSON is a type of its own: {"a":[1]} is the type of that value.
  for (const json of compound) members.push({ tsType: json });
  return unionOf(members);
}

function isLiteral(value: unknown): value is Literal {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return TYPES.get(typeof value) ?? "object";
}
