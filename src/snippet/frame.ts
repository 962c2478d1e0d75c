import { FRAME_WIDTH } from "./limits.ts";

/** A place in a text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

/**
 * The line with carets under `length` characters, indented by two spaces. A long line is cut around the place; what
 * goes beyond the line is not underlined.
 */
export function frame(text: string, position: Position, length: number): string {
  const full = (text.split("\n")[position.line - 1] ?? "").replaceAll("\t", " ");
  const indent = full.length - full.trimStart().length;
  let quoted = full.slice(indent);
  let column = Math.max(0, position.column - 1 - indent);
  if (quoted.length > FRAME_WIDTH) {
    const cut = column < FRAME_WIDTH - 40 ? 0 : column - 40;
    quoted = `${cut > 0 ? "…" : ""}${quoted.slice(cut, cut + FRAME_WIDTH - 2)}${cut + FRAME_WIDTH - 2 < quoted.length ? "…" : ""}`;
    column -= cut > 0 ? cut - 1 : 0;
  }
  const carets = "^".repeat(Math.max(1, Math.min(length, quoted.length - column)));
  const gutter = String(position.line);
  return `  ${gutter} | ${quoted}\n  ${" ".repeat(gutter.length)} | ${" ".repeat(column)}${carets}`;
}

/** A text cut to a length, with `…` in place of the rest. */
export function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
