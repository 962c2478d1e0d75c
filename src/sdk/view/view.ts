import type { Tool } from "../../catalog/tool.ts";
import type { CountTokens } from "../manifest.ts";
import type { Sdk } from "../sdk.ts";
import { isWithin, most } from "./fold-fit.ts";
import { byNamespace, nameLines } from "./view-names.ts";

/** Tools that are to be shown in so many tokens. */
export interface ViewRequirements {
  /** The most relevant first. */
  readonly tools: readonly Tool[];
  readonly sdk: Pick<Sdk, "signatureLine">;
  /** Tokens of o200k_base. Some 30 are needed to say what there is. */
  readonly budgetTokens: number;
  readonly count: CountTokens;
  /** Whether the first tools have a line each, or all are shown by name; default `lines`. */
  readonly detail?: "lines" | "names";
}

/** Of a budget that is too small for all lines, the part for lines. The rest shows the names of many more tools. */
const LINES_SHARE = 0.75;
/** No line is shorter, in tokens: bounds how many are made only to be counted. */
const SHORTEST_LINE = 6;

/**
 * Tools for a prompt, within a budget: a signature line each while they fit, then names by server, then how many more each
 * server has. Says what is left out and how to see it. Equal requests give equal texts.
 */
export function renderView({ tools, sdk, budgetTokens, count, detail = "lines" }: ViewRequirements): string {
  const made = new Map<Tool, string>();
  const lineOf = (tool: Tool): string => {
    const line = made.get(tool) ?? sdk.signatureLine(tool);
    made.set(tool, line);
    return line;
  };
  const counted = Math.floor(budgetTokens / TOKENS_PER_SERVER);
  const build = (lines: number, names: number, servers = counted): string =>
    [
      ...tools.slice(0, lines).map(lineOf),
      ...namesPart(tools.slice(lines, lines + names), lines > 0),
      ...countsPart(tools.slice(lines + names), lines + names, servers),
    ].join("\n");
  const fits = (text: string, share = 1): boolean => isWithin(text, Math.floor(budgetTokens * share), count);

  const possible = detail === "names" ? 0 : Math.min(tools.length, Math.ceil(budgetTokens / SHORTEST_LINE));
  if (possible === tools.length && fits(build(tools.length, 0))) return build(tools.length, 0);
  const lines = most(possible, (n) => fits(build(n, 0), LINES_SHARE)) ?? 0;
  const names = most(tools.length - lines, (n) => fits(build(lines, n)));
  if (names === undefined) return build(0, 0, most(counted, (n) => fits(build(0, 0, n))) ?? 0);
  if (names < tools.length - lines) return build(lines, names);
  // All names fit, so that what is left goes to lines.
  const more = most(possible, (n) => fits(build(n, tools.length - n))) ?? lines;
  return build(more, tools.length - more);
}

function namesPart(tools: readonly Tool[], isAfterLines: boolean): string[] {
  if (tools.length === 0) return [];
  return isAfterLines ? ["// By name only; search for one to see its types:", ...nameLines(tools)] : nameLines(tools);
}

/** So many tokens of a budget stand for one server whose further tools are counted: at most a tenth is spent on that. */
const TOKENS_PER_SERVER = 60;

function countsPart(tools: readonly Tool[], shown: number, servers: number): string[] {
  if (tools.length === 0) return [];
  const groups = [...byNamespace(tools)].map(([namespace, { length }]) => `${namespace} ${length}`);
  const rest = groups.length - servers;
  const counted = [
    ...groups.slice(0, servers),
    ...(rest > 0 ? [`${servers > 0 ? "… " : ""}${rest} ${servers > 0 ? "more " : ""}servers`] : []),
  ];
  const more = shown > 0 ? " more" : "";
  return [
    `// ${tools.length}${more} ${tools.length === 1 ? "tool" : "tools"} (${counted.join(", ")}): search finds them.`,
  ];
}
