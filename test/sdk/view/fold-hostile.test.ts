import { describe, expect, test } from "vitest";
import { objectOf } from "../catalog.ts";
import { count, folder } from "./fold-tools.ts";

const text = { type: "string" };

describe("hostile schemas", () => {
  test("cannot end a comment or a line with names, values or descriptions, and can be asked for", async () => {
    const name = 'x */ } "quoted"\n\u202e|1';
    const hostile = await folder({
      name: "t\n*/\u202e",
      description: "ends */ here\u2028\n// @ts-ignore",
      inputSchema: objectOf({
        [name]: objectOf({ ["a\u200bb"]: objectOf({ c: { enum: ["*/", "\n"] } }) }),
        ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, text])),
      }),
    });
    const { text: folded } = hostile({ budgetTokens: 200 });
    expect(folded).not.toMatch(/[\u202e\u2028\u200b]/);
    const [, path = ""] = /1 property: (args.*?) \*\//.exec(folded) ?? [];
    const part = hostile({ path });
    expect(part.kind).toBe("whole");
    expect(part.text).toContain('c?: "*/" | "\\n";');
    expect(hostile({ path: `${path}["a\\u{200b}b"].c` }).kind).toBe("whole");
  });

  test("with properties of every object's name are shown as they are", async () => {
    const properties = JSON.parse(
      '{"__proto__": {"type": "object", "properties": {"constructor": {"type": "number"}}}}',
    );
    const hostile = await folder({ inputSchema: { type: "object", properties } });
    expect(hostile({ path: "args" }).text).toContain("  __proto__?: {\n    constructor?: number");
    expect(hostile({ path: "args.__proto__.constructor" }).text).toContain("= number");
  });

  test("with very long names are reached by number, and stay within the budget", async () => {
    const name = "n".repeat(1500);
    const hostile = await folder({
      inputSchema: objectOf({ [name]: objectOf({ a: objectOf({ b: text }) }), other: text }),
    });
    const { kind, text: folded } = hostile({ budgetTokens: 200 });
    expect(kind).toBe("folded");
    expect(count(folded)).toBeLessThanOrEqual(200);
    expect(hostile({ path: "args|1.a.b" }).text).toContain("type B = string;");
  });

  test.each([200, 1500])(
    "with 2,000 properties, values and members keep to %i tokens and go on",
    async (budgetTokens) => {
      const many = Array.from({ length: 2000 }, (_, n) => `value-number-${n}`);
      const hostile = await folder({
        inputSchema: objectOf({
          values: { enum: many },
          members: { anyOf: many.map((name) => objectOf({ [name]: objectOf({ a: text }) }, [name])) },
          object: objectOf(Object.fromEntries(many.map((name) => [name, { ...text, description: name }]))),
          tuple: { type: "array", prefixItems: many.map((name) => ({ const: name })) },
        }),
      });
      for (const path of [
        undefined,
        "args.values",
        "args.members",
        "args.object",
        "args.tuple",
        "args.object|1900..",
        "args.members|1999..",
      ]) {
        const { text: folded } = hostile({ budgetTokens, ...(path && { path }) });
        expect(count(folded)).toBeLessThanOrEqual(budgetTokens);
      }
      expect(hostile({ budgetTokens, path: "args.object|1900.." }).text).toContain('"value-number-1899"');
      expect(hostile({ budgetTokens, path: "args.members|1999.." }).text).toContain('"value-number-1999"');
    },
  );

  test("that are nested or recursive without end are folded", async () => {
    let deep: object = { type: "number" };
    for (let n = 0; n < 60; n++) deep = objectOf({ [`level${n}`]: deep }) as object;
    const nested = await folder({ inputSchema: deep as Record<string, unknown>, description: "d".repeat(900) });
    const { text: folded } = nested({ budgetTokens: 300 });
    expect(count(folded)).toBeLessThanOrEqual(300);
    const [path = ""] = /args[^ ]+(?= \*\/)/.exec(folded) ?? [];
    expect(nested({ path, budgetTokens: 300 }).kind).not.toBe("missing");
    const mutual = await folder({
      inputSchema: {
        $ref: "#/$defs/A",
        $defs: {
          A: objectOf({ b: { $ref: "#/$defs/B" } }),
          B: { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] },
        },
      },
    });
    expect(mutual({ path: "args.b.b.b" }).kind).not.toBe("missing");
    expect(mutual({ path: "args.b.c" }).kind).toBe("missing");
  });
});
