/** Random values for property tests: seeded, so that a failure can be repeated. */
export interface Random {
  /** An integer from 0 up to, but not including, the limit. */
  below(limit: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  text(length: number): string;
  json(depth: number): unknown;
}

/** Mulberry32, a public-domain generator: small, and good enough for tests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  const pick = <T>(from: readonly [T, ...T[]]): T => from[below(from.length)] ?? from[0];
  const text = (length: number): string => Array.from({ length }, () => pick(CHARACTERS)).join("");
  const json = (depth: number): unknown => {
    const kind = below(depth > 0 ? 8 : 5);
    if (kind === 0) return pick([true, false, null]);
    if (kind === 1) return pick([0, -0, 1e21, -12.5, below(1e9)]);
    if (kind <= 3) return text(below(20));
    if (kind === 4) return text(below(600));
    const size = below(pick([3, 8, 40]));
    if (kind <= 6) return Array.from({ length: size }, () => json(depth - 1));
    return Object.fromEntries(Array.from({ length: size }, () => [key(), json(depth - 1)]));
  };
  const key = (): string => pick([text(below(12)), text(below(200)), "__proto__", "constructor", "…", "id", "name"]);
  return { below, pick, text, json };
}

/** Letters, signs that JSON escapes, wide and paired characters, a lone half of a pair, and what looks like our marks. */
const CHARACTERS: readonly [string, ...string[]] = [
  "a",
  ..."bcdefghijklmnopqrstuvwxyz ABCDE0123456789",
  ...['"', "\\", "\n", "\t", "\u0000", "/", "`", "é", "漢", "😀", "\ud83d", "\u2028", "[cut]", "…", "{", "}", ",", ":"],
];
