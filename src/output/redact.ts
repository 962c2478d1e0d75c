import { findTokens, type Span } from "./token-shapes.ts";

/**
 * Masks secrets in a text. Never throws; time grows linearly with the text (10 MB with 20 secrets: about half a second).
 *
 * A text shorter than `MIN_SECRET_LENGTH` stays as it is. It knows plain text only. JSON is redacted as a value before it is rendered (`redactValue`), so that a mask can never
 * swallow a quote or a comma.
 */
export interface Redactor {
  (text: string): string;
  /** Characters of the longest form of a given secret. */
  readonly longest?: number;
}

/** Secrets shorter than this many characters are not masked: they would match inside ordinary words and numbers. */
export const MIN_SECRET_LENGTH = 6;

/** What stands in a secret's place. The second one is for a secret that is itself part of the first: it is too short to be one. */
const MARKERS = ["[secret]", "[***]"] as const;

/**
 * Makes a redactor for the given secrets and for all texts that have the shape of a well-known token: for what people,
 * models and records get to see.
 *
 * Secrets are found in the forms that they travel in: as they are, JSON-escaped (also twice, for JSON inside JSON),
 * URL-encoded, and in base64 with either alphabet, with and without padding. Out of reach: a secret inside a longer base64
 * text, a secret that was split, encrypted or spelled otherwise.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  return createMask(secrets, findTokens);
}

/** Like `createRedactor`, but for the given secrets alone: for data that must not change for looking like a token. */
export function createSecretMask(secrets: readonly string[]): Redactor {
  return createMask(secrets, () => []);
}

function createMask(secrets: readonly string[], findMore: (text: string) => readonly Span[]): Redactor {
  const known = secrets.flatMap((secret) => [secret, secret.trim()]);
  const forms = [...new Set(known.filter((secret) => secret.trim().length >= MIN_SECRET_LENGTH).flatMap(formsOf))];
  const marker = forms.some((form) => MARKERS[0].includes(form)) ? MARKERS[1] : MARKERS[0];
  const longestFirst = forms.sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = forms.length > 0 ? new RegExp(longestFirst.join("|"), "g") : undefined;
  const redact: Redactor = (text) => {
    if (text.length < MIN_SECRET_LENGTH) return text;
    const spans = [...(pattern ? overlappingSpans(pattern, text) : []), ...findMore(text)];
    return spans.length === 0 ? text : mask(text, spans, marker);
  };
  return Object.assign(redact, { longest: longestFirst[0]?.length ?? 0 });
}

/** Every way to write the secret that is masked. */
function formsOf(secret: string): readonly string[] {
  // Lone surrogates cannot be URL-encoded (it throws) and turn into U+FFFD in UTF-8.
  const wellFormed = secret.toWellFormed();
  const json = JSON.stringify(secret).slice(1, -1);
  const asciiJson = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const url = encodeURIComponent(wellFormed);
  const formUrl = new URLSearchParams([["", wellFormed]]).toString().slice(1);
  const lowerHex = (encoded: string): string => encoded.replace(/%../g, (octet) => octet.toLowerCase());
  const bytes = Buffer.from(wellFormed, "utf8");
  const base64 = bytes.toString("base64");
  return [
    ...[secret, json, asciiJson, json.replaceAll("/", "\\/"), JSON.stringify(json).slice(1, -1)],
    ...[url, lowerHex(url), formUrl, lowerHex(formUrl), encodeURI(wellFormed)],
    ...[base64, base64.replace(/=+$/, ""), bytes.toString("base64url")],
  ];
}

/** `RegExp.escape` came with Node 24's V8 but is not in TypeScript's ES2024 library. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The longest form at every position, also where forms overlap, in stretches: no tail of a second one is left behind. */
function* overlappingSpans(pattern: RegExp, text: string): Generator<Span> {
  let stretch: Span | undefined;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    if (stretch && start > stretch[1]) yield stretch;
    stretch = stretch && start <= stretch[1] ? [stretch[0], Math.max(stretch[1], end)] : [start, end];
    pattern.lastIndex = start + 1;
  }
  if (stretch) yield stretch;
}

/** Puts one marker over each stretch of touching or overlapping spans. */
function mask(text: string, spans: Span[], marker: string): string {
  spans.sort((a, b) => a[0] - b[0]);
  const parts: string[] = [];
  let written = 0;
  let stretch: Span | undefined;
  const flush = (): void => {
    if (!stretch) return;
    parts.push(text.slice(written, stretch[0]), marker);
    written = stretch[1];
  };
  for (const span of spans) {
    if (stretch && span[0] <= stretch[1]) {
      stretch = [stretch[0], Math.max(stretch[1], span[1])];
    } else {
      flush();
      stretch = span;
    }
  }
  flush();
  return parts.join("") + text.slice(written);
}
