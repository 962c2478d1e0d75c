import type { Tool } from "../../catalog/tool.ts";
import type { RuleCondition, RuleDecision, RuleSetting } from "../../config/config.ts";
import { canonicalJson } from "../canonical.ts";
import { literalLength, matchesGlob } from "./glob.ts";

/** A rule as it is tried. */
export interface OrderedRule {
  /** For people and the audit: `rules[2] files.read_*`, `safe_tools` or `default`. */
  readonly label: string;
  readonly decision: RuleDecision;
  readonly conditions: readonly RuleCondition[];
  /** As in `RuleSetting`. */
  readonly definition?: string;
  readonly perRun?: number;
  readonly perDay?: number;
  /** Names the rule across processes and edits of other rules. */
  readonly key: string;
  /** Its tool part has a `*`: it never allows what its server marks as destructive. */
  readonly isBlanket: boolean;
  covers(tool: Tool): boolean;
  /** Smaller is tried first, number by number. */
  readonly rank: readonly number[];
}

/** The rules of the file in the order in which they are tried: what names less goes first. */
export function orderRules(settings: readonly RuleSetting[], isSafe: (tool: Tool) => boolean): readonly OrderedRule[] {
  return [...settings.map(fromSetting), safeTools(isSafe), DEFAULT].sort(byRank);
}

/** What is asked about because no rule says anything. */
const DEFAULT: OrderedRule = {
  label: "default",
  decision: "ask",
  conditions: [],
  key: "default",
  isBlanket: true,
  covers: () => true,
  rank: [4, 0, 0, 0],
};

/** Exact names, so that they go before every pattern, and after the rules that name the same tool. */
function safeTools(isSafe: (tool: Tool) => boolean): OrderedRule {
  return {
    label: "safe_tools",
    decision: "allow",
    conditions: [],
    key: "safe_tools",
    isBlanket: false,
    covers: isSafe,
    rank: [1, 0, 0, 0],
  };
}

function fromSetting(setting: RuleSetting): OrderedRule {
  const { index, pattern, server, tool, conditions } = setting;
  const isBlanket = tool.includes("*");
  const isExactServer = !server.includes("*");
  const names = isExactServer ? (isBlanket ? 2 : 0) : 3;
  return {
    label: `rules[${index}] ${pattern}`,
    decision: setting.decision,
    conditions,
    ...(setting.definition !== undefined && { definition: setting.definition }),
    ...(setting.perRun !== undefined && { perRun: setting.perRun }),
    ...(setting.perDay !== undefined && { perDay: setting.perDay }),
    key: canonicalJson({ server, tool, conditions: conditions.map(({ argument, test }) => ({ argument, test })) }),
    isBlanket,
    covers: (candidate) => matchesGlob(server, candidate.server) && matchesGlob(tool, candidate.name),
    rank: [names, -literalLength(server) - literalLength(tool), -conditions.length, index],
  };
}

function byRank(a: OrderedRule, b: OrderedRule): number {
  for (const [at, rank] of a.rank.entries()) {
    const difference = rank - (b.rank[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
