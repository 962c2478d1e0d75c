import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

const HUGE = [
  ["a long text", "return 'x'.repeat(2e7)"],
  ["a long list", "return new Array(4e6).fill('text')"],
  ["one text many times", "const s = 'x'.repeat(1e6); return Array(100).fill(s)"],
  ["quotes that double when written", 'return "\\"".repeat(1.2e7)'],
  ["letters of several bytes", "return '\\u{1f600}'.repeat(5e6)"],
  [
    "an object that is its own multiple",
    "let a = { t: 'x'.repeat(1000) }; for (let i = 0; i < 15; i++) a = { l: a, r: a }; return a",
  ],
] as const;

describe.each(ENGINES)("a result that is too large, on %s:", (engine) => {
  it.each(HUGE)("%s stops the run and says the limit", async (_, body) => {
    const outcome = await meet(engine, body, { limits: { wallMs: 20_000 } });
    // Where writing the text already takes more than the heap, that is what stops it.
    expect(outcome).toMatchObject({ kind: "stopped", reason: expect.stringMatching(/^(result-size|memory|crashed)$/) });
  });

  it("is measured in bytes: at the limit it fits", async () => {
    const limits = { outputBytes: 12 };
    expect(await meet(engine, "return 'ééééé'", { limits })).toMatchObject({ kind: "returned", json: '"ééééé"' });
    expect(await meet(engine, "return 'ééééé1'", { limits })).toMatchObject({
      kind: "stopped",
      reason: "result-size",
      limit: { name: "outputBytes", value: 12 },
    });
  });

  it("cannot be smuggled out as the data of an error", async () => {
    const body =
      "throw Object.assign(new Error('m'.repeat(1e6)), { name: 'n'.repeat(1e6), data: 'x'.repeat(2e7), stack: 's'.repeat(1e7) })";
    const outcome = await meet(engine, body);
    expect(outcome.kind).toMatch(/^(threw|stopped)$/);
    expect(JSON.stringify(outcome).length).toBeLessThan(17 * 2 ** 20);
    if (outcome.kind === "threw") expect(outcome.error.message.length).toBeLessThanOrEqual(16_001);
  });
});
