/**
 * A text without what some servers, file systems and readers take no notice of: case, compatible forms of one character,
 * invisible characters, blanks and dots at the end of a path's part. Texts that become equal here may mean the same thing.
 */
export function lookAlike(text: string): string {
  if (PLAIN.test(text)) {
    const upper = text.toUpperCase();
    return EDGES.test(upper) ? trimParts(upper) : upper;
  }
  return trimParts(
    text
      .normalize("NFKC")
      .replace(/[\p{Cc}\p{Cf}\p{Mn}\p{Variation_Selector}]/gu, "")
      .toLowerCase()
      .toUpperCase(),
  );
}

/** Printable ASCII: nearly every argument, and forty times as fast. */
const PLAIN = /^[ -~]*$/;
const EDGES = /[. ]\/|[. ]$|\/ |^ /;

function trimParts(text: string): string {
  return text
    .split("/")
    .map((part) => trimEnd(part.trimStart()))
    .join("/");
}

function trimEnd(part: string): string {
  let end = part.length;
  while (end > 0 && (part[end - 1] === "." || part[end - 1]?.trim() === "")) end--;
  return part.slice(0, end);
}
