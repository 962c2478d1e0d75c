import { dropInvisible } from "../catalog/visible-text.ts";

/** Longest description of a tool or a property in the declarations, in characters. The longest seen had 40,326. */
const DOCUMENTED = 1000;

/**
 * A server's text for use inside a comment: nothing that hides or reorders text, cannot end the comment, and holds no
 * directive to the compiler (`@ts-ignore` works in block comments too). At most 1,000 characters.
 */
export function commentText(text: string): string {
  const visible = dropInvisible(text.replace(/\r\n?|[\u2028\u2029]/g, "\n")).toWellFormed();
  const lines = visible.split("\n").map((line) => line.trimEnd());
  const tidy = lines
    .join("\n")
    .trim()
    .replace(/\n{3,}/g, "\n\n");
  return clip(harmless(tidy), DOCUMENTED);
}

/** A JSDoc comment of these lines, indented by two blanks a level; empty for an empty text. */
export function docComment(text: string, level: number): string {
  if (text === "") return "";
  const indent = "  ".repeat(level);
  const lines = text.split("\n");
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n");
  return `${indent}/**\n${body}\n${indent} */\n`;
}

/** The first sentence of a text on one line, at most `limit` characters. */
export function firstSentence(text: string, limit: number): string {
  const line = dropInvisible(text.replace(/[\r\u2028\u2029]/g, "\n"))
    .toWellFormed()
    .trim()
    .replace(/\s+/g, " ");
  const [, sentence = line] = /^(.+?(?<!\d)[.!?])(?: (?=[^a-z])|$)/u.exec(line) ?? /^(.+?[。！？])/u.exec(line) ?? [];
  return clip(harmless(sentence), limit);
}

function harmless(text: string): string {
  return text
    .replace(/\*(?=\/)/g, "*\\")
    .replace(/@+(?=ts-)/gi, "")
    .replace(/\/{3,}(?=\s*<)/g, "//");
}

function clip(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text
        .slice(0, limit - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trimEnd()}…`;
}
