import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ToolCall } from "./calls.ts";
import type { Explanation } from "./diagnose.ts";
import { clip } from "./frame.ts";
import { allText, deepestText, type PlacedFinding } from "./severity.ts";
import { spell } from "./spelling.ts";

/** Explains what is wrong with the arguments of a call of a tool: unknown, missing, too many, of the wrong type. */
export function explainArguments(
  finding: PlacedFinding,
  word: string,
  call: ToolCall | undefined,
  shown: (tool: Tool) => string,
): Explanation | undefined {
  const tool = call?.tool;
  if (!tool) return undefined;
  const name = `\`${spell(tool)}\``;
  const signatures = [shown(tool)];
  const unknown = /'([^']+)' does not exist in type/.exec(finding.text)?.[1];
  if (unknown !== undefined) {
    const close = /Did you mean to write '(.+?)'/.exec(finding.text)?.[1] ?? nearest(unknown, argumentNames(tool))[0];
    const meant = close === undefined ? "" : ` Did you mean \`${close}\`?`;
    return { message: `${name} has no argument \`${unknown}\`.${meant}`, signatures };
  }
  const missing = missingArguments(finding);
  if (missing.length > 0) {
    const names = missing.map((each) => `\`${each}\``).join(", ");
    return { message: `${name} needs ${missing.length > 1 ? "the arguments" : "the argument"} ${names}.`, signatures };
  }
  if (finding.code === 2554 || finding.code === 2555) {
    const given = /got (\d+)/.exec(finding.text)?.[1] ?? "other";
    return { message: `${name} takes one object with its arguments; ${given} were passed.`, signatures };
  }
  if (finding.text.includes(CALL_OPTIONS)) {
    return {
      message: `${name} takes one object with its arguments, and behind it no more than { signal }.`,
      signatures,
    };
  }
  return explainType(finding, word, name, signatures);
}

/** How the type checker writes the second parameter of every tool. */
const CALL_OPTIONS = "'{ signal?: { readonly aborted: boolean; } | undefined; }'";

function argumentNames(tool: Tool): string[] {
  const properties = typeof tool.inputSchema === "object" ? tool.inputSchema["properties"] : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

function missingArguments(finding: PlacedFinding): string[] {
  const text = allText(finding);
  const one = /Property '([^']+)' is missing in type/.exec(text)?.[1];
  if (one !== undefined) return [one];
  const many = /is missing the following properties from type '[\s\S]*?': (.+?)(?:, and \d+ more)?\.?$/m.exec(
    text,
  )?.[1];
  return many?.split(", ") ?? [];
}

function explainType(
  finding: PlacedFinding,
  word: string,
  name: string,
  signatures: readonly string[],
): Explanation | undefined {
  const reason =
    /^(?:Type|Argument of type) '([\s\S]+?)' is not assignable to (?:parameter of )?type '([\s\S]+?)'\.?(?: Did you mean '(.+?)'\?)?/;
  const [, got = "", wanted = "", meant] = reason.exec(deepestText(finding)) ?? [];
  if (got === "") return undefined;
  if (got !== "" && !/^[\w$]+$/.test(word) && wanted.startsWith("{") && !got.startsWith("{")) {
    return { message: `${name} takes one object with its arguments, not ${clip(got, 60)}.`, signatures };
  }
  const type = clip(wanted.replace(/ \| undefined$|^undefined \| /, ""), 160);
  const property = /property '([^']+)'/.exec(finding.relatedInformation?.[0]?.text ?? "")?.[1] ?? word;
  const what = /^[\w$]+$/.test(property) ? `\`${property}\`` : "the argument";
  const suffix = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const message = `${name}: ${what} must be ${type}, not ${clip(got, 60)}.${suffix}`;
  return what === "the argument" ? { message, signatures } : { message };
}
