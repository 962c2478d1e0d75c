import { isRecord } from "../json-record.ts";
import { FORMATS } from "./format.ts";
import { compilePattern } from "./pattern.ts";

/** What a keyword that holds no schemas may have for a value. */
export interface ValueRule {
  readonly accepts: (value: unknown) => boolean;
  /** Said of other values. Without one they are no mistake, but only unknown. */
  readonly problem?: string;
}

const NUMBER: ValueRule = { accepts: (value) => typeof value === "number", problem: "it is not a number" };

const COUNT: ValueRule = {
  accepts: (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
  problem: "it is not a count",
};

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);

/** The keywords that hold no schemas, in the words of 2020-12. A value that is accepted can be compiled as it is. */
export const VALUE_KEYWORDS: ReadonlyMap<string, ValueRule> = new Map<string, ValueRule>([
  [
    "type",
    {
      accepts: (value) => {
        const types = [value].flat();
        return types.length > 0 && types.every((type) => TYPES.has(type));
      },
      problem: "it is no type of JSON Schema",
    },
  ],
  ["enum", { accepts: (value) => Array.isArray(value) && value.length > 0, problem: "it is not a list of values" }],
  ["const", { accepts: () => true }],
  ["minimum", NUMBER],
  ["maximum", NUMBER],
  ["exclusiveMinimum", NUMBER],
  ["exclusiveMaximum", NUMBER],
  ["multipleOf", { accepts: (value) => typeof value === "number" && value > 0, problem: "it is not a number above 0" }],
  ["minLength", COUNT],
  ["maxLength", COUNT],
  ["pattern", { accepts: isPattern, problem: "it is not a regular expression of JavaScript" }],
  // Formats may be invented.
  ["format", { accepts: (value) => typeof value === "string" && FORMATS.has(value) }],
  ["minItems", COUNT],
  ["maxItems", COUNT],
  ["uniqueItems", { accepts: (value) => typeof value === "boolean", problem: "it is neither true nor false" }],
  ["minContains", COUNT],
  ["maxContains", COUNT],
  ["minProperties", COUNT],
  ["maxProperties", COUNT],
  ["required", { accepts: isNames, problem: "it is not a list of names" }],
  [
    "dependentRequired",
    {
      accepts: (value) => isRecord(value) && Object.values(value).every(isNames),
      problem: "it is not an object of lists of names",
    },
  ],
]);

/** How many values a keyword lists. */
export function listedValues(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.values(value).flat().length : 0;
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  return typeof value === type || (type === "integer" && Number.isInteger(value));
}

function isPattern(value: unknown): boolean {
  return typeof value === "string" && compilePattern(value) !== undefined;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
