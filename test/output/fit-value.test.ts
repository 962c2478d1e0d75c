import { expect, test } from "vitest";
import { createFitter } from "../../src/output/fit-value.ts";
import { seeded } from "./random.ts";

test("keeps to any room of 48 characters and more", () => {
  let cut = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = seeded(seed);
    const value = random.json(4);
    const fitInto = createFitter(value);
    for (const room of [48, 49, 100, 48 + random.below(3_000)]) {
      const fitted = fitInto(room);
      expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(room);
      if (JSON.stringify(value).length <= room) expect(fitted).toBe(value);
      else cut++;
    }
  }
  expect(cut).toBeGreaterThan(300);
});

test("measures escapes, not characters", () => {
  const fitted = createFitter("\u0001".repeat(5_000))(600);
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(600);
  expect(JSON.stringify(fitted).length).toBeGreaterThan(500);
});

test("deals room out so that small values stay whole and large ones get equally much", () => {
  const fitted = createFitter({ a: "x".repeat(5_000), n: 1, b: "y".repeat(9_000), t: "short" })(1_000);
  const { a, b, n, t } = fitted as { a: string; b: string; n: number; t: string };
  expect([n, t]).toEqual([1, "short"]);
  expect(a.length).toBeGreaterThan(400);
  expect(Math.abs(a.length - b.length)).toBeLessThan(20);
});

test("looks only at as many items as there is room for", () => {
  let reads = 0;
  const counted = new Proxy(
    Array.from({ length: 100_000 }, () => ({})),
    {
      get(items, key, receiver) {
        reads++;
        return Reflect.get(items, key, receiver);
      },
    },
  );
  const fitted = createFitter(counted)(600) as unknown[];
  expect(fitted.at(-1)).toBe(`[${100_000 - (fitted.length - 1)} more items cut]`);
  expect(reads).toBeLessThan(2_000);
});

test("measures on when the room grows", () => {
  const value = { a: Array.from({ length: 90 }, (_, id) => id), b: { text: "x".repeat(300) } };
  const fitInto = createFitter(value);
  const size = JSON.stringify(value).length;
  for (const room of [48, 200, size - 1, 100, size]) expect(fitInto(room)).toEqual(createFitter(value)(room));
  expect(fitInto(size)).toBe(value);
});
