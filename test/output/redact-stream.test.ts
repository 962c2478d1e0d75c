import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/output/redact.ts";
import { createStreamRedactor } from "../../src/output/redact-stream.ts";

const SECRET = "correct horse/battery+staple";
const redact = createRedactor([SECRET]);
const words = "The answer is long and says nothing of any weight at all. ".repeat(20);
const jwt = `eyJ${"a".repeat(30)}.eyJ${"b".repeat(3000)}.${"c".repeat(40)}`;
const encoded = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString("base64"), jwt];

const stream = (pieces: readonly string[]): string[] => {
  const redactor = createStreamRedactor(redact);
  return [...pieces.map((piece) => redactor.push(piece)), redactor.end()];
};

describe("a text that arrives in pieces", () => {
  it.each(encoded.map((secret) => [secret.slice(0, 20), secret]))(
    "is masked as the whole text is, wherever %s… is parted",
    (_, secret) => {
      const text = `${words}${secret} ${words}${secret}${secret}`;
      for (const size of [1, 2, 7, 100, 511, 512, 513]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(stream(pieces).join(""), `pieces of ${size}`).toBe(redact(text));
      }
    },
  );

  it("never shows a part of a secret on the way", () => {
    const shown = stream([...`${words}${SECRET}${words}`]);
    expect(shown.filter((piece) => piece.includes("horse"))).toEqual([]);
    expect(shown.join("")).toContain("[secret]");
  });

  it.each([300, 512, 600, 2000])("is masked with a secret of %i characters, as it is and in base64", (length) => {
    const secret = Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join("");
    const long = createRedactor([secret]);
    for (const form of [secret, Buffer.from(secret).toString("base64")]) {
      const redactor = createStreamRedactor(long);
      const shown = [...`${words}${form}${words}`].map((piece) => redactor.push(piece)).join("") + redactor.end();
      expect(shown).toBe(`${words}[secret]${words}`);
    }
  });

  it("goes on arriving: no more than is needed is held back", () => {
    expect(stream([words, words]).slice(0, 2).join("").length).toBeGreaterThan(words.length);
  });

  it("begins anew after its end", () => {
    const redactor = createStreamRedactor(redact);
    redactor.push(SECRET.slice(0, 10));
    expect(redactor.end()).toBe(SECRET.slice(0, 10));
    redactor.push(SECRET.slice(10));
    expect(redactor.end()).toBe(SECRET.slice(10));
  });

  it("is masked as the whole text is, for any text and any pieces", () => {
    const part = fc.oneof(fc.constantFrom(...encoded, words, " ", "."), fc.string());
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 700 })),
        (parts, sizes) => {
          const text = parts.join("");
          const pieces: string[] = [];
          for (let at = 0; at < text.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(stream(pieces).join("")).toBe(redact(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});
