/**
 * The names nearest to a name that does not exist, best first, at most three. Equal but for case and separators counts
 * most, then few typing mistakes, then words in common.
 */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const scored = names.map((name) => ({ name, score: likeness(wanted, name) }));
  return scored
    .filter(({ score }) => score >= LIKE_ENOUGH)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Below this a suggestion confuses more than it helps: tried on the spelling mistakes in the tests. */
const LIKE_ENOUGH = 0.6;

/** 2 for equal but for case and separators, else 0 (nothing in common) to 1. */
function likeness(a: string, b: string): number {
  const [shortA, shortB] = [squash(a), squash(b)];
  if (shortA === shortB) return 2;
  const typing = 1 - distance(shortA, shortB) / Math.max(shortA.length, shortB.length, 1);
  const [wordsA, wordsB] = [new Set(words(a)), new Set(words(b))];
  const common = [...wordsA].filter((word) => wordsB.has(word)).length / Math.max(wordsA.size, wordsB.size, 1);
  return Math.max(typing, common * 0.95);
}

const squash = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const words = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.replace(/ies$/, "y").replace(/s$/, ""));

/** Edits that turn one into the other: a letter more, less or other, or two neighbours swapped. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : substitution;
      next.push(Math.min(substitution, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
