import type { Diagnostic } from "./diagnostic.ts";
import { tooMuch } from "./nesting.ts";
import { parses } from "./normalise.ts";

/** A snippet without the Markdown around it. */
export interface Unfenced {
  readonly text: string;
  readonly note?: string;
  /** Why no snippet could be told from the rest; then `text` is the whole answer. */
  readonly problem?: Diagnostic;
}

/** Languages after a fence that we take for a snippet; no language counts when no block has one of these. */
const SNIPPET_LANGUAGES = new Set(["ts", "tsx", "typescript", "js", "jsx", "mjs", "mts", "javascript"]);

interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence in the answer, from 1. */
  readonly line: number;
}

/**
 * Takes the code block out of a Markdown answer, with or without prose around it, also when the closing fence is missing.
 * A fence is a line that begins with ``` (or with ~~~ when the text opens with it). A text that is a program, or that has
 * code in front of its first fence, is left alone: there the fence is part of a template or a comment, and a cut would run
 * another program than the one that was sent. Two blocks are a problem. Line ends become `\n` and a byte-order mark goes.
 */
export function removeFences(answer: string): Unfenced {
  const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const blocks = codeBlocks(text);
  const [opening] = blocks;
  if (opening === undefined) return { text };
  const lead = text.split("\n").slice(0, opening.line - 1);
  const isBare = lead.every((line) => line.trim() === "");
  if (!isBare && (hasCode(lead) || isProgram(text))) return { text };
  const tagged = blocks.filter(({ language }) => SNIPPET_LANGUAGES.has(language));
  const [only, second] = tagged.length > 0 ? tagged : blocks.filter(({ language }) => language === "");
  if (only === undefined) return { text };
  if (second !== undefined) return { text, problem: severalBlocks(second.line) };
  return { text: only.text, note: "removed the Markdown fence around the snippet" };
}

function codeBlocks(text: string): Block[] {
  const fence = /^\s*~~~/.test(text) ? /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)/ : /^[ \t]*(`{3,})[ \t]*([\w+-]*)/;
  const blocks: Block[] = [];
  let open: { marker: string; language: string; line: number; lines: string[] } | undefined;
  const close = (): void => {
    if (!open) return;
    const { language, line, lines } = open;
    blocks.push({ language: language.toLowerCase(), line, text: `${lines.join("\n").trimEnd()}\n` });
    open = undefined;
  };
  for (const [index, line] of text.split("\n").entries()) {
    const [, marker = "", language = ""] = fence.exec(line) ?? [];
    if (open && line.trim().startsWith(open.marker)) close();
    else if (open) open.lines.push(line);
    else if (marker !== "") open = { marker, language, line: index + 1, lines: [] };
  }
  close();
  return blocks;
}

/**
 * Whether lines are code rather than prose: a template is open at their end, or a line is a comment or reads like a
 * statement.
 */
function hasCode(lines: readonly string[]): boolean {
  const backticks = lines.join("\n").match(/(?<!\\)`/g)?.length ?? 0;
  return backticks % 2 === 1 || lines.some((line) => CODE_LINE.test(line));
}

const CODE_LINE =
  /\/\*|^\s*\/\/|=>|[;{(]\s*$|^\s*(?:const|let|var)\s.*=|^\s*(?:return|await|throw)\s|^\s*(?:if|for|while)\s*\(|^\s*[\w$.]+\s*(?:=|\(.*\)\s*$)/;

const isProgram = (text: string): boolean => tooMuch(text) === undefined && parses(text);

function severalBlocks(line: number): Diagnostic {
  const message = "A second code block begins here, and it is not clear which is the snippet.";
  return { line, column: 1, severity: "error", code: "fences", message, hint: "Send one code block." };
}
