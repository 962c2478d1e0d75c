import type { CleanSchema } from "./clean-schema.ts";

/**
 * json-schema-to-typescript writes a tuple with optional items as the union of its lengths. So an optional item travels
 * through it as an intersection with a mark, a character that no type and no comment of ours contains.
 */
const MARK = "\u0000";
const OPTIONAL: CleanSchema = { tsType: MARK };

/** The schema in which each item of a tuple beyond `minItems` carries the mark. */
export function markOptionalItems(schema: CleanSchema): CleanSchema {
  const { minItems, ...rest } = schema;
  const { items, properties, additionalItems, additionalProperties, anyOf, allOf } = rest;
  return {
    ...rest,
    ...(items && { items: isTuple(items) ? markItems(items, minItems ?? 0) : markOptionalItems(items) }),
    ...(additionalItems && { additionalItems: markOptionalItems(additionalItems) }),
    ...(additionalProperties && { additionalProperties: markOptionalItems(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(markOptionalItems) }),
    ...(allOf && { allOf: allOf.map(markOptionalItems) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, markOptionalItems(each)])),
    }),
  };
}

function isTuple(items: CleanSchema | readonly CleanSchema[]): items is readonly CleanSchema[] {
  return Array.isArray(items);
}

function markItems(items: readonly CleanSchema[], required: number): CleanSchema[] {
  return items.map((item, index) => {
    const marked = markOptionalItems(item);
    return index < required ? marked : { allOf: [marked, OPTIONAL] };
  });
}

/** The generated type with `?` where the marks are: `[string, number?]`. */
export function unmarkOptionalItems(text: string): string {
  return text.replaceAll(MARKED_WORD, "$1?").replaceAll(` & ${MARK})`, ")?");
}

const MARKED_WORD = new RegExp(String.raw`\(([\w$]+(?:\[\])*) & ${MARK}\)`, "g");
