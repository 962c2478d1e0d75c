import { type CleanSchema, intersectionOf, UNKNOWN } from "./clean-schema.ts";

/**
 * Members that a union may have after TypeScript has multiplied out an intersection of unions. It refuses 100,000, with an
 * error that breaks the whole file, and takes seconds for 10,000 objects.
 */
export const MAX_PRODUCT = 1000;

/**
 * Leaves out unions in intersections (`(A | B) & (C | D) & …`) beyond those whose product is allowed: the type accepts more
 * then, never less. One union alone may be of any size, and unions of values are not multiplied out. Gives the names of the
 * definitions that had more. Needs definitions without alias cycles.
 */
export function limitProducts(definitions: Map<string, CleanSchema>): string[] {
  const limited = new Set<string>();
  const known = new Map<string, number>();
  const ofValues = new Map<string, boolean>();
  const widthOf = (schema: CleanSchema): number => {
    const definition = schema.tsType === undefined ? undefined : definitions.get(schema.tsType);
    if (definition !== undefined && schema.tsType !== undefined) {
      const width = known.get(schema.tsType) ?? widthOf(definition);
      known.set(schema.tsType, width);
      return width;
    }
    if (schema.enum) return schema.enum.length;
    if (schema.anyOf) return schema.anyOf.reduce((sum, member) => sum + widthOf(member), 0);
    if (schema.allOf) return Math.min(MAX_PRODUCT, productOf(schema.allOf));
    return schema.type === "boolean" ? 2 : 1;
  };
  const productOf = (members: readonly CleanSchema[]): number =>
    members.reduce((product, member) => product * Math.max(1, widthOf(member)), 1);
  const isOfValues = (schema: CleanSchema): boolean => {
    const definition = schema.tsType === undefined ? undefined : definitions.get(schema.tsType);
    if (definition && schema.tsType !== undefined) {
      const known = ofValues.get(schema.tsType) ?? isOfValues(definition);
      ofValues.set(schema.tsType, known);
      return known;
    }
    if (schema.anyOf) return schema.anyOf.every(isOfValues);
    return schema.enum !== undefined || (schema.type !== undefined && VALUE_TYPES.has(schema.type));
  };
  const rewrite = (schema: CleanSchema, name: string): CleanSchema => {
    const each = (members: readonly CleanSchema[]): CleanSchema[] => members.map((member) => rewrite(member, name));
    if (schema.allOf) return limit({ ...schema, allOf: each(schema.allOf) }, name);
    return {
      ...schema,
      ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
      ...(schema.properties && {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([key, property]) => [key, rewrite(property, name)]),
        ),
      }),
      ...(schema.items && { items: isList(schema.items) ? each(schema.items) : rewrite(schema.items, name) }),
      ...(schema.additionalItems && { additionalItems: rewrite(schema.additionalItems, name) }),
      ...(schema.additionalProperties && { additionalProperties: rewrite(schema.additionalProperties, name) }),
    };
  };
  const limit = (schema: CleanSchema, name: string): CleanSchema => {
    const { allOf = [], ...rest } = schema;
    // The largest one stands for all unions of values.
    let values = 1;
    let product = 1;
    const kept = allOf.filter((member) => {
      const width = Math.max(1, widthOf(member));
      const next = isOfValues(member)
        ? { values: Math.max(values, width), product }
        : { values, product: product * width };
      const combinations = next.values * next.product;
      if (combinations > MAX_PRODUCT && combinations !== next.values && combinations !== width) return false;
      ({ values, product } = next);
      return true;
    });
    if (kept.length === allOf.length) return schema;
    limited.add(name);
    return kept.length === 0 ? { ...rest, ...UNKNOWN } : { ...rest, ...intersectionOf(kept) };
  };
  for (const [name, schema] of definitions) definitions.set(name, rewrite(schema, name));
  return [...limited];
}

const VALUE_TYPES: ReadonlySet<string> = new Set(["string", "number", "boolean", "null"]);

function isList(items: CleanSchema | readonly CleanSchema[]): items is readonly CleanSchema[] {
  return Array.isArray(items);
}
