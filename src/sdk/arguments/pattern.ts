/** Longest regular expression that is tried, in characters. The longest in 2,970 real tools has 288. */
const MAX_PATTERN = 2000;

/**
 * A server's regular expression, in JavaScript's dialect as JSON Schema asks for; undefined when it is none. Servers in other
 * languages send theirs: what JavaScript reads without complaint but as something else (`\A`, `\Z`, `[[:alpha:]]`) counts as
 * none, or good arguments would be rejected. Says nothing about how long a match takes.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const unicode = tryPattern(pattern, "u");
  if (unicode || FOREIGN.test(pattern)) return unicode;
  // Without the flag more is allowed that people write, such as `[\w-.]` and `\_`.
  return tryPattern(pattern, "");
}

/** Escaped letters without a meaning in JavaScript, and POSIX classes. */
const FOREIGN = /(?<!\\)(?:\\\\)*\\[^\W\d_bBcdDfnrsStuvwWxkpP]|\[\[[:.=]/;

function tryPattern(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
