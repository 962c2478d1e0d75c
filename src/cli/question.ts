import { dropInvisible, escapeInvisible } from "../catalog/visible-text.ts";
import type { Answer, Question } from "../gate/ask.ts";

/** Characters of a tool's description that a question shows. */
const DESCRIPTION = 200;

/**
 * What a person reads before deciding: the tool, its effect as the server tells it, and the arguments in full. Characters
 * that could hide or reorder text, or steer the terminal, are shown as escapes.
 */
export function questionText({ sequence, tool, args, waiting }: Question): string {
  const behind = waiting > 0 ? `, ${waiting} more waiting` : "";
  const lines = [
    "",
    `nami: the snippet wants to call ${escapeInvisible(tool.ref)}  (call ${sequence}${behind})`,
    `  ${effect(tool.annotations)}${firstLine(tool.description)}`,
    ...escapeInvisible(JSON.stringify(args, null, 2))
      .split("\n")
      .map((line) => `  ${line}`),
    `Allow?  y = this call   a = every ${escapeInvisible(tool.ref)} in this run   n = no (default): `,
  ];
  return lines.join("\n");
}

/** The answer on a line, or undefined when it is none of the choices. An empty line is a no. */
export function answerFrom(line: string): Answer | undefined {
  switch (line.trim().toLowerCase()) {
    case "y":
    case "yes":
      return "once";
    case "a":
    case "all":
      return "tool";
    case "":
    case "n":
    case "no":
      return "deny";
    default:
      return undefined;
  }
}

function effect(annotations: Question["tool"]["annotations"]): string {
  if (annotations?.readOnlyHint) return "The server says: only reads. ";
  if (annotations?.destructiveHint) return "The server says: may destroy or overwrite. ";
  return "";
}

function firstLine(description: string | undefined): string {
  const [line = ""] = dropInvisible(description ?? "")
    .trim()
    .split("\n");
  return line.length > DESCRIPTION ? `${line.slice(0, DESCRIPTION)}…` : line;
}
