import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { createJournal } from "../../src/run/journal.ts";
import { createMeter, sumReceipts } from "../../src/run/receipt.ts";

const [tool] = buildCatalog([{ name: "s", tools: [{ name: "close", inputSchema: {} }] }]).tools;

describe("the journal of a run", () => {
  it("knows of a call that was let through and never answered: it may have taken effect, and counts as failed", async () => {
    const journal = createJournal();
    if (!tool) throw new Error("no tool");
    journal.begin(1, tool);
    expect(journal.calls()).toMatchObject([{ ref: "s.close", decision: "pending", outcome: "pending" }]);
    journal.decided(1, "allowed");
    expect(journal.calls()).toMatchObject([{ ref: "s.close", decision: "allowed", outcome: "pending" }]);
    const receipt = await createMeter().receipt(journal.calls(), "");
    expect(receipt.calls).toEqual({ made: 1, ok: 0, failed: 1, denied: 0, refused: 0 });
  });
});

describe("a receipt", () => {
  it("counts results by the characters that the snippet got, whatever it returned, and adds up", async () => {
    const meter = createMeter();
    meter.result(JSON.stringify({ rows: Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id}` })) }));
    const receipt = await meter.receipt([], "1000");
    expect(receipt.characters.returned).toBe(4);
    expect(receipt.tokens.keptOut).toBeGreaterThan(receipt.characters.fromTools / 6);
    expect(receipt.tokens.keptOut).toBeLessThan(receipt.characters.fromTools);
    const sum = sumReceipts([receipt, receipt]);
    expect(sum.tokens.keptOut).toBe(2 * receipt.tokens.keptOut);
    expect(sum.characters.fromTools).toBe(2 * receipt.characters.fromTools);
  });
});
