import { nearest } from "../../catalog/nearest.ts";
import { escapeInvisible } from "../../catalog/visible-text.ts";
import { isRecord } from "../json-record.ts";
import { isPlainName } from "../property-names.ts";

/** Longest piece of foreign text that is quoted, in characters. */
const QUOTED_LENGTH = 60;
/** Values and names that are listed before the rest is only counted. */
const LISTED = 12;

/** Where a value stands, as a snippet would write it: `args.items[3].price`, `args["odd-name"]`. */
export function pathOf(args: unknown, pointer: string): string {
  let path = "args";
  let value = args;
  for (const step of stepsOf(pointer)) {
    path += Array.isArray(value) ? `[${step}]` : propertyAccess(step);
    value = childOf(value, step);
  }
  return path;
}

/** A property behind an object: `.name` or `["odd-name"]`. */
export function propertyAccess(name: string): string {
  return isPlainName(name) && name.length <= QUOTED_LENGTH ? `.${name}` : `[${quote(name)}]`;
}

/** A property by itself: `name` or `"odd-name"`. */
export function propertyName(name: string): string {
  return isPlainName(name) && name.length <= QUOTED_LENGTH ? name : quote(name);
}

/** What a value is, for the end of a sentence: `"done" (string)`, `250 (number)`, `null`, `a list of 3`. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  if (isRecord(value)) {
    const names = Object.keys(value);
    return names.length === 0 ? "an empty object" : `an object with ${listNames(names, 4)}`;
  }
  if (value === null || value === undefined) return String(value);
  return `${literal(value)} (${typeof value})`;
}

/** A value as JSON, clipped. */
export function literal(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value) || isRecord(value)) return clip(JSON.stringify(value) ?? "");
  return String(value);
}

/** Foreign text in quotes, clipped, with nothing invisible in it. */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(cut(text, QUOTED_LENGTH)));
}

/** Foreign text as it is, clipped, with nothing invisible in it. */
export function clip(text: string, length = QUOTED_LENGTH): string {
  return escapeInvisible(cut(text, length));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** Values in a row: `"open", "closed"`. */
export function listValues(values: readonly unknown[], most = LISTED): string {
  return listTexts(
    values.slice(0, most).map((value) => literal(value)),
    values.length,
  );
}

/** Property names in a row. */
export function listNames(names: readonly string[], most = LISTED): string {
  return listTexts(names.slice(0, most).map(propertyName), names.length);
}

/** `a, b or c`. */
export function joinWords(words: readonly string[], word = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`;
}

/** A number of things: `1 item`, `2 properties`. */
export function count(number: unknown, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.replace(/y$/, "ie")}s`;
}

function listTexts(texts: readonly string[], count: number): string {
  return count > texts.length ? `${texts.join(", ")} and ${count - texts.length} more` : texts.join(", ");
}

/** The text that was most likely meant, if any is like it. Looks at the first 200 only: likeness takes long to compute. */
export function likeliest(wanted: unknown, candidates: readonly unknown[]): string | undefined {
  if (typeof wanted !== "string" || wanted.length > QUOTED_LENGTH) return undefined;
  const texts = candidates
    .slice(0, 200)
    .flatMap((candidate) => (typeof candidate === "string" && candidate.length <= QUOTED_LENGTH ? [candidate] : []));
  return nearest(wanted, texts)[0];
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function childOf(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  // Holds since the line above found the property.
  return (value as Readonly<Record<string, unknown>>)[step];
}
