import { describe, expect, test } from "vitest";
import { signature, signatureLine } from "../../src/sdk/signature.ts";
import { objectOf, toolOf } from "./catalog.ts";

describe("a signature", () => {
  test("shows arguments and the declared result on one line", () => {
    const tool = toolOf(
      objectOf(
        {
          owner: { type: "string", description: "Not shown" },
          state: { enum: ["open", "closed"] },
          labels: { type: "array", items: { type: "string" } },
          since: { type: ["string", "null"] },
        },
        ["owner"],
      ),
      {
        name: "list_issues",
        outputSchema: objectOf({ issues: { type: "array", items: objectOf({ a: {} }) }, total: { type: "number" } }, [
          "total",
        ]),
      },
    );
    expect(signature(tool)).toBe(
      'demo.list_issues(args: { owner: string; state?: "open" | "closed"; labels?: string[]; since?: string | null }): Promise<{ issues?: { a?: unknown }[]; total: number }>',
    );
  });

  test("puts names that are no identifiers in brackets", () => {
    const tool = toolOf(objectOf({ "a-b": {} }), { name: "get-sum" });
    expect(signature(tool)).toBe('demo["get-sum"](args?: { "a-b"?: unknown }): Promise<any>');
  });

  test("shows objects within the arguments, and nothing deeper", () => {
    const tool = toolOf(
      objectOf({ filter: objectOf({ by: objectOf({ a: {} }), tags: { type: "array", items: { enum: ["a", "b"] } } }) }),
    );
    expect(signature(tool)).toBe('demo.tool(args?: { filter?: { by?: {…}; tags?: ("a" | "b")[] } }): Promise<any>');
  });

  test("resolves references and stops at what contains itself", () => {
    const tool = toolOf(
      objectOf({ v: { type: "string" }, again: { $ref: "#" }, list: { type: "array", items: { $ref: "#" } } }),
    );
    expect(signature(tool)).toBe("demo.tool(args?: { v?: string; again?: …; list?: …[] }): Promise<any>");
  });

  test("needs no arguments when a branch needs none", () => {
    expect(signature(toolOf({ anyOf: [objectOf({ a: {} }, ["a"]), objectOf({ b: {} })] }))).toContain("args?:");
    expect(signature(toolOf({ allOf: [objectOf({ a: {} }, ["a"]), objectOf({ b: {} })] }))).toContain("args:");
  });

  test("keeps required arguments and balanced brackets when it is cut", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `argument_${n}`,
        { anyOf: [{ enum: ["(", "[{", `"`] }, objectOf({ a: {} })] },
      ]),
    );
    const text = signature(toolOf(objectOf(properties, ["argument_59"]), { outputSchema: objectOf(properties) }));
    expect(text.length).toBeLessThanOrEqual(450);
    expect(text).toContain("argument_59:");
    expect(text).toContain("…");
    const brackets = text.replace(/"(?:[^"\\]|\\.)*"/g, "").replace(/[^()[\]{}]/g, "");
    let rest = brackets;
    for (let before = ""; before !== rest; ) {
      before = rest;
      rest = rest.replace(/\(\)|\[\]|\{\}/g, "");
    }
    expect(rest).toBe("");
  });

  test.each([1, 10, 100, 1000])("is short for %i arguments with long names", (count) => {
    const names = Array.from({ length: count }, (_, n) => `${"long".repeat(20)}_${n}`);
    const text = signature(
      toolOf(objectOf(Object.fromEntries(names.map((name) => [name, { type: "string" }])), names)),
    );
    expect(text.length).toBeLessThanOrEqual(450);
  });
});

describe("a signature line", () => {
  test.each([
    ["Lists issues. Newest first.", "Lists issues."],
    ["Lists issues\n\nof a   repository", "Lists issues of a repository"],
    ["Uses e.g. labels. Then more.", "Uses e.g. labels."],
    ["See 1. First step.", "See 1. First step."],
    ["查询订单。更多", "查询订单。"],
    ["w".repeat(200), `${"w".repeat(99)}…`],
    ["@ts-nocheck\u202e */", "ts-nocheck *\\/"],
  ])("ends in the first sentence of %j", (description, sentence) => {
    expect(signatureLine(toolOf({}, { description }))).toBe(`demo.tool(args?: unknown): Promise<any> // ${sentence}`);
  });

  test("is the signature alone without a description, or has the title", () => {
    expect(signatureLine(toolOf({}))).toBe("demo.tool(args?: unknown): Promise<any>");
    expect(signatureLine(toolOf({}, { title: "A title" }))).toBe("demo.tool(args?: unknown): Promise<any> // A title");
  });

  test("is one line, whatever the names are", () => {
    const line = signatureLine(
      toolOf(objectOf({ "a\nb\u2028\u202e": { enum: ["\n"] } }), { name: "x\ny\u202e", description: "a\r\nb" }),
    );
    expect(line).toMatch(/^[^\n\r\u2028\u202e]+$/);
  });
});
