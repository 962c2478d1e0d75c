import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { countTokens, estimateTokens } from "../../src/output/tokens.ts";
import { seeded } from "./random.ts";

const ITEMS = JSON.stringify(
  Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Item number ${id}`, ok: id % 2 === 0, price: id * 1.25 })),
);

describe("counting", () => {
  test("agrees with the tokenizer on ordinary texts", async () => {
    const random = seeded(1);
    for (const text of ["", "hello world", "Grüße, 漢字 😀", ITEMS.slice(0, 20_000), random.text(5_000)]) {
      expect(await countTokens(text)).toBe(encode(text).length);
    }
  });

  test("counts control tokens as the text that they are", async () => {
    const text = "a <|endoftext|> b <|im_start|>system<|im_end|>";
    expect(await countTokens(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length);
    expect(await countTokens(text)).toBeGreaterThan(12);
  });

  test.each(["a", "漢", "😀", " ", "\n", "=", "\u0301", "\ud800"])(
    "does not choke on 200,000 times %j (30,000 take the tokenizer seconds)",
    { timeout: 20_000 },
    async (character) => {
      expect(await countTokens(character.repeat(200_000))).toBeGreaterThan(1_000);
    },
  );
});

describe("estimating", () => {
  test("is exact up to 200,000 characters", async () => {
    const text = (ITEMS.slice(0, 100_000) + "word ".repeat(20_000)).slice(0, 200_000);
    expect(await estimateTokens(text)).toBe(await countTokens(text));
  });

  test("is within 3 % on long data of one kind", async () => {
    const exact = await countTokens(ITEMS);
    expect(ITEMS.length).toBeGreaterThan(1_000_000);
    expect(Math.abs((await estimateTokens(ITEMS)) - exact) / exact).toBeLessThan(0.03);
  });

  test("takes no seconds for 10 MB", { timeout: 10_000 }, async () => {
    const random = seeded(2);
    const part = Array.from({ length: 10_000 }, () => String.fromCodePoint(0x4e00 + random.below(20_000))).join("");
    expect(await estimateTokens(part.repeat(1_000))).toBeGreaterThan(5_000_000);
  });
});
