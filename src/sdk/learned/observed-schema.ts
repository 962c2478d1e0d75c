import type { JsonSchema } from "../../catalog/tool.ts";
import type { ObservedSchema } from "./observe.ts";

/**
 * What was observed, as a schema that can be converted. `asSeen` has the fields that were always there as required; else every
 * field is optional, since the next result may be without it.
 */
export function observedSchema(observed: ObservedSchema, fields: "asSeen" | "optional"): JsonSchema {
  const { type = [], properties, required, additionalProperties, items } = observed;
  // Of a value that was always null, or of no value, nothing is known.
  if (type.every((name) => name === "null")) return true;
  const child = (schema: ObservedSchema): JsonSchema => observedSchema(schema, fields);
  return {
    type,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, child(schema)] as const),
      ),
      // Closed, so that a misspelt name is noticed.
      additionalProperties: false,
    }),
    ...(fields === "asSeen" && required && { required }),
    ...(additionalProperties && { additionalProperties: child(additionalProperties) }),
    ...(items && { items: child(items) }),
  };
}
