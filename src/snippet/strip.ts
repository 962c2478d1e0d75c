import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { transformSync } from "oxc-transform";
import type { Mapped } from "./edits.ts";
import { type Position, positionAt } from "./frame.ts";

/** JavaScript, and the way from its places back to the author's. */
export interface Stripped {
  readonly code: string;
  /** Both places count lines and columns from 1. Nothing when the place is in text that is not the author's. */
  locate(line: number, column: number): Position | undefined;
}

/**
 * Takes the types out and turns enums, parameter properties and the like into JavaScript. The map is read only when a
 * place is asked for. Returns the compiler's message when it refuses the text.
 */
export function strip(runnable: Mapped, source: string): Stripped | { readonly error: string } {
  const { code, map, errors } = transformSync("snippet.ts", runnable.text, {
    lang: "ts",
    sourceType: "module",
    target: "esnext",
    sourcemap: true,
  });
  const [error] = errors;
  if (error || !map) return { error: error?.message ?? "the compiler gave no source map" };
  let trace: TraceMap | undefined;
  const lineStarts = startsOfLines(runnable.text);
  return {
    code,
    locate(line, column) {
      if (line < 1 || column < 1) return undefined;
      // The map has the fields of version 3; its type names them a little differently.
      trace ??= new TraceMap({ ...map, version: 3 });
      const original = originalPositionFor(trace, { line, column: column - 1 });
      if (original.line === null) return undefined;
      const offset = (lineStarts[original.line - 1] ?? 0) + original.column;
      return runnable.isOurs(offset) ? undefined : positionAt(source, runnable.toSource(offset));
    },
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  return starts;
}
