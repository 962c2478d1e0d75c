import { describe, expect, test } from "vitest";
import { clipWords, foldedDoc } from "../../../src/sdk/view/fold-doc.ts";

describe("a text that is cut", () => {
  test("ends behind a word, without its comma", () => {
    expect(clipWords("One two, three four", 12)).toBe("One two…");
    expect(clipWords("One two, three four", 19)).toBe("One two, three four");
  });

  test("keeps what a reader sees as one character together, at any length", () => {
    const seen = ["𠮷", "👩‍👩‍👧", "e\u0301", "🇩🇪"];
    const text = seen.join("").repeat(3);
    const wholes = new Set(Array.from({ length: 13 }, (_, n) => [...seen, ...seen, ...seen].slice(0, n).join("")));
    for (let limit = 2; limit < text.length; limit++) {
      const cut = clipWords(text, limit);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(wholes).toContain(cut.slice(0, -1));
    }
  });

  test("keeps its short tags on the same line, and drops the long ones", () => {
    const text = `What it is for, at length.\n@integer\n@minimum 1\n@pattern ${"x".repeat(80)}`;
    expect(foldedDoc(text, 40, 0)).toBe("/** What it is for, at… @integer @minimum 1 */\n");
    expect(foldedDoc(text, 0, 0)).toBe("");
    expect(foldedDoc(text, 1000, 1)).toContain("   * @pattern x");
  });
});
