import { docComment } from "../doc-comment.ts";

/**
 * The comment of a part of a type with at most `limit` characters of documentation: whole and on as many lines as it has
 * when there is room, else on one line, cut between words; tags (`@minimum 1`) that do not fit are left out. `limit` 0
 * gives none.
 */
export function foldedDoc(text: string, limit: number, level: number): string {
  if (text.length <= limit) return docComment(text, level);
  return docComment(clipDoc(text, limit), level);
}

/** Whether a text is shown as a whole within the limit. */
export function isDocWhole(text: string, limit: number): boolean {
  return text.length <= limit;
}

/** Characters of tags that are kept behind a text that is cut. */
const TAGS_LENGTH = 60;

function clipDoc(text: string, limit: number): string {
  if (limit <= 0) return "";
  const lines = text.split("\n");
  const firstTag = lines.findIndex((_, index) => lines.slice(index).every((line) => line.startsWith("@")));
  const prose = (firstTag === -1 ? lines : lines.slice(0, firstTag)).join(" ").replace(/\s+/g, " ").trim();
  let tags = "";
  for (const tag of firstTag === -1 ? [] : lines.slice(firstTag)) {
    const longer = tags === "" ? tag : `${tags} ${tag}`;
    if (longer.length <= Math.min(TAGS_LENGTH, limit)) tags = longer;
  }
  return [clipWords(prose, limit - tags.length), tags].filter(Boolean).join(" ");
}

/** How far back a cut looks for the end of a word; scripts without blanks are cut between characters. */
const LONGEST_WORD = 40;

/** A text on one line of at most `limit` characters, cut behind a word; `…` shows that it was cut. */
export function clipWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 2) return "";
  const head = text.slice(0, limit);
  const blank = head.lastIndexOf(" ");
  const end = blank > 0 && blank >= limit - LONGEST_WORD ? blank : wholeCharacters(text, limit - 1);
  return `${text.slice(0, end).replace(/[\s,;:(–-]+$/u, "")}…`;
}

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The nearest end that divides nothing that a reader sees as one character. */
function wholeCharacters(text: string, end: number): number {
  return characters.segment(text).containing(end)?.index ?? end;
}
