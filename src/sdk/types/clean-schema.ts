/**
 * A schema after clean-up: the small, harmless part of JSON Schema that json-schema-to-typescript turns into exact types.
 * No `$ref`, `$id`, `title` or foreign keyword is left in it, every object says whether it is open, and `tsType` holds only
 * text that was written here: a keyword, a literal, a method of every object, or the name of a definition.
 */
export interface CleanSchema {
  /** The text of the JSDoc comment, with its tags; safe inside a comment. */
  readonly description?: string;
  readonly tsType?: string;
  readonly type?: "string" | "number" | "boolean" | "null" | "object" | "array";
  readonly enum?: readonly Literal[];
  /** Keys went through `markName`. */
  readonly properties?: Readonly<Record<string, CleanSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: CleanSchema | false;
  /** A list is a tuple, whose further items are `additionalItems`. */
  readonly items?: CleanSchema | readonly CleanSchema[];
  /** The items of a tuple that must be there; 0 when absent. Without meaning for other lists. */
  readonly minItems?: number;
  readonly additionalItems?: CleanSchema | false;
  readonly anyOf?: readonly CleanSchema[];
  readonly allOf?: readonly CleanSchema[];
}

/** What a literal type can be of without further ado. */
export type Literal = string | number | boolean | null;

/** Any value. */
export const UNKNOWN: CleanSchema = { tsType: "unknown" };
/** No value. */
export const NEVER: CleanSchema = { tsType: "never" };
/** An object without properties. `{}` would not do: TypeScript lets any value pass for it. */
export const EMPTY_OBJECT: CleanSchema = { tsType: "Record<string, never>" };
/** An object with any properties. */
export const FREE_MAP: CleanSchema = { tsType: "Record<string, unknown>" };

/** Whether the schema says nothing about a value. */
export function isUnknown(schema: CleanSchema): boolean {
  return schema.tsType === UNKNOWN.tsType;
}

/** A value that satisfies one of these. */
export function unionOf(members: readonly CleanSchema[]): CleanSchema {
  if (members.some(isUnknown)) return UNKNOWN;
  const possible = members.filter((member) => member.tsType !== NEVER.tsType);
  const [only] = possible;
  if (only === undefined) return NEVER;
  return possible.length === 1 ? only : { anyOf: possible };
}

/** A value that satisfies all of these. */
export function intersectionOf(members: readonly CleanSchema[]): CleanSchema {
  if (members.some((member) => member.tsType === NEVER.tsType)) return NEVER;
  const telling = members.filter((member) => !isUnknown(member));
  const [only] = telling;
  if (only === undefined) return UNKNOWN;
  return telling.length === 1 ? only : { allOf: telling };
}

/** The same, or null. */
export function orNull(schema: CleanSchema): CleanSchema {
  if (isUnknown(schema) || schema.type === "null" || schema.enum?.includes(null)) return schema;
  if (schema.enum) return { ...schema, enum: [...schema.enum, null] };
  const members = schema.anyOf ?? [schema];
  return members.some(({ type }) => type === "null") ? schema : unionOf([...members, { type: "null" }]);
}
