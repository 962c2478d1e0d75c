import { isRecord } from "../json-record.ts";

/**
 * Whether a default looks computed when the tools were listed: a date, a time with seconds, seconds or milliseconds since
 * 1970, a random id. Two of 104 servers do so; their declarations would differ at every start. A time in minutes (`09:00`) and
 * short ids count as meant to stay, as they mostly are.
 */
export function isOfTheMoment(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return FORMS.some((form) => form.test(text));
}

/** The schema without defaults and examples that differ at every start. The depth must be bounded. */
export function withoutMoments(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMoments);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => !(SAMPLES.has(keyword) && isOfTheMoment(value)));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      const named = NAMES.has(keyword) && isRecord(value) ? Object.entries(value) : undefined;
      const parts = named?.map(([name, part]) => [name, withoutMoments(part)] as const);
      return [keyword, parts ? Object.fromEntries(parts) : withoutMoments(value)] as const;
    }),
  );
}

const SAMPLES = new Set(["default", "example", "examples"]);

/** Keywords whose keys are names: a property may be called `default`. */
const NAMES = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

const FORMS: readonly RegExp[] = [
  // A year of these days, in whatever form of date it stands, in any language; or alone.
  /(?<!\d)20[23]\d(?!\d)/,
  // ISO 8601 without separators.
  /(?<!\d)20[23]\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?!\d)/,
  // Years of two digits.
  /(?<!\d)\d\d?([-/.])\d\d?\1\d\d(?!\d)/,
  // Times of the day with seconds.
  /(?<!\d)\d\d?:\d\d:\d\d/,
  // Seconds, milliseconds and more since 1970.
  /\d{10}/,
  // UUIDs and other random ids.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\b(?=[a-f]*\d)[0-9a-f]{16,}\b/i,
  /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/,
];
