import { closeSync, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from "node:fs";
import type { TimedEntry } from "./entry.ts";
import { nextSetAside, setAsideFiles } from "./files.ts";
import { hashOf, lineOf } from "./link.ts";
import { readTail, type Tail } from "./tail.ts";

/** The file that lines are appended to. Only to be used by whoever holds the lock. */
export interface Chain {
  /**
   * Appends the entries as lines, each with the hash of the one before, and returns when the operating system has them. Sets
   * the file aside first when it is full. Throws what the file system throws; then none of the lines is in the file.
   */
  append(entries: readonly TimedEntry[]): void;
}

export function createChain(file: string, fullAt: number): Chain {
  /** Where our own last line ended. Somebody else has written since when the file is another or of another size. */
  let known: { readonly id: number; readonly size: number; readonly tail: Tail } | undefined;
  return {
    append: (entries) => {
      const { descriptor, id, size } = openCurrent(file, fullAt);
      try {
        const tail =
          known?.id === id && known.size === size ? known.tail : readTail([file, ...setAsideFiles(file).reverse()]);
        known = undefined;
        const { text, next } = linesAfter(tail, entries);
        writeAll(descriptor, Buffer.from(text), size);
        known = { id, size: fstatSync(descriptor).size, tail: next };
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** The file open for appending (mode 0600). */
function openCurrent(file: string, fullAt: number) {
  const descriptor = openSync(file, "a", 0o600);
  const { ino: id, size } = fstatSync(descriptor);
  if (size < fullAt) return { descriptor, id, size };
  closeSync(descriptor);
  renameSync(file, nextSetAside(file, new Date()));
  const fresh = openSync(file, "a", 0o600);
  return { descriptor: fresh, id: fstatSync(fresh).ino, size: 0 };
}

function linesAfter(tail: Tail, entries: readonly TimedEntry[]): { readonly text: string; readonly next: Tail } {
  let text = tail.isOpen ? "\n" : "";
  let next = tail;
  for (const entry of entries) {
    const line = lineOf(entry, next);
    text += `${line}\n`;
    next = { previous: hashOf(line), isOpen: false };
  }
  return { text, next };
}

/** Writes all bytes or, as when the disk becomes full half-way, none. */
function writeAll(descriptor: number, bytes: Buffer, size: number): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    try {
      ftruncateSync(descriptor, size);
    } catch {
      // What is left is a cut line; the next one says so.
    }
    throw error;
  }
}
