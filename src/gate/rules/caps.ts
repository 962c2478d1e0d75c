import { messageOf } from "../../errors.ts";
import type { DayCounts } from "./day-counts.ts";
import type { Ruling } from "./decide.ts";
import type { OrderedRule } from "./ordered.ts";

/** The caps of one run: how often each rule has decided in it, and on this day. */
export interface Caps {
  /**
   * Counts one decision of a rule. At most as many as the cap keep their ruling; beyond, `allow` becomes `ask` and `ask` becomes
   * `deny`. What is asked counts too, whatever the answer. A day's count that cannot be kept counts as reached. Never throws.
   */
  apply(rule: OrderedRule, ruling: Ruling): Promise<Ruling>;
}

export function createCaps(days: DayCounts): Caps {
  const inRun = new Map<OrderedRule, number>();
  return {
    apply: async (rule, ruling) => {
      const { perRun, perDay } = rule;
      if (ruling.kind === "deny") return ruling;
      if (perRun !== undefined) {
        const count = (inRun.get(rule) ?? 0) + 1;
        inRun.set(rule, count);
        if (count > perRun) return stricter(ruling, `its cap of ${perRun} a run is reached`);
      }
      if (perDay === undefined) return ruling;
      try {
        return (await days.take(rule.key)) > perDay
          ? stricter(ruling, `its cap of ${perDay} a day is reached`)
          : ruling;
      } catch (error) {
        return stricter(ruling, `its cap of ${perDay} a day cannot be counted: ${messageOf(error)}`);
      }
    },
  };
}

function stricter({ kind, rule }: Ruling, reason: string): Ruling {
  return { kind: kind === "allow" ? "ask" : "deny", rule, reason, isCapped: true };
}
