import { type CleanSchema, EMPTY_OBJECT, FREE_MAP, isUnknown, UNKNOWN, unionOf } from "./clean-schema.ts";
import { isRecord, type JsonRecord } from "./json-record.ts";
import { markName } from "./property-names.ts";

/** Cleans a subschema that stands at these steps below the current one. */
export type CleanChild = (schema: unknown, ...steps: string[]) => CleanSchema;

/**
 * Where an object stands, which decides what one without properties means. For the arguments of a tool, an empty list of
 * properties means that it takes none, and no list at all that it does not say. For a value, both mean a free map
 * (`metadata: { type: "object" }`). As one of several schemas that together describe a value it adds nothing.
 */
export type BareObject = "arguments" | "value" | "part";

/**
 * An object with its properties. One that does not say whether it is open counts as closed, so that misspelt names are
 * found. Names that are required and not declared are declared, of any type; those of `then` and `else` too,
 * but optional.
 */
export function cleanObject(schema: JsonRecord, bare: BareObject, child: CleanChild): CleanSchema {
  const properties: Record<string, CleanSchema> = {};
  const declared = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"].filter(isString) : []);
  for (const [name, property] of Object.entries(declared)) {
    properties[markName(name)] = child(property, "properties", name);
    // Draft 3 says it at the property.
    if (isRecord(property) && property["required"] === true) required.add(name);
  }
  for (const name of required) properties[markName(name)] ??= { ...UNKNOWN };
  if (Object.keys(declared).length > 0) {
    for (const name of conditionalNames(schema)) properties[markName(name)] ??= { ...UNKNOWN };
  }
  const rest = furtherProperties(schema, child);
  if (Object.keys(properties).length === 0) {
    if (rest === false) return EMPTY_OBJECT;
    if (rest === undefined && bare === "arguments") return isRecord(schema["properties"]) ? EMPTY_OBJECT : UNKNOWN;
    if (rest === undefined) return bare === "value" ? FREE_MAP : UNKNOWN;
    return isUnknown(rest) ? FREE_MAP : { type: "object", additionalProperties: rest };
  }
  return { type: "object", properties, required: [...required].map(markName), additionalProperties: rest ?? false };
}

function conditionalNames(schema: JsonRecord): string[] {
  return [schema["then"], schema["else"]].flatMap((condition) =>
    isRecord(condition) && isRecord(condition["properties"]) ? Object.keys(condition["properties"]) : [],
  );
}

/** The type of properties that are not declared: false for none, undefined when the schema does not say. */
function furtherProperties(schema: JsonRecord, child: CleanChild): CleanSchema | false | undefined {
  const keyword = schema["additionalProperties"] === undefined ? "unevaluatedProperties" : "additionalProperties";
  const additional = schema[keyword];
  const types: CleanSchema[] = [];
  if (isRecord(schema["patternProperties"])) {
    for (const [pattern, value] of Object.entries(schema["patternProperties"])) {
      types.push(child(value, "patternProperties", pattern));
    }
  }
  if (additional === true) types.push(UNKNOWN);
  else if (isRecord(additional)) types.push(child(additional, keyword));
  if (types.length > 0) return unionOf(types);
  return additional === false ? false : undefined;
}

/** A list, or a tuple. Lengths are not typed: `ids.map(…)` gives a list of any length, and must be accepted. */
export function cleanArray(schema: JsonRecord, child: CleanChild): CleanSchema {
  const { items, prefixItems } = schema;
  const keyword = Array.isArray(prefixItems) ? "prefixItems" : "items";
  const tuple: unknown = schema[keyword];
  const [rest, restKeyword] =
    keyword === "prefixItems" ? [items, "items"] : [schema["additionalItems"], "additionalItems"];
  if (Array.isArray(tuple) && tuple.length > 0) {
    return {
      type: "array",
      items: tuple.map((item, index) => child(item, keyword, String(index))),
      additionalItems: rest === true || isRecord(rest) ? child(rest, restKeyword) : false,
    };
  }
  const [element, step] = Array.isArray(tuple) ? [rest, restKeyword] : [items, "items"];
  return { type: "array", items: element === undefined ? { ...UNKNOWN } : child(element, step) };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
