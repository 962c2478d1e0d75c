/** Longest regular expression that is tried, in characters. The longest in 2,970 real tools has 288. */
const MAX_PATTERN = 2000;

/**
 * A server's regular expression, in JavaScript's dialect as JSON Schema asks for; undefined when it is none. Servers in other
 * languages send theirs: what JavaScript reads without complaint but as something else (`\A`, `\pL`, `[[:alpha:]]`, `{,3}`)
 * counts as none, or good arguments would be rejected. Says nothing about how long a match takes.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  if (pattern.length > MAX_PATTERN || SET_OPERATION.test(pattern)) return undefined;
  const unicode = tryPattern(pattern, "u");
  // Without the flag more is allowed that people write, such as `[\w-.]` and `\_`.
  return unicode ?? (isForeign(pattern) ? undefined : tryPattern(pattern, ""));
}

function tryPattern(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** A class within a class and sets that are combined (Java, .NET, Python's `regex`): JavaScript sees brackets and signs. */
const SET_OPERATION = /(?<!\\)\[[^\]]*(?:&&|--|~~|\|\||-\[)/;

/** Whether another dialect means something else by a pattern that only JavaScript's oldest rules can read. */
function isForeign(pattern: string): boolean {
  let inClass = false;
  let hasNested = false;
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token.startsWith("\\")) {
      if (FOREIGN_ESCAPE.test(token)) return true;
    } else if (inClass) {
      if (/^\[[:=.]/.test(token)) return true;
      hasNested ||= token.startsWith("[");
      inClass = !token.endsWith("]");
    } else if (token === "[]" || token === "[^]" || token === "{,") {
      return true;
    } else if (token === "]") {
      // The end of a class within a class, as Java has them.
      if (hasNested) return true;
    } else {
      inClass = true;
    }
  }
  return false;
}

/** The parts of a pattern that matter: escapes with what they take, brackets, and a quantifier without a lower bound. */
const TOKEN = /\\(?:x[\da-f]{2}|u[\da-f]{4}|[\s\S])|\[[:=.]|\[\^?\]?|\]|\{,(?=\d)/gi;

/** Escaped letters without a meaning, or with less than other dialects give them. */
const FOREIGN_ESCAPE = /^\\(?:[^\W\d_bBdDfnrsStvwWkxu]|[xu]$)/;
