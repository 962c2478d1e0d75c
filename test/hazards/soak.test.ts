import { describe, expect, it } from "vitest";
import { soak } from "./soak.ts";
import { ENGINES } from "./stand.ts";

describe.skipIf(process.platform !== "linux").each(ENGINES)("150 runs with mixed faults on %s", (engine) => {
  it("leave no zombie, no descriptor and no process behind", async () => {
    const { ends, problems } = await soak(engine, 150);
    // Memory is what the long version is for: the first runs of a process still grow.
    expect(problems.filter((problem) => !problem.includes("grew"))).toEqual([]);
    for (const end of ["returned", "threw", "deadline", "calls", "memory"])
      expect(ends.get(end), end).toBeGreaterThan(0);
    expect(ends.get("protocol")).toBeUndefined();
    expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(150);
  });
});
