import { expect, test } from "vitest";
import type { RuleEntry } from "../../src/config/rules.ts";
import { ruleSet } from "./rules/rule-set.ts";

/** Rules of a large configuration. */
const RULES = 500;
const DECISIONS = 200_000;
/** Most microseconds of one decision. */
const GOAL = 20;

test("a decision with few and with many rules", () => {
  for (const count of [5, RULES]) {
    const tools = Array.from({ length: 20 }, (_, at) => `read_${at}`);
    const servers = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`server${at}`, tools]));
    const entries: RuleEntry[] = Array.from({ length: count }, (_, at) => ({
      tool: at % 50 === 0 ? `*.read_${at % 20}*` : `server${at % 25}.read_${at % 20}${at % 3 === 0 ? "*" : ""}`,
      decision: "allow",
      when: { path: { under: `/home/me/notes${at}` } },
    }));
    const { rules, catalog } = ruleSet(servers, entries);
    const args = { path: "/home/me/notes1/a/b.md", text: "x".repeat(1000) };
    const all = () => {
      const start = performance.now();
      for (let n = 0; n < DECISIONS; n++) {
        const tool = catalog.tools[n % catalog.tools.length];
        if (tool) rules.rule(tool, args);
      }
      return ((performance.now() - start) / DECISIONS) * 1000;
    };
    const best = Math.min(all(), all(), all());
    console.log(`${count} rules: ${best.toFixed(2)} µs a decision (goal: at most ${GOAL})`);
    expect(best).toBeLessThan(GOAL);
  }
});
