import { type CleanSchema, FREE_MAP, intersectionOf, isUnknown } from "./clean-schema.ts";

/**
 * A value that satisfies all of these, where objects may be open: one that is closed closes the others, for a type of
 * several parts is as open as its most open part. Parts that have a name stay as they are.
 */
export function closedIntersectionOf(members: readonly CleanSchema[]): CleanSchema {
  return intersectionOf(members.some(isClosed) ? members.flatMap(close) : members);
}

/** Whether a schema is an object that cannot have properties beyond those it declares. */
function isClosed(schema: CleanSchema): boolean {
  if (schema.anyOf) return schema.anyOf.every(isClosed);
  if (schema.allOf) return schema.allOf.some(isClosed);
  return schema.type === "object" && schema.additionalProperties === false;
}

function close(schema: CleanSchema): CleanSchema[] {
  if (isFreeMap(schema)) return [];
  const { anyOf, allOf, additionalProperties } = schema;
  // A free map among others stays: without it the names that the others declare would be lost.
  if (anyOf) return [{ ...schema, anyOf: anyOf.flatMap((member) => (isFreeMap(member) ? member : close(member))) }];
  if (allOf) return [{ ...schema, allOf: allOf.flatMap(close) }];
  const isOpen = schema.type === "object" && additionalProperties && isUnknown(additionalProperties);
  return [isOpen ? { ...schema, additionalProperties: false } : schema];
}

function isFreeMap({ tsType }: CleanSchema): boolean {
  return tsType === FREE_MAP.tsType;
}
