import { readFileSync } from "node:fs";

/** Snippets in `corpus/`, each behind a line `=== name`: what a model would send, with no quotes around it. */
export function corpus(file: string): { name: string; source: string }[] {
  const text = readFileSync(new URL(`corpus/${file}.txt`, import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { name: part.slice(0, end), source: part.slice(end + 1).trimEnd() };
    });
}
