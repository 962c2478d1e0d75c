import { expect, it } from "vitest";
import { isDeeper } from "../../sandbox/nesting.ts";

it.each([
  ["[[]]", 2, false],
  ["[[]]", 1, true],
  ['{"a":[{"b":1}]}', 3, false],
  ['{"a":[{"b":1}]}', 2, true],
  ['["[[[[[[[["]', 1, false],
  ['["\\"[[[[[[","\\\\",[1]]', 2, false],
  ['["\\"[[[[[[","\\\\",[1]]', 1, true],
  ["[[],[],[],[]]", 2, false],
  ['["open', 1, false],
  ["5", 1, false],
])("counts the levels of %s against %d", (json, levels, deeper) => {
  expect(isDeeper(json, levels)).toBe(deeper);
});
