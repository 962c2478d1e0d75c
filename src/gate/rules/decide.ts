import type { Tool } from "../../catalog/tool.ts";
import type { RuleDecision } from "../../config/config.ts";
import { definitionHash } from "../grants.ts";
import { holds } from "./condition.ts";
import type { OrderedRule } from "./ordered.ts";
import { conditionWords } from "./words.ts";

/** What the rules say of a call, and which rule said it. */
export interface Ruling {
  readonly kind: RuleDecision;
  /** The rule, for people and the audit: `rules[2] files.read_*`, `safe_tools`, `--allow`, or `default`. */
  readonly rule: string;
  /** Why it is stricter than the rule is written, or why a rule applies that may not be meant. */
  readonly reason?: string;
  /** A cap has made it stricter: `--allow` does not lift that. */
  readonly isCapped?: true;
}

/** What became of one rule that covers a tool. */
export interface RuleStep {
  readonly rule: string;
  readonly decision: RuleDecision;
  readonly applies: boolean;
  /** In words, such as `path under /home/me/notes: does not hold`. */
  readonly why: string;
}

/** The first rule whose conditions let it speak, and what it says. `rules` cover the tool and end with the default. */
export function decide(
  rules: readonly OrderedRule[],
  tool: Tool,
  args: unknown,
  onStep?: (step: RuleStep) => void,
): { readonly rule: OrderedRule | undefined; readonly ruling: Ruling } {
  for (const rule of rules) {
    const { applies, why } = tryRule(rule, args);
    onStep?.({ rule: rule.label, decision: rule.decision, applies, why });
    if (!applies) continue;
    return { rule, ruling: tightened(rule, tool, rule.conditions.length > 0 && why !== HOLD ? why : undefined) };
  }
  return { rule: undefined, ruling: { kind: "ask", rule: "default" } };
}

/** An `allow` needs certainty; an `ask` or `deny` needs only that no condition surely fails. */
function tryRule(rule: OrderedRule, args: unknown): Pick<RuleStep, "applies" | "why"> {
  let doubt: string | undefined;
  for (const condition of rule.conditions) {
    const verdict = holds(condition, args);
    if (verdict === "yes") continue;
    if (verdict === "no") return { applies: false, why: `${conditionWords(condition)}: does not hold` };
    doubt ??= `${conditionWords(condition)}: cannot be decided`;
  }
  if (doubt === undefined) return { applies: true, why: rule.conditions.length > 0 ? HOLD : "it has no conditions" };
  if (rule.decision === "allow") return { applies: false, why: `${doubt}, and an allow must be certain` };
  return { applies: true, why: `${doubt}, so that this rule applies to be safe` };
}

const HOLD = "its conditions hold";

/** A server's own word, and a definition that was not meant, can only make it stricter. */
function tightened(rule: OrderedRule, tool: Tool, doubt: string | undefined): Ruling {
  if (rule.definition !== undefined && !definitionHash(tool).startsWith(rule.definition)) {
    return { kind: "ask", rule: rule.label, reason: "the tool's definition is not the one that was allowed" };
  }
  if (rule.decision === "allow" && rule.isBlanket && tool.annotations?.destructiveHint === true) {
    const reason = "its server marks it as destructive, which no rule with * in its tool name allows";
    return { kind: "ask", rule: rule.label, reason };
  }
  return { kind: rule.decision, rule: rule.label, ...(doubt !== undefined && { reason: doubt }) };
}
