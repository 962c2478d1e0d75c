import { expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { callHash } from "../../src/gate/canonical.ts";
import { createPlan, isMarked, planMark } from "../../src/gate/plan.ts";

const [tool] = buildCatalog([{ name: "s", tools: [{ name: "close", inputSchema: {} }] }]).tools;
if (!tool) throw new Error("no tool");
const call = (sequence: number, args: Readonly<Record<string, unknown>>) => ({
  sequence,
  tool,
  args,
  hash: callHash(tool.server, tool.name, args),
});
const allowed = { kind: "allowed", by: "person" } as const;

it("gives each answer once, for the call of just this number and these arguments", () => {
  const plan = createPlan();
  const first = call(1, { id: 1 });
  plan.add(first);
  plan.add(call(2, { id: 2 }));
  expect(plan.approvalOf(1, first.hash)).toBeUndefined();
  plan.settle(new Map([[1, allowed]]));
  expect(plan.isDraft).toBe(false);
  expect(plan.approvalOf(1, call(1, { id: 3 }).hash)).toBeUndefined();
  expect(plan.approvalOf(2, first.hash)).toBeUndefined();
  expect(plan.approvalOf(2, call(2, { id: 2 }).hash)).toBeUndefined();
  expect(plan.approvalOf(1, first.hash)).toEqual(allowed);
  expect(plan.approvalOf(1, first.hash)).toBeUndefined();
});

it("finds a placeholder anywhere in arguments", () => {
  expect(isMarked({ a: [{ b: `x ${planMark(12)} y` }] })).toBe(true);
  expect(isMarked({ [planMark(1)]: 1 })).toBe(true);
  expect(isMarked({ a: "<planned>", b: 1 })).toBe(false);
});
