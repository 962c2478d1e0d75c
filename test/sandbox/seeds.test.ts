import { expect, it } from "vitest";
import { nextSeed } from "../../sandbox/seeds.ts";

it("gives 32 random bytes, never the same twice, also when those drawn together are used up", () => {
  const seeds = Array.from({ length: 1000 }, nextSeed);
  expect(seeds.every((seed) => /^[0-9a-f]{64}$/.test(seed))).toBe(true);
  expect(new Set(seeds).size).toBe(1000);
  const ones = seeds.join("").replace(/./g, (digit) => Number.parseInt(digit, 16).toString(2).replaceAll("0", ""));
  // Of 256,000 bits, within 10 standard deviations of the half.
  expect(Math.abs(ones.length - 128_000)).toBeLessThan(2530);
});
