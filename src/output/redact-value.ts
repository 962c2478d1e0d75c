import { VALUE_DEPTH } from "./limits.ts";
import { MIN_SECRET_LENGTH, type Redactor } from "./redact.ts";

/**
 * A JSON value with secrets masked in all strings and keys, also in numbers whose digits are a secret (they become
 * strings). Order and structure stay; two keys that become the same are told apart by ` (2)`.
 *
 * What JSON cannot hold is treated as `JSON.stringify` would, except that it never throws: big integers become strings, and
 * levels beyond `VALUE_DEPTH`, cycles among them, become a notice.
 *
 * A value in which nothing is to change comes back itself, not as a copy, and so do its parts: for large values, copying
 * costs more than looking.
 */
export function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  return isClean(value, redact) ? value : redactAt(value, redact, 0);
}

/** How many characters of a value's texts are looked through at a time, at least. */
const BATCH_CHARACTERS = 1_000_000;

/**
 * Whether redaction would change nothing: the value is plain JSON, and its texts have nothing to mask. The texts are joined
 * by line breaks, so what a redactor finds in one of them alone it finds here too. (Serialised JSON would not do: there, a
 * secret that is already escaped, or a token after a control character, looks different.)
 */
function isClean(value: unknown, redact: Redactor): boolean {
  let batch = "";
  const isBatchClean = (): boolean => {
    const text = batch;
    batch = "";
    return redact(text) === text;
  };
  const isTextClean = (text: string): boolean => {
    if (text.length < MIN_SECRET_LENGTH) return true;
    batch += `${text}\n`;
    return batch.length < BATCH_CHARACTERS || isBatchClean();
  };
  return isPlain(value, isTextClean, 0) && isBatchClean();
}

/** Whether a value is JSON of bounded depth as it stands and all its strings, keys and numbers pass. */
function isPlain(value: unknown, passes: (text: string) => boolean, depth: number): boolean {
  switch (typeof value) {
    case "string":
      return passes(value);
    case "number":
      return Number.isFinite(value) && passes(String(value));
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      if (depth >= VALUE_DEPTH) return false;
      if (Array.isArray(value)) return isEveryItemPlain(value, passes, depth + 1);
      return isEveryEntryPlain(value, passes, depth + 1);
    default:
      return false;
  }
}

/** Not `every`: it passes over holes. */
function isEveryItemPlain(items: readonly unknown[], passes: (text: string) => boolean, depth: number): boolean {
  for (const item of items) if (!isPlain(item, passes, depth)) return false;
  return true;
}

function isEveryEntryPlain(value: object, passes: (text: string) => boolean, depth: number): boolean {
  if (!isPlainObject(value)) return false;
  // Any object can be read by its own keys. `Object.entries` is three times slower when there are many.
  const items = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(value)) {
    if (!passes(key) || !isPlain(items[key], passes, depth)) return false;
  }
  return true;
}

/** Objects of a class are not plain: `JSON.stringify` may call their `toJSON`. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function redactAt(value: unknown, redact: Redactor, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return redact(value);
    case "number":
      return redactNumber(value, redact);
    case "bigint":
      return redact(value.toString());
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      if (depth >= VALUE_DEPTH) return `[more than ${VALUE_DEPTH} levels deep: cut]`;
      return Array.isArray(value) ? redactItems(value, redact, depth) : redactObject(value, redact, depth);
    default:
      return undefined;
  }
}

function redactNumber(value: number, redact: Redactor): number | string | null {
  if (!Number.isFinite(value)) return null;
  const digits = String(value);
  const redacted = redact(digits);
  return redacted === digits ? value : redacted;
}

function redactItems(items: readonly unknown[], redact: Redactor, depth: number): readonly unknown[] {
  const copies = Array.from(items, (item) => redactAt(item, redact, depth + 1) ?? null);
  return copies.every((copy, index) => copy === items[index]) ? items : copies;
}

function redactObject(value: object, redact: Redactor, depth: number): object {
  const entries = Object.entries(value);
  const copies = entries.map(([key, item]) => [redact(key), redactAt(item, redact, depth + 1)] as const);
  const isSame = copies.every(([key, copy], index) => key === entries[index]?.[0] && copy === entries[index]?.[1]);
  return isSame && isPlainObject(value) ? value : nameApart(copies);
}

/** `Object.fromEntries` defines properties, so a key named `__proto__` stays an ordinary key. */
function nameApart(entries: readonly (readonly [string, unknown])[]): object {
  const named = new Map<string, unknown>();
  /** The next number to try for a name, so that a hundred thousand equal ones take no quadratic time. */
  const numbers = new Map<string, number>();
  for (const [wanted, value] of entries) {
    if (value === undefined) continue;
    let name = wanted;
    for (let n = numbers.get(wanted) ?? 2; named.has(name); n++) {
      name = `${wanted} (${n})`;
      numbers.set(wanted, n + 1);
    }
    named.set(name, value);
  }
  return Object.fromEntries(named);
}
