import { unmarkName } from "../property-names.ts";
import type { CleanSchema } from "../types/clean-schema.ts";
import { isTuple } from "./fold-locate.ts";
import { below, propertyPlace } from "./fold-path.ts";
import { definitionKey, type FoldedPlace, isOneWithParts } from "./fold-print.ts";
import { definitionOf, propertiesOf } from "./fold-shape.ts";

/** A type and where it stands. */
export interface FoldRoot {
  readonly schema: CleanSchema;
  readonly at: FoldedPlace;
}

/**
 * The order in which objects and definitions are unfolded: level by level, required properties first. Gives the number of
 * each by its key, from 0. Lists, unions and maps are no levels of their own.
 */
export function unfoldOrder(roots: readonly FoldRoot[]): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const waiting = [...roots];
  const rank = (key: string): void => void order.set(key, order.get(key) ?? order.size);
  const visit = ({ schema, at }: FoldRoot): void => {
    const to = (part: CleanSchema, step: string): void =>
      visit({ schema: part, at: { ...at, place: below(at.place, step) } });
    const definition = definitionOf(schema, at.side);
    if (definition) {
      const key = definitionKey(at.side, definition.name);
      if (order.has(key)) return;
      rank(key);
      visit({ schema: definition.schema, at: { ...at, place: { ...at.place, key } } });
      return;
    }
    const members = schema.anyOf ?? schema.allOf;
    if (members) {
      const isTransparent = isOneWithParts(members, at.side);
      for (const [index, member] of members.entries()) to(member, isTransparent ? "" : `|${index + 1}`);
    } else if (schema.type === "array" && schema.items) {
      if (isTuple(schema.items)) for (const [index, item] of schema.items.entries()) to(item, `[${index}]`);
      else to(schema.items, "[]");
      if (schema.additionalItems) to(schema.additionalItems, "[]");
    } else if (schema.type === "object") {
      const properties = propertiesOf(schema);
      if (properties.length > 0) rank(at.place.key);
      for (const [index, property] of properties.entries()) {
        const place = propertyPlace(at.place, unmarkName(property.key), index + 1);
        waiting.push({ schema: property.schema, at: { ...at, place } });
      }
      if (schema.additionalProperties) to(schema.additionalProperties, "[*]");
    }
  };
  // Grows while it is read.
  for (const root of waiting) visit(root);
  return order;
}
