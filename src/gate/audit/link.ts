import { createHash } from "node:crypto";
import type { TimedEntry } from "./entry.ts";

/** What every line carries beside its entry: its tie to the lines before it. */
export interface Link {
  /** The hash of the whole line before this one, also when that one is in an earlier file. */
  readonly previous: string;
  /** The hash of what stands between the two, when a process or the disk failed in the middle of a line. */
  readonly cut?: string;
}

/** The `previous` of the very first line. */
export const GENESIS = "0".repeat(64);

/** The SHA-256 of a line without its line break, in hexadecimal. */
export function hashOf(line: string | Uint8Array): string {
  return createHash("sha256").update(line).digest("hex");
}

/** The hash of lines that are cut: of their bytes, joined by line breaks. */
export function hashOfCut(lines: readonly Uint8Array[]): string {
  return hashOf(Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [LINE_BREAK, line]))));
}

const LINE_BREAK = Buffer.from("\n");

/** An entry as a line without its line break. The link stands last, where no entry can override it. */
export function lineOf(entry: TimedEntry, { previous, cut }: Link): string {
  const { time, caller, ...rest } = entry;
  return JSON.stringify({ time, caller, ...rest, ...(cut !== undefined && { cut }), previous });
}

/** A line read back, or nothing when it is cut or was never nami's. */
export function readLine(line: Uint8Array): (Link & Readonly<Record<string, unknown>>) | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8"));
    if (typeof value !== "object" || value === null || !("previous" in value)) return undefined;
    const { previous } = value;
    if (typeof previous !== "string" || !HASH.test(previous)) return undefined;
    const cut = "cut" in value && typeof value.cut === "string" ? { cut: value.cut } : {};
    return { ...value, previous, ...cut };
  } catch {
    return undefined;
  }
}

const HASH = /^[0-9a-f]{64}$/;
