import { describe, expect, test } from "vitest";
import { objectOf } from "../catalog.ts";
import { BIG_TOOL, count, folder } from "./fold-tools.ts";

const fold = await folder(BIG_TOOL);
const text = { type: "string" };

describe("a folded declaration", () => {
  test("is the whole one where that fits", () => {
    const { kind, text: whole } = fold();
    expect(kind).toBe("whole");
    expect(whole).toContain("declare namespace nami.demo");
    expect(whole).not.toContain("…");
  });

  test("shows what is required first, and of deeper objects how many properties they have and how to see them", () => {
    expect(fold({ budgetTokens: 250 }).text).toMatchInlineSnapshot(`
      "// Folded: … is left out, comments are cut. To see more, ask for: demo.create-order args.customer
      interface demo {
        /** Creates an order. The order is sent at once. It cannot be changed later, only cancelled. It cannot… */
        "create-order"(args: {
          customer: { … }; /* 2 properties: args.customer */
          lines: { … }[]; /* 3 properties: args.lines[] */
          note?: string;
          country?: "country-0" | "country-1" | "country-2" | …; /* 57 more values: args.country|4.. */
          target?: { kind: "shop"; … } | { kind: "home"; … }; /* 2 more properties: args.target|1; 2 more properties: args.target|2 */
          labels?: {
            [k: string]: { … }; /* 2 properties: args.labels[*] */
          };
          filter?: Filter; /* Filter has 2 properties: args.filter */
        }): Promise<{ … }>; /* 2 properties: result */
      }
      "
    `);
  });

  test("opens objects level by level as the budget grows, with documentation and definitions", () => {
    expect(fold({ budgetTokens: 400 }).text).toMatchInlineSnapshot(`
      "// Folded: … is left out, comments are cut. To see more, ask for: demo.create-order args.lines[]
      interface demo {
        /** Creates an order. The order is sent at once. It cannot be changed later, only cancelled. It cannot be changed later, only cancelled. It cannot be changed later, only cancelled. It cannot be changed… */
        "create-order"(args: {
          customer: {
            /** @integer */
            id: number;
            address?: Address;
          };
          /** What is ordered */
          lines: { … }[]; /* 3 properties: args.lines[] */
          /** A note for the people who pack it. A note for the people… */
          note?: string;
          country?: "country-0" | "country-1" | "country-2" | "country-3" | "country-4" | "country-5" | "country-6" | "country-7" | "country-8" | "country-9" | "country-10" | "country-11" | …; /* 48 more values: args.country|13.. */
          target?: {
            kind: "shop";
            shop: string;
            desk?: string;
          } | {
            kind: "home";
            address?: Address;
            floor?: number;
          };
          labels?: {
            [k: string]: {
              value?: string;
              since?: string;
            };
          };
          filter?: Filter;
        }): Promise<{
          order: {
            id?: string;
            state?: "open" | "sent";
          };
          warnings?: string[];
        }>;
      }

      type Address = {
        street?: string;
        city?: string;
        /** Without blanks */
        zip?: string;
      };

      type Filter = {
        field: string;
        and?: Filter[];
      };
      "
    `);
  });

  test("ends at names and numbers when there is room for little else", () => {
    expect(fold({ budgetTokens: 150 }).text).toMatchInlineSnapshot(`
      "// Folded: … is left out, comments are cut. To see more, ask for: demo.create-order args.customer
      interface demo {
        /** Creates an order. The order is sent at once. It cannot be changed later, only cancelled. It cannot… */
        "create-order"(args: {
          customer: { … }; /* 2 properties: args.customer */
          lines: { … }[]; /* 3 properties: args.lines[] */
          note?: string;
          … /* 4 more properties: args|4.. */
        }): Promise<{ … }>; /* 2 properties: result */
      }
      "
    `);
  });

  test.each([150, 200, 250, 300, 400, 500, 600, 700])("keeps to %i tokens", (budgetTokens) => {
    const { kind, text: folded } = fold({ budgetTokens });
    expect(kind).toBe("folded");
    expect(count(folded)).toBeLessThanOrEqual(budgetTokens);
    expect(count(folded)).toBeGreaterThan(budgetTokens * 0.6);
  });

  test("is the same for the same request", async () => {
    const again = await folder(BIG_TOOL);
    for (const budgetTokens of [200, 400]) expect(again({ budgetTokens })).toEqual(fold({ budgetTokens }));
  });

  test("says once what a definition holds that it does not show", async () => {
    const twice = await folder({
      inputSchema: {
        ...Object(objectOf({ from: { $ref: "#/$defs/Place" }, to: { $ref: "#/$defs/Place" } })),
        $defs: { Place: objectOf(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field_${n}`, text]))) },
      },
    });
    const { text: folded } = twice({ budgetTokens: 200 });
    expect(folded).toContain("  from?: Place; /* Place has 60 properties: args.from */\n    to?: Place;\n");
  });

  test("marks a result that was only observed, and folds it", async () => {
    const seen = await folder({ name: "seen" }, "demo", {
      type: ["object"],
      properties: { a: { type: ["string"] }, b: { type: ["object"], properties: { c: { type: ["number"] } } } },
    });
    expect(seen({ budgetTokens: 20 }).text).toContain("Promise<{ … } /* observed */>; /* 2 properties: result */");
    expect(seen({ path: "result.b" }).text).toContain("  c?: number;");
  });
});

describe("documentation", () => {
  const long = "One two three four five six seven eight nine ten. ".repeat(16).trim();
  const properties = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `p${n}`,
      { type: "integer", minimum: n, description: `Number ${n}: ${long}` },
    ]),
  );

  test("is shortened between words before any structure is folded, and its tags stay", async () => {
    const documented = await folder({
      inputSchema: objectOf({ ...properties, in: objectOf({ deep: objectOf({ a: text }) }) }),
    });
    const { text: folded } = documented({ budgetTokens: 1000 });
    expect(folded).toContain("deep?: {\n        a?: string;");
    expect(folded).toContain("// Long comments and texts are cut: a part is whole at its path.");
    const comments = [...folded.matchAll(/\/\*\* (Number .*) \*\//g)].map(([, comment = ""]) => comment);
    expect(comments).toHaveLength(12);
    for (const comment of comments)
      expect(comment).toMatch(/ (?:one|two|three|four|five|six|seven|eight|nine|ten\.)… @integer @minimum \d+$/i);
  });

  test("is whole at the path of one property", async () => {
    const documented = await folder({ inputSchema: objectOf(properties) });
    const { kind, text: folded } = documented({ path: "args.p3" });
    expect(kind).toBe("whole");
    expect(folded).toContain(`Number 3: ${long}`);
  });

  test("of scripts without blanks is cut between characters, never through one", async () => {
    const documented = await folder({
      inputSchema: objectOf(
        Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [`p${n}`, { ...text, description: "𠮷👩‍👩‍👧e\u0301".repeat(40) }]),
        ),
      ),
    });
    const { text: folded } = documented({ budgetTokens: 900 });
    expect(folded.isWellFormed()).toBe(true);
    expect(folded).not.toMatch(/\u200d…|e…(?=\u0301)/u);
    expect(count(folded)).toBeLessThanOrEqual(900);
  });
});
