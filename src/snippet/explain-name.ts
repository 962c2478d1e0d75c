import { nearest } from "../catalog/nearest.ts";
import type { Explaining, Explanation } from "./diagnose.ts";
import { clip } from "./frame.ts";
import { MISSING_GLOBALS } from "./missing-globals.ts";
import type { PlacedFinding } from "./severity.ts";

/** "Cannot find name" in all its forms: with a suggestion, or with advice about libraries that cannot be installed here. */
const UNKNOWN_NAME = new Set([2304, 2503, 2552, 2580, 2583, 2584, 2585, 2591, 2868]);

/** Explains a name that nothing declares. */
export function explainName(
  { code, text }: PlacedFinding,
  word: string,
  explaining: Explaining,
): Explanation | undefined {
  if (code === 2307) {
    return {
      message: `${clip(word, 80)} cannot be imported: the sandbox has no modules.`,
      hint: "Use the SDK's globals.",
    };
  }
  if (code === 2448 && explaining.catalog.servers.some(({ namespace }) => namespace === word)) {
    const hides = `the variable \`${word}\` hides the server of that name; give it another name`;
    return { message: `\`${word}\` is used before it has a value: ${hides}.` };
  }
  if (!UNKNOWN_NAME.has(code)) return undefined;
  const instead = MISSING_GLOBALS.get(word);
  if (instead !== undefined) return { message: `\`${word}\` does not exist in the sandbox. ${instead}` };
  const namespaces = explaining.catalog.servers.map(({ namespace }) => namespace);
  const meant = /Did you mean (?:the [^']*)?'([^']+)'/.exec(text)?.[1] ?? nearest(word, namespaces)[0];
  if (meant !== undefined) return { message: `\`${word}\` is not defined. Did you mean \`${meant}\`?` };
  return { message: `\`${word}\` is not defined.`, hint: `Servers: ${clip(namespaces.join(", "), 160)}.` };
}
