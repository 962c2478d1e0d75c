import { createHash } from "node:crypto";

/** Names that Windows keeps for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * The file for a server's declarations. Names of small letters, digits, `_` and `-` are kept; others become safe, and get
 * eight digits of a hash, so that two never share a file, also where `A` and `a` are the same.
 */
export function declarationFile(namespace: string): string {
  if (/^[a-z0-9_]{1,64}$/.test(namespace) && !DEVICES.test(namespace)) return `${namespace}.d.ts`;
  const readable = namespace.replace(/[^A-Za-z0-9_]/g, "_").slice(0, 40);
  return `${readable}-${createHash("sha256").update(namespace).digest("hex").slice(0, 8)}.d.ts`;
}
