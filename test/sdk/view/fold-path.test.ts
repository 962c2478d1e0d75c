import { describe, expect, test } from "vitest";
import { BIG_TOOL, count, folder } from "./fold-tools.ts";

const fold = await folder(BIG_TOOL);

describe("a part of a declaration", () => {
  test("is shown with its documentation and the definitions that it names", () => {
    expect(fold({ path: "args.target|2" })).toEqual({
      kind: "whole",
      text: `// demo.create-order args.target|2
type Target = {
  kind: "home";
  address?: Address;
  floor?: number;
};

type Address = {
  street?: string;
  city?: string;
  /** Without blanks */
  zip?: string;
};
`,
    });
    expect(fold({ path: "args.lines[].sku" }).text).toBe(
      "// demo.create-order args.lines[].sku\n/** The number of the article */\ntype Sku = string;\n",
    );
  });

  test.each([
    ["args.customer", "  id: number;"],
    ["args.customer.address.zip", "type Zip = string;"],
    ['args.lines[]["gift-wrap"].card', "  font?: string;"],
    ["args.lines[]['gift-wrap'].card", "  font?: string;"],
    ["args.lines[3].gift-wrap.card", "  font?: string;"],
    ["args.target.floor", "type Floor = number;"],
    ["args.labels[*].since", "type Since = string;"],
    ["args.filter.and[].and[].and[].field", "type Field = string;"],
    ["args|1.id", "type Id = number;"],
    ["args.country|60..", 'type Country = "country-59";'],
    ["result.order.state", 'type State = "open" | "sent";'],
  ])("is found at %s", (path, expected) => {
    const { kind, text: shown } = fold({ path });
    expect(kind).toBe("whole");
    expect(shown).toContain(expected);
  });

  test("of a recursive type is its definition, by name and never endless", () => {
    const filter = "type Filter = {\n  field: string;\n  and?: Filter[];\n};\n";
    expect(fold({ path: "args.filter" }).text).toBe(`// demo.create-order args.filter\n${filter}`);
    expect(fold({ path: "args.filter.and[].and[]" }).text).toBe(
      `// demo.create-order args.filter.and[].and[]\n${filter}`,
    );
  });

  test("of a recursive type is open, however small the budget", () => {
    const { kind, text } = fold({ path: "args.filter.and[]", budgetTokens: 20 });
    expect(kind).toBe("folded");
    expect(text).toContain("type Filter = {\n  field: string;\n  … /* 1 more property: args.filter.and[]|2.. */");
  });

  test("pages through a long list", () => {
    const first = fold({ path: "args.country", budgetTokens: 100 }).text;
    const [, next = ""] = /more values: (args\.country\|\d+\.\.) /.exec(first) ?? [];
    const shown = first.match(/"country-\d+"/g) ?? [];
    expect(count(first)).toBeLessThanOrEqual(100);
    const second = fold({ path: next }).text;
    expect([...shown, ...(second.match(/"country-\d+"/g) ?? [])]).toEqual(
      Array.from({ length: 60 }, (_, n) => `"country-${n}"`),
    );
  });

  test.each([
    [
      "args.nots",
      "There is no args.nots. Did you mean args.note? At args there is: customer, lines, note, country, target, labels, filter.",
    ],
    ["args.lines.sku", "There is no args.lines.sku. At args.lines there is a list: ask for args.lines[]."],
    ["args.note.x", "There is no args.note.x. At args.note there is nothing below."],
    [
      "args.target.flor",
      "There is no args.target.flor. Did you mean args.target.floor? At args.target there is: kind, shop, desk, address, floor.",
    ],
    ["args.target|3", "There is no args.target|3. At args.target there is: kind, shop, desk, address, floor."],
    ["args.labels.x", "There is no args.labels.x. At args.labels any name may stand: ask for args.labels[*]."],
    ["args.country|61..", "The list at args.country ends at 60."],
    [
      "args.__proto__",
      "There is no args.__proto__. At args there is: customer, lines, note, country, target, labels, filter.",
    ],
    [
      "args.constructor.name",
      "There is no args.constructor. At args there is: customer, lines, note, country, target, labels, filter.",
    ],
    [
      "args..x",
      'A path begins with args or result and goes on like this: args.body.fields[], args["odd-name"], result|2.',
    ],
    [
      "args.country|2..|3",
      'A path begins with args or result and goes on like this: args.body.fields[], args["odd-name"], result|2.',
    ],
  ])("that is not there is answered with what is: %s", (path, message) => {
    expect(fold({ path })).toEqual({ kind: "missing", text: message });
  });

  test("of an undeclared result is any", async () => {
    const undeclared = await folder({});
    expect(undeclared({ path: "result.x" }).text).toBe("The tool does not declare its result, so it has any type.");
  });
});
