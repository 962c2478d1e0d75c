import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { GENESIS, hashOf, hashOfCut, type Link, readLine } from "./link.ts";

/** Where the chain goes on. */
export interface Tail extends Link {
  /** Whether the last line has no line break: whoever wrote it did not come to its end. */
  readonly isOpen: boolean;
}

/**
 * Reads where the chain of these files, newest first, ends: at the last whole line. Reads no more of them than that takes.
 * Throws what the file system throws.
 */
export function readTail(files: readonly string[]): Tail {
  const cut: Buffer[] = [];
  let isOpen: boolean | undefined;
  const ended = (previous: string): Tail => ({
    previous,
    ...(cut.length > 0 && { cut: hashOfCut(cut) }),
    isOpen: isOpen ?? false,
  });
  for (const file of files) {
    for (const { line, hasBreak } of linesBackwards(file)) {
      // Only the newest file is written to.
      isOpen ??= file === files[0] && !hasBreak;
      if (readLine(line) !== undefined) return ended(hashOf(line));
      cut.unshift(line);
    }
  }
  return ended(GENESIS);
}

interface LastLine {
  readonly line: Buffer;
  readonly hasBreak: boolean;
}

/** Bytes that are read at first: several lines. With a line that is longer, as much again each time. */
const CHUNK = 16_384;

const LINE_BREAK = 0x0a;

/** The lines of a file, the last one first, without their line breaks. */
function* linesBackwards(file: string): Generator<LastLine> {
  const descriptor = openSync(file, "r");
  try {
    let start = fstatSync(descriptor).size;
    let text = Buffer.alloc(0);
    let hasBreak = false;
    while (start > 0) {
      const chunk = Buffer.alloc(Math.min(Math.max(CHUNK, text.length), start));
      start -= chunk.length;
      readSync(descriptor, chunk, 0, chunk.length, start);
      text = Buffer.concat([chunk, text]);
      if (!hasBreak && text.at(-1) === LINE_BREAK) {
        hasBreak = true;
        text = text.subarray(0, -1);
      }
      for (let at = text.lastIndexOf(LINE_BREAK); at !== -1; at = text.lastIndexOf(LINE_BREAK)) {
        yield { line: text.subarray(at + 1), hasBreak };
        hasBreak = true;
        text = text.subarray(0, at);
      }
    }
    if (text.length > 0 || hasBreak) yield { line: text, hasBreak };
  } finally {
    closeSync(descriptor);
  }
}
