/** Where something stands in a text: from its first unit to the one after its last. */
export type Span = readonly [start: number, end: number];

/**
 * Shapes of well-known credentials, for those that nobody told nami about. Prefixes as their issuers document them (OpenAI,
 * GitHub, GitLab, Slack, AWS, Google, npm, Stripe; RFC 7519 for JWT, RFC 6750 and 7617 for `Bearer` and `Basic`, RFC
 * 7468 for PEM).
 *
 * A pattern describes only a token's beginning and has no unbounded repetition: V8 overflows its stack on one that runs over
 * megabytes, and backtracking would make time quadratic. `sk-`, `Bearer` and `Basic` are followed by ordinary
 * words too (`sk-learn-examples`, `Bearer authentication`), so these ask for a digit within the first 65 characters.
 */
const BEGINNINGS = [
  /(?:[Bb]earer|[Bb]asic)[ \t]{1,4}(?=[A-Za-z._~+/-]{0,64}\d)[\w.~+/-]{16}/,
  /[sr]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /gh[pousr]_[A-Za-z0-9]{20}/,
  /github_pat_\w{20}/,
  /glpat-[\w-]{20}/,
  /(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10}/,
  /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  /AIza[\w-]{35}/,
  /npm_[A-Za-z0-9]{36}/,
];
const JWT_BEGINNING = /eyJ[\w-]{8,1000}\.eyJ[\w-]{8}/;
const KEY_BEGINNING = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** Where a token may begin; also after an escaped line break or tab, which ends in a letter. */
const WORD_START = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))/;
const RUN_START = /(?:(?<![\w-])|(?<=\\[nrt]))/;

const BEGINNING = new RegExp(
  `${KEY_BEGINNING.source}|${RUN_START.source}${JWT_BEGINNING.source}|${WORD_START.source}(?:${BEGINNINGS.map(({ source }) => source).join("|")})`,
  "g",
);

/** `sk-` may follow itself every three characters, so the digit is not looked for by the pattern but once for many of them. */
const SK_BEGINNING = new RegExp(`${WORD_START.source}sk-(?=[\\w-]{16})`, "g");
const SK_MAX_LETTERS = 64;

/** What a token goes on with, read in bounded steps. */
const PLAIN_REST = /[\w-]{1,1000}/y;
const DOTTED_REST = /[\w~+/-]{1,1000}|\.(?=\w)|={1,2}/y;
const KEY_BODY = /(?:[\w+/=\s\\:,.]|-(?!----)){1,1000}/y;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;

/** Finds the tokens in a text, in time that grows linearly with it. A private key is found also when its end is missing. */
export function findTokens(text: string): readonly Span[] {
  const spans = findSkTokens(text);
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match !== null; match = BEGINNING.exec(text)) {
    const beginning = match[0];
    const end = endOf(text, match.index + beginning.length, beginning);
    spans.push([match.index, end]);
    BEGINNING.lastIndex = end;
  }
  return spans;
}

/** Tokens that begin with `sk-`. All that begin in one run of letters have the same next digit, so each run is read once. */
function findSkTokens(text: string): Span[] {
  const spans: Span[] = [];
  SK_BEGINNING.lastIndex = 0;
  for (let match = SK_BEGINNING.exec(text); match !== null; match = SK_BEGINNING.exec(text)) {
    const from = SK_BEGINNING.lastIndex;
    let lettersEnd = from;
    while (isLetter(text.charCodeAt(lettersEnd))) lettersEnd++;
    if (!isDigit(text.charCodeAt(lettersEnd))) {
      SK_BEGINNING.lastIndex = lettersEnd;
    } else if (lettersEnd - from > SK_MAX_LETTERS) {
      SK_BEGINNING.lastIndex = Math.max(from, lettersEnd - SK_MAX_LETTERS - match[0].length);
    } else {
      const end = readOn(PLAIN_REST, text, lettersEnd);
      spans.push([match.index, end]);
      SK_BEGINNING.lastIndex = end;
    }
  }
  return spans;
}

/** Whether it is one of `[A-Za-z_-]`. */
function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f || unit === 0x2d;
}

/** `NaN`, at the text's end, is none. */
function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function endOf(text: string, from: number, beginning: string): number {
  if (beginning.startsWith("-----")) return skip(KEY_END, text, readOn(KEY_BODY, text, from));
  return readOn(/^(?:eyJ|bearer|basic)/i.test(beginning) ? DOTTED_REST : PLAIN_REST, text, from);
}

/** The position after as many matches of a sticky pattern as follow each other. */
function readOn(pattern: RegExp, text: string, from: number): number {
  let position = from;
  for (let next = skip(pattern, text, position); next > position; next = skip(pattern, text, position)) position = next;
  return position;
}

/** The position after one match of a sticky pattern, or the same position. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
