import type { Catalog } from "../catalog/catalog.ts";
import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import type { RuleSetting, ServerConfig } from "../config/config.ts";
import { NamiError } from "../errors.ts";
import { createCaps } from "./rules/caps.ts";
import type { DayCounts } from "./rules/day-counts.ts";
import { decide, type RuleStep, type Ruling } from "./rules/decide.ts";
import { type OrderedRule, orderRules } from "./rules/ordered.ts";

export type { Ruling } from "./rules/decide.ts";

/** The user's rules: which calls run, which are asked about, which are forbidden. */
export interface Rules {
  /** What the rules say of a call, caps apart. */
  rule(tool: Tool, args?: unknown): Ruling;
  /** The same, with every rule that was tried until one decided. */
  explain(tool: Tool, args?: unknown): { readonly ruling: Ruling; readonly steps: readonly RuleStep[] };
  /** The rules with their caps, for one run. */
  forRun(): RunRules;
  /** All rules in the order in which they are tried. */
  readonly ordered: readonly OrderedRule[];
  /** Names in rules and `safe_tools` that no connected server has. */
  readonly warnings: readonly string[];
}

/** The rules as one run meets them. */
export interface RunRules {
  /** Each call of this counts as one call. Never throws. */
  rule(tool: Tool, args: unknown): Promise<Ruling>;
}

/** The rules that the user wrote, and where their daily counts are kept. */
export interface WrittenRules {
  readonly rules: readonly RuleSetting[];
  readonly days: DayCounts;
}

/** No rules but `safe_tools`; a daily cap would have nowhere to be counted and so counts as reached. */
const NOTHING_WRITTEN: WrittenRules = {
  rules: [],
  days: { take: () => Promise.reject(new Error("there is no folder to count in")) },
};

/**
 * Builds the rules from what the user wrote, from `safe_tools` and from the refs that were allowed for this process
 * (`server.tool` or `mcp__server__tool`), which lift `ask` and nothing else. Throws `TOOL_UNKNOWN` for an allowed ref that names
 * no tool: a typing mistake must not go unnoticed until the call is refused. A ref of a server that is not there is only
 * warned about.
 */
export function createRules(
  catalog: Catalog,
  servers: readonly ServerConfig[],
  allowed: readonly string[],
  missing: readonly { readonly server: string }[],
  written: WrittenRules = NOTHING_WRITTEN,
): Rules {
  const allowedTools = new Set<Tool>();
  const safeTools = new Set<Tool>();
  const warnings: string[] = [];
  for (const ref of allowed) {
    const gone = missing.find(({ server }) => ref.startsWith(`${server}.`) || ref.startsWith(`mcp__${server}__`));
    if (gone && catalog.find(ref) === undefined)
      warnings.push(`--allow ${ref}: the server "${gone.server}" is not there.`);
    else allowedTools.add(findTool(catalog, ref));
  }
  for (const { name: serverName, safeTools: names } of servers) {
    const server = catalog.servers.find(({ name }) => name === serverName);
    if (server === undefined) continue;
    for (const name of names) {
      const tool = server.tools.find((candidate) => candidate.name === name);
      if (tool) safeTools.add(tool);
      else warnings.push(`safe_tools of "${serverName}": ${unknownTool(catalog, `${serverName}.${name}`)}`);
    }
  }
  const ordered = orderRules(written.rules, (tool) => safeTools.has(tool));
  warnings.push(...emptyRules(written.rules, ordered, catalog, missing));

  // A tool's rules are looked for once, so that a decision does not grow with the number of rules.
  const found = new WeakMap<Tool, readonly OrderedRule[]>();
  const rulesOf = (tool: Tool): readonly OrderedRule[] => {
    const known = found.get(tool) ?? ordered.filter((rule) => rule.covers(tool));
    found.set(tool, known);
    return known;
  };
  const lifted = (tool: Tool, ruling: Ruling): Ruling =>
    ruling.kind === "ask" && allowedTools.has(tool) ? { kind: "allow", rule: "--allow" } : ruling;

  return {
    warnings,
    ordered,
    rule: (tool, args = {}) => lifted(tool, decide(rulesOf(tool), tool, args).ruling),
    explain: (tool, args = {}) => {
      const steps: RuleStep[] = [];
      const { ruling } = decide(rulesOf(tool), tool, args, (step) => steps.push(step));
      return { ruling: lifted(tool, ruling), steps };
    },
    forRun: () => {
      const caps = createCaps(written.days);
      return {
        rule: async (tool, args) => {
          const { rule, ruling } = decide(rulesOf(tool), tool, args);
          const capped = rule ? await caps.apply(rule, ruling) : ruling;
          // --allow lifts what a rule asks about, not what a cap has made of it.
          return capped === ruling ? lifted(tool, ruling) : capped;
        },
      };
    },
  };
}

/** What is wrong with rules that cover no tool, unless the tool may be of a server that is not there. */
function emptyRules(
  settings: readonly RuleSetting[],
  ordered: readonly OrderedRule[],
  catalog: Catalog,
  missing: readonly { readonly server: string }[],
): string[] {
  return settings.flatMap(({ index, pattern, server, place }) => {
    const rule = ordered.find(({ label }) => label === `rules[${index}] ${pattern}`);
    if (rule === undefined || catalog.tools.some(rule.covers)) return [];
    const isMissing = server.includes("*") ? missing.length > 0 : missing.some((gone) => gone.server === server);
    return isMissing ? [] : [`${place}: ${unknownTool(catalog, pattern)}`];
  });
}

/** The tool of a ref, or `TOOL_UNKNOWN` with the nearest names. */
export function findTool(catalog: Catalog, ref: string): Tool {
  const tool = catalog.find(ref);
  if (tool === undefined) throw new NamiError("TOOL_UNKNOWN", unknownTool(catalog, ref));
  return tool;
}

function unknownTool(catalog: Catalog, ref: string): string {
  if (catalog.named(ref).length > 1) return `"${ref}" means tools of two servers. Rename a server.`;
  const near = nearest(
    ref,
    catalog.tools.map((tool) => tool.ref),
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`nami tools` lists what there is.";
  return `no connected server has a tool "${ref}". ${hint}`;
}
