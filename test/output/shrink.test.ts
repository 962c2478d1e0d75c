import { describe, expect, test } from "vitest";
import { MIN_VALUE_TOKENS } from "../../src/output/limits.ts";
import { shrink } from "../../src/output/shrink.ts";
import { countTokens } from "../../src/output/tokens.ts";
import { seeded } from "./random.ts";

const items = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Item ${id}`, tags: ["alpha", "beta"] }));

describe("a value that fits", () => {
  test("comes back unchanged, byte by byte", async () => {
    const value = { list: items(3), text: "two\nlines", nothing: null };
    const shrunk = await shrink(value, 4_000);
    expect(shrunk.value).toBe(value);
    expect(shrunk.json).toBe(JSON.stringify(value));
    expect(shrunk.cut).toBeUndefined();
  });

  test("just fits at its own size and is cut one token below", async () => {
    const value = items(50);
    const size = await countTokens(JSON.stringify(value));
    expect((await shrink(value, size)).cut).toBeUndefined();
    expect((await shrink(value, size - 1)).cut).toContain(`cut to fit ${size - 1} tokens`);
  });
});

describe("a value that does not fit", () => {
  test("says how large it is and how to see the rest", async () => {
    const { cut } = await shrink(items(1_000), 300);
    expect(cut).toMatch(/^The value was cut to fit 300 tokens; the whole is about \d+ tokens/);
    expect(cut).toContain("return less: filter, map or slice in the snippet");
  });

  test("as an array keeps its first items whole and says how many are missing", async () => {
    const { value } = await shrink(items(1_000), 300);
    const kept = value as unknown[];
    expect(kept.length).toBeGreaterThan(8);
    expect(kept.slice(0, -1)).toEqual(items(kept.length - 1));
    expect(kept.at(-1)).toBe(`[${1_000 - (kept.length - 1)} more items cut]`);
  });

  test("as a long string keeps its beginning and end and says how many characters are missing", async () => {
    const text = `begin ${"middle ".repeat(5_000)}end`;
    const { value } = await shrink({ text, page: 1 }, 200);
    const { text: cut, page } = value as { text: string; page: number };
    const [, head, missing, tail] = /^(begin .*)…\[(\d+) characters cut\]…(.* end)$/.exec(cut) ?? [];
    expect((head?.length ?? 0) + Number(missing) + (tail?.length ?? 0)).toBe(text.length);
    expect(page).toBe(1);
  });

  test("keeps small fields beside a large one", async () => {
    const { value } = await shrink({ before: 1, rows: items(10_000), after: { total: 10_000 } }, 300);
    expect(value).toMatchObject({ before: 1, after: { total: 10_000 } });
  });

  test("as an object with very many keys keeps the first ones", async () => {
    const { value } = await shrink(Object.fromEntries(items(5_000).map((item) => [`key${item.id}`, item])), 300);
    const entries = Object.entries(value as object);
    expect(entries[0]).toEqual(["key0", items(1)[0]]);
    expect(entries.at(-1)).toEqual(["…", `[${5_000 - (entries.length - 1)} more keys cut]`]);
  });

  test("names what is nested too deep to be shown", async () => {
    const { value } = await shrink(
      { a: { list: items(500), page: { body: "x y ".repeat(999), id: 1 } } },
      MIN_VALUE_TOKENS,
    );
    expect(JSON.stringify(value)).toMatch(/object cut, 2 keys: body, id|array of 500 items cut|more items cut/);
  });

  test("does not cut a character in two", async () => {
    for (let budget = 64; budget < 90; budget++) {
      const { value } = await shrink("😀".repeat(500), budget);
      expect((value as string).isWellFormed()).toBe(true);
    }
  });

  test("does not mistake a key of its own for the mark", async () => {
    const value = Object.fromEntries([
      ["…", "mine"],
      ["……", 2],
      ...items(5_000).map((item) => [`key${item.id}`, item]),
    ]);
    const cut = (await shrink(value, 200)).value as Record<string, unknown>;
    expect(cut["…"]).toBe("mine");
    expect(cut["………"]).toMatch(/more keys cut/);
  });
});

describe("any value", () => {
  test("keeps to any budget, stays valid JSON and gives the same result twice", async () => {
    let cuts = 0;
    for (let seed = 0; seed < 250; seed++) {
      const random = seeded(seed);
      const value = random.json(4);
      const json = JSON.stringify(value);
      const budget = MIN_VALUE_TOKENS + random.below(random.pick([10, 300, 4_000]));
      const shrunk = await shrink(value, budget);
      expect(await countTokens(shrunk.json)).toBeLessThanOrEqual(budget);
      expect(shrunk.tokens).toBe(await countTokens(shrunk.json));
      expect(JSON.stringify(JSON.parse(shrunk.json))).toBe(shrunk.json);
      expect(JSON.stringify(value)).toBe(json);
      if (shrunk.cut === undefined) expect(shrunk.json).toBe(json);
      else cuts++;
      expect(await shrink(JSON.parse(json), budget)).toMatchObject({ json: shrunk.json });
    }
    expect(cuts).toBeGreaterThan(30);
  });

  test("uses most of its budget when there is more to show", async () => {
    for (const value of [items(5_000), "word and word ".repeat(5_000), { a: items(900), b: items(900) }]) {
      expect((await shrink(value, 2_000)).tokens).toBeGreaterThan(1_500);
    }
  });

  test("is granted the smallest budget", async () => {
    const { tokens, cut } = await shrink(items(500), 0);
    expect(tokens).toBeLessThanOrEqual(MIN_VALUE_TOKENS);
    expect(cut).toContain(`fit ${MIN_VALUE_TOKENS} tokens`);
  });
});
