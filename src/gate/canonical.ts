import { createHash } from "node:crypto";

/**
 * JSON text with sorted keys: equal values give equal text (RFC 8785 in spirit; numbers and strings as `JSON.stringify`
 * writes them).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** SHA-256 of server, tool and exact arguments, in hexadecimal: what an approval or an audit line speaks of. */
export function callHash(server: string, tool: string, args: unknown): string {
  return createHash("sha256")
    .update(canonicalJson([server, tool, args]))
    .digest("hex");
}

/** Freezes a JSON value all through, so that what a person saw is what is sent. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
