import { isRecord } from "../json-record.ts";

/**
 * Whether a default looks computed when the tools were listed: a date, a time, seconds or milliseconds since 1970, a random
 * id. Two of 104 servers do so; their declarations would differ at every start.
 */
export function isOfTheMoment(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return FORMS.some((form) => form.test(text));
}

/** The schema without defaults and examples that differ at every start. The depth must be bounded. */
export function withoutMoments(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMoments);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !(SAMPLES.has(key) && isOfTheMoment(value)));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutMoments(value)] as const));
}

const SAMPLES = new Set(["default", "example", "examples"]);

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";

const FORMS: readonly RegExp[] = [
  // ISO 8601, with and without separators, and the same with slashes or dots.
  /\d{4}([-/.])\d\d?\1\d\d?/,
  /\b(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\b|T)/i,
  // Days first, or months first.
  /\b\d\d?([-/.])\d\d?\1\d{4}\b/,
  // RFC 1123, `Date.prototype.toString`, dates in words.
  new RegExp(`\\b${MONTH}\\b.{0,8}\\b\\d{4}\\b|\\b\\d{1,2}[a-z]{0,2}[ -]${MONTH}\\b`, "i"),
  // Times of the day with seconds.
  /\b\d\d:\d\d:\d\d/,
  // Seconds, milliseconds and more since 1970.
  /\d{10}/,
  // UUIDs and other random ids.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\b(?=[a-f]*\d)[0-9a-f]{16,}\b/i,
  /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/,
];
