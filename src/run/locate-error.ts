import type { GuestError } from "../../sandbox/index.ts";
import type { Redactor } from "../output/redact.ts";
import type { Compiled } from "../snippet/compile.ts";
import { MISSING_GLOBALS } from "../snippet/missing-globals.ts";
import type { SnippetError } from "./result.ts";

/** The name that snippets have in stacks. */
export const SNIPPET_FILE = "snippet.ts";

type Program = Extract<Compiled, { kind: "program" }>;

/** A guest's error with its place in the author's text: the first frame of the stack that leads there. */
export function locateError(error: GuestError, program: Program): SnippetError {
  const place = firstPlace(error.stack ?? "", program);
  return {
    name: error.name,
    message: error.message + insteadOf(error),
    ...place,
    ...(error.tool !== undefined && { tool: error.tool }),
    ...(error.data !== undefined && { data: error.data }),
  };
}

/** What to use instead of a global that is not in the sandbox, if that is why the snippet threw. */
function insteadOf({ name, message }: GuestError): string {
  if (name !== "ReferenceError") return "";
  const [, missing = ""] = /^'?([\w$]+)'? is not defined$/.exec(message) ?? [];
  const instead = MISSING_GLOBALS.get(missing);
  return instead === undefined ? "" : `: it does not exist in the sandbox. ${instead}`;
}

function firstPlace(stack: string, program: Program): { line: number; column: number } | undefined {
  for (const [, line, column] of stack.matchAll(/snippet\.ts:(\d+):(\d+)/g)) {
    const place = program.locate(Number(line), Number(column));
    if (place) return place;
  }
  return undefined;
}

/** A text of the snippet with the places in it, such as those of a printed stack, in the author's lines, and no frames of ours. */
export function relocate(text: string, program: Program): string {
  if (!text.includes(SNIPPET_FILE)) return text;
  return text
    .replace(/^ *at .*nami:.*\n?/gm, "")
    .replaceAll("at __nami__ (", "at (")
    .replace(/snippet\.ts:(\d+):(\d+)/g, (match, line: string, column: string) => {
      const place = program.locate(Number(line), Number(column));
      return place ? `${SNIPPET_FILE}:${place.line}:${place.column}` : match;
    });
}

/** The author's line, redacted and cut, with a mark under the place, or nothing when there is no place. */
export function frameOf({ line, column }: SnippetError, source: string, redact: Redactor): string | undefined {
  if (line === undefined || column === undefined) return undefined;
  const text = source.split("\n")[line - 1];
  if (text === undefined) return undefined;
  const shown = redact(text).slice(0, FRAME_WIDTH);
  const margin = `${line} | `;
  return `${margin}${shown}\n${" ".repeat(margin.length + Math.min(column, FRAME_WIDTH) - 1)}^`;
}

/** Characters of a line that an error quotes. */
const FRAME_WIDTH = 160;
