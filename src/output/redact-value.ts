import { VALUE_DEPTH } from "./limits.ts";
import type { Redactor } from "./redact.ts";

/**
 * A copy of a JSON value with secrets masked in all strings and keys, also in numbers whose digits are a secret (they become
 * strings). Order and structure stay; two keys that become the same are told apart by ` (2)`.
 *
 * What JSON cannot hold is treated as `JSON.stringify` would, except that it never throws: big integers become strings, and
 * levels beyond `VALUE_DEPTH`, cycles among them, become a notice.
 */
export function redactValue(value: unknown, redact: Redactor): unknown {
  return redactAt(value, redact, 0);
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
      return Array.isArray(value)
        ? Array.from(value, (item) => redactAt(item, redact, depth + 1) ?? null)
        : redactEntries(Object.entries(value), redact, depth);
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

/** `Object.fromEntries` defines properties, so a key named `__proto__` stays an ordinary key. */
function redactEntries(entries: readonly (readonly [string, unknown])[], redact: Redactor, depth: number): object {
  const redacted = new Map<string, unknown>();
  for (const [key, value] of entries) {
    const copy = redactAt(value, redact, depth + 1);
    if (copy === undefined) continue;
    const wanted = redact(key);
    let name = wanted;
    for (let n = 2; redacted.has(name); n++) name = `${wanted} (${n})`;
    redacted.set(name, copy);
  }
  return Object.fromEntries(redacted);
}
