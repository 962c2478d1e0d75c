import { escapeInvisible } from "../catalog/visible-text.ts";

/** One part of the text of a run, and whether something is missing from it. */
export interface Section {
  readonly text: string;
  readonly cut: boolean;
}

/** Fences foreign text with more backticks than it has in a row, so that it cannot pass for words of ours. */
export function fence(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g), (run) => run[0].length).reduce((a, b) => Math.max(a, b), 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/** No real name is as long; a longer one is shown up to here. */
const NAME_CHARACTERS = 200;

/** A foreign name, such as a tool's, for use inside a line of ours: it cannot start a line of its own, or go on and on. */
export function inLine(name: string): string {
  const line = escapeInvisible(name).replaceAll("\n", "\\n");
  return line.length > NAME_CHARACTERS ? `${line.slice(0, NAME_CHARACTERS)}…` : line;
}
