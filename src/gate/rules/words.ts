import type { RuleCondition } from "../../config/config.ts";
import type { OrderedRule } from "./ordered.ts";

/** A condition as a person says it: `path under /home/me/notes`. */
export function conditionWords({ argument, test }: RuleCondition): string {
  switch (test.kind) {
    case "under":
      return `${argument} under ${test.folder || "/"}`;
    case "absent":
      return `${argument} absent`;
    case "in":
      return `${argument} in ${JSON.stringify(test.values)}`;
    case "matches":
      return `${argument} matches ${JSON.stringify(test.glob)}`;
    case "below":
    case "above":
    case "atMost":
    case "atLeast":
      return `${argument} ${test.kind} ${test.limit}`;
    default:
      return test satisfies never;
  }
}

/** What a rule does, in a line: its decision, its conditions and its caps. */
export function ruleWords({ decision, conditions, perRun, perDay }: OrderedRule): string {
  const caps = [
    ...(perRun === undefined ? [] : [`${perRun} a run`]),
    ...(perDay === undefined ? [] : [`${perDay} a day`]),
  ];
  return [
    decision,
    ...(conditions.length > 0 ? [`if ${conditions.map(conditionWords).join(" and ")}`] : []),
    ...(caps.length > 0 ? [`at most ${caps.join(", ")}`] : []),
  ].join(", ");
}
