/**
 * Whether a text fits a pattern as a whole; `*` stands for any characters, also none. Never tries again what it has passed:
 * its time grows with the text's length, whatever the pattern.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Characters of a pattern that are no `*`: the more, the less it covers. */
export function literalLength(pattern: string): number {
  return pattern.replaceAll("*", "").length;
}
