import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { renderView } from "../../../src/sdk/view/view.ts";
import { nameLines } from "../../../src/sdk/view/view-names.ts";
import { objectOf } from "../catalog.ts";
import { count } from "./fold-tools.ts";

const tool = (name: string) => ({
  name,
  description: `Does what ${name} says.`,
  inputSchema: objectOf({ id: { type: "string" }, note: { type: "string" } }, ["id"]),
});
const catalog = buildCatalog([
  { name: "github", tools: ["create_issue", "list_issues", "odd-name"].map(tool) },
  { name: "my tracker", tools: Array.from({ length: 30 }, (_, n) => tool(`tracker_tool_${n + 10}`)) },
]);
const sdk = await buildSdk(catalog);
const view = (budgetTokens: number, detail?: "lines" | "names"): string =>
  renderView({ tools: catalog.tools, sdk, count, budgetTokens, ...(detail && { detail }) });

describe("a view of many tools", () => {
  test("is a line a tool where all fit", () => {
    expect(view(5000)).toBe(catalog.tools.map(sdk.signatureLine).join("\n"));
  });

  test("has lines for the first tools and names for the rest", () => {
    expect(view(330)).toMatchInlineSnapshot(`
      "github.create_issue(args: { id: string; note?: string }): Promise<any> // Does what create_issue says.
      github.list_issues(args: { id: string; note?: string }): Promise<any> // Does what list_issues says.
      github["odd-name"](args: { id: string; note?: string }): Promise<any> // Does what odd-name says.
      my_tracker.tracker_tool_10(args: { id: string; note?: string }): Promise<any> // Does what tracker_tool_10 says.
      my_tracker.tracker_tool_11(args: { id: string; note?: string }): Promise<any> // Does what tracker_tool_11 says.
      my_tracker.tracker_tool_12(args: { id: string; note?: string }): Promise<any> // Does what tracker_tool_12 says.
      my_tracker.tracker_tool_13(args: { id: string; note?: string }): Promise<any> // Does what tracker_tool_13 says.
      my_tracker.tracker_tool_14(args: { id: string; note?: string }): Promise<any> // Does what tracker_tool_14 says.
      // By name only; search for one to see its types:
      my_tracker: tracker_tool_15, tracker_tool_16, tracker_tool_17, tracker_tool_18, tracker_tool_19, tracker_tool_20, tracker_tool_21, tracker_tool_22, tracker_tool_23, tracker_tool_24, tracker_tool_25, tracker_tool_26, tracker_tool_27, tracker_tool_28
      // 11 more tools (my_tracker 11): search finds them."
    `);
  });

  test("counts by server what has not even room for a name, and says how to find it", () => {
    expect(view(120)).toMatchInlineSnapshot(`
      "github.create_issue(args: { id: string; note?: string }): Promise<any> // Does what create_issue says.
      github.list_issues(args: { id: string; note?: string }): Promise<any> // Does what list_issues says.
      github["odd-name"](args: { id: string; note?: string }): Promise<any> // Does what odd-name says.
      // By name only; search for one to see its types:
      my_tracker: tracker_tool_10, tracker_tool_11
      // 28 more tools (my_tracker 28): search finds them."
    `);
  });

  test("has names alone when they are asked for", () => {
    expect(view(60, "names")).toMatchInlineSnapshot(`
      "github: create_issue, list_issues, "odd-name"
      my_tracker: tracker_tool_10, tracker_tool_11, tracker_tool_12, tracker_tool_13, tracker_tool_14
      // 25 more tools (my_tracker 25): search finds them."
    `);
    expect(view(5000, "names")).toBe(nameLines(catalog.tools).join("\n"));
  });

  test.each([30, 60, 100, 150, 200, 300, 400, 600, 900])("keeps to %i tokens, and uses them", (budgetTokens) => {
    const tokens = count(view(budgetTokens));
    expect(tokens).toBeLessThanOrEqual(budgetTokens);
    expect(tokens).toBeGreaterThan(budgetTokens * 0.4);
    expect(view(budgetTokens)).toBe(view(budgetTokens));
  });

  test("accounts for every tool exactly once", () => {
    for (const budgetTokens of [60, 120, 330, 900]) {
      const text = view(budgetTokens);
      const lines = text.match(/\(args/g)?.length ?? 0;
      const names = [...text.matchAll(/^\w+: (.*)$/gm)].reduce(
        (sum, [, list = ""]) => sum + list.split(", ").length,
        0,
      );
      const counted = Number(/\/\/ (\d+) (?:more )?tools? \(/.exec(text)?.[1] ?? 0);
      expect(lines + names + counted).toBe(catalog.tools.length);
    }
  });

  test("keeps the caller's order", () => {
    const reversed = catalog.tools.toReversed();
    const text = renderView({ tools: reversed, sdk, count, budgetTokens: 700 });
    const places = [
      "my_tracker.tracker_tool_39(",
      "my_tracker.tracker_tool_38(",
      "my_tracker: ",
      "tracker_tool_10",
      "github: ",
    ];
    expect(places.map((place) => text.indexOf(place)).toSorted((a, b) => a - b)).toEqual(
      places.map((place) => text.indexOf(place)),
    );
    expect(text.startsWith("my_tracker.tracker_tool_39(")).toBe(true);
    expect(text.endsWith("\ngithub: odd-name, list_issues, create_issue".replace("odd-name", '"odd-name"'))).toBe(true);
  });

  test("of no tools is empty", () => {
    expect(renderView({ tools: [], sdk, count, budgetTokens: 100 })).toBe("");
  });

  test("of thousands of servers fits too", async () => {
    const many = buildCatalog(
      Array.from({ length: 1000 }, (_, n) => ({ name: `server${n}`, tools: [tool("a"), tool("b")] })),
    );
    const text = renderView({ tools: many.tools, sdk, count, budgetTokens: 100 });
    expect(count(text)).toBeLessThanOrEqual(100);
    expect(text).toMatch(/more tools \(server\d+ \d, … \d+ more servers\): search finds them\.$/);
    expect(renderView({ tools: many.tools, sdk, count, budgetTokens: 15 })).toBe(
      "// 2000 tools (1000 servers): search finds them.",
    );
  });
});

describe("names", () => {
  test("of tools are quoted where they are no identifiers, on one line and visible", () => {
    const hostile = buildCatalog([{ name: "x", tools: ["a b", "c\nd\u202e", "e".repeat(500), "__proto__"].map(tool) }]);
    expect(nameLines(hostile.tools)).toEqual([`x: __proto__, "a b", "c\\nd\\u{202e}", "${"e".repeat(100)}…"`]);
  });
});
