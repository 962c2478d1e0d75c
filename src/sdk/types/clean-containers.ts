import { isRecord, type JsonRecord } from "../json-record.ts";
import { markName } from "../property-names.ts";
import { type CleanSchema, EMPTY_OBJECT, FREE_MAP, isUnknown, UNKNOWN, unionOf } from "./clean-schema.ts";

/** Cleans a subschema that stands at these steps below the current one. */
export type CleanChild = (schema: unknown, ...steps: string[]) => CleanSchema;

/**
 * Where an object stands, which decides what one without properties means. For the arguments of a tool, an empty list of
 * properties means that it takes none, and no list at all that it does not say. For a value, both mean a free map
 * (`metadata: { type: "object" }`). As one of several schemas that together describe a value it adds nothing.
 */
export type BareObject = "arguments" | "value" | "part";

/**
 * An object with its properties. One that does not say whether it has others is open or not as `isOpen` says. Names that are
 * required and not declared are declared, of any type; those of conditions (`then`, `dependentSchemas`, …) too, but optional.
 */
export function cleanObject(schema: JsonRecord, bare: BareObject, isOpen: boolean, child: CleanChild): CleanSchema {
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
  for (const name of METHODS) {
    const property = properties[markName(name)];
    if (property && !required.has(name)) properties[markName(name)] = orMethod(property, name);
  }
  const rest = furtherProperties(schema, bare, isOpen, child);
  if (Object.keys(properties).length === 0) {
    if (rest === false) return EMPTY_OBJECT;
    if (rest === undefined && bare === "arguments") return isRecord(schema["properties"]) ? EMPTY_OBJECT : UNKNOWN;
    if (rest === undefined) return bare === "value" ? FREE_MAP : UNKNOWN;
    return isUnknown(rest) ? FREE_MAP : { type: "object", additionalProperties: rest };
  }
  return {
    type: "object",
    properties,
    required: [...required].map(markName),
    additionalProperties: rest ?? (isOpen && UNKNOWN),
  };
}

/** What every object has, as TypeScript's library declares it. */
const METHODS = [
  "constructor",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
];

/** An optional property of such a name: an object without it still has the method, so `{}` must pass for it. */
function orMethod(property: CleanSchema, method: string): CleanSchema {
  const { description, ...type } = property;
  const either = unionOf([type, { tsType: `Object["${method}"]` }]);
  return isUnknown(either) ? property : { ...either, ...(description !== undefined && { description }) };
}

/** Names that stand in conditions, also in those of branches. */
function conditionalNames(schema: JsonRecord, levels = CONDITION_LEVELS): string[] {
  if (levels === 0) return [];
  const conditions = [
    schema["if"],
    schema["then"],
    schema["else"],
    ...valuesOf(schema["dependentSchemas"]),
    ...valuesOf(schema["dependencies"]),
  ].filter(isRecord);
  const branches = [schema["allOf"], schema["anyOf"], schema["oneOf"]].flat().filter(isRecord);
  return [
    ...conditions.flatMap((condition) =>
      isRecord(condition["properties"]) ? Object.keys(condition["properties"]) : [],
    ),
    ...[...conditions, ...branches].flatMap((part) => conditionalNames(part, levels - 1)),
  ];
}

/** Conditions within conditions whose names are looked at. Schemas seen have three. */
const CONDITION_LEVELS = 6;

function valuesOf(map: unknown): unknown[] {
  return isRecord(map) ? Object.values(map) : [];
}

/** The type of properties that are not declared: false for none, undefined when the schema does not say. */
function furtherProperties(
  schema: JsonRecord,
  bare: BareObject,
  isOpen: boolean,
  child: CleanChild,
): CleanSchema | false | undefined {
  const keyword = schema["additionalProperties"] === undefined ? "unevaluatedProperties" : "additionalProperties";
  const additional = schema[keyword];
  const patterns = isRecord(schema["patternProperties"]) ? Object.entries(schema["patternProperties"]) : [];
  const types = patterns.map(([pattern, value]) => child(value, "patternProperties", pattern));
  // What other parts of the whole declare is not evaluated here, and need not match the patterns of this part.
  const isUnclear = bare === "part" && keyword === "unevaluatedProperties";
  if (additional === true || (isUnclear && (isRecord(additional) || patterns.length > 0))) types.push(UNKNOWN);
  else if (isRecord(additional)) types.push(child(additional, keyword));
  else if (isOpen && additional === undefined && !patterns.some(([pattern]) => ANY_NAME.has(pattern))) return undefined;
  if (types.length > 0) return unionOf(types);
  return additional === false && !(isUnclear && !isRecord(schema["properties"])) ? false : undefined;
}

/** Patterns that every name matches, as generators of schemas write them. */
const ANY_NAME = new Set(["", ".*", "^.*$", "^.*", ".*$", "^(.*)$", ".+", "^.+$", "^"]);

/**
 * A list, or a tuple. Lengths of lists are not typed: `ids.map(…)` gives a list of any length, and must be accepted. Of a
 * tuple the first `minItems` must be there. One that does not say whether it has further items is open as `isOpen` says.
 */
export function cleanArray(schema: JsonRecord, isOpen: boolean, child: CleanChild): CleanSchema {
  const { items, prefixItems, minItems } = schema;
  const keyword = Array.isArray(prefixItems) ? "prefixItems" : "items";
  const tuple: unknown = schema[keyword];
  const [rest, restKeyword] =
    keyword === "prefixItems" ? [items, "items"] : [schema["additionalItems"], "additionalItems"];
  if (Array.isArray(tuple) && tuple.length > 0) {
    const further = rest ?? schema["unevaluatedItems"];
    return {
      type: "array",
      items: tuple.map((item, index) => child(item, keyword, String(index))),
      ...(typeof minItems === "number" && minItems > 0 && { minItems }),
      additionalItems: isFull(schema, tuple.length)
        ? false
        : further === true || isRecord(further)
          ? child(further, rest === undefined ? "unevaluatedItems" : restKeyword)
          : isOpen && further === undefined && { ...UNKNOWN },
    };
  }
  const [element, step] = Array.isArray(tuple) ? [rest, restKeyword] : [items, "items"];
  return { type: "array", items: element === undefined ? { ...UNKNOWN } : child(element, step) };
}

/** Whether there can be no items beyond those of the tuple. */
function isFull({ maxItems }: JsonRecord, length: number): boolean {
  return typeof maxItems === "number" && maxItems <= length;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
