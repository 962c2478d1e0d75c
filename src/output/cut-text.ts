import { countTokens, estimateTokens } from "./tokens.ts";

/** A text that was made to fit, and how much of it is missing. */
export interface CutText {
  readonly text: string;
  /** UTF-16 units that were left out; 0 when the text is whole. */
  readonly cutCharacters: number;
}

/**
 * Keeps a text's beginning and its end, twice as much of the beginning, and says in between how many characters are missing.
 * `keep` counts UTF-16 units. Never cuts a character in two.
 */
export function cutMiddle(text: string, keep: number): CutText {
  if (keep >= text.length) return { text, cutCharacters: 0 };
  const headEnd = beforePair(text, Math.ceil((keep * 2) / 3));
  const tailStart = afterPair(text, text.length - Math.floor(keep / 3));
  const cutCharacters = tailStart - headEnd;
  return {
    text: `${text.slice(0, headEnd)}…[${cutCharacters} characters cut]…${text.slice(tailStart)}`,
    cutCharacters,
  };
}

/** Cuts the middle out of a text until it has at most `budget` tokens. A text that fits comes back as it is. */
export async function cutToTokens(text: string, budget: number): Promise<CutText> {
  // A UTF-16 unit is three bytes of UTF-8 at most, and a token is one byte at least.
  if (text.length * 3 <= budget) return { text, cutCharacters: 0 };
  const tokens = await estimateTokens(text);
  if (tokens <= budget) return { text, cutCharacters: 0 };
  for (let keep = Math.floor((text.length * budget) / tokens); keep > 0; keep = Math.floor(keep * 0.85)) {
    const cut = cutMiddle(text, keep);
    if ((await countTokens(cut.text)) <= budget) return cut;
  }
  return cutMiddle(text, 0);
}

/** An end position that does not fall between the halves of a surrogate pair. */
function beforePair(text: string, end: number): number {
  return isPairAt(text, end - 1) ? end - 1 : end;
}

function afterPair(text: string, start: number): number {
  return isPairAt(text, start - 1) ? start + 1 : start;
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
