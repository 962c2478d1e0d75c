import { describe, expect, test } from "vitest";
import { VALUE_DEPTH } from "../../src/output/limits.ts";
import { createRedactor } from "../../src/output/redact.ts";
import { redactValue } from "../../src/output/redact-value.ts";
import { seeded } from "./random.ts";

const redact = createRedactor(["hunter22", "20241101"]);

test("masks secrets in strings, keys and numbers at any depth", () => {
  const value = { list: [{ "key-hunter22": ["is hunter22!", 20241101, 1.5] }] };
  expect(redactValue(value, redact)).toEqual({ list: [{ "key-[secret]": ["is [secret]!", "[secret]", 1.5] }] });
});

test("keeps two keys apart that become the same", () => {
  const value = { hunter22: 1, "20241101 ": 2, "[secret]": 3 };
  expect(Object.entries(redactValue(value, redact) as object)).toEqual([
    ["[secret]", 1],
    ["[secret] ", 2],
    ["[secret] (2)", 3],
  ]);
});

test("leaves a value without secrets byte by byte as it was, whatever its keys are called", () => {
  for (let seed = 0; seed < 300; seed++) {
    const json = JSON.stringify(seeded(seed).json(4));
    expect(JSON.stringify(redactValue(JSON.parse(json), redact))).toBe(json);
  }
});

describe("a value in which nothing is to change", () => {
  test("comes back itself, and so do such parts of others", () => {
    const value = { rows: [{ id: 1, name: "Item 1", ok: true, none: null }], total: 1234567 };
    expect(redactValue(value, redact)).toBe(value);
    const copy = redactValue({ value, secret: "hunter22" }, redact) as Record<string, unknown>;
    expect(copy["value"]).toBe(value);
    expect(copy["secret"]).toBe("[secret]");
  });

  test("is looked through in a few large pieces, not text by text", () => {
    let calls = 0;
    const counting = (text: string): string => {
      calls++;
      return redact(text);
    };
    const value = Array.from({ length: 100_000 }, (_, id) => ({ name: `Item number ${id}` }));
    expect(redactValue(value, counting)).toBe(value);
    expect(calls).toBeLessThan(10);
  });
});

test.each([
  ["in the last of many pieces", [...Array.from({ length: 60 }, () => "word ".repeat(10_000)), "hunter22"]],
  ["as a key", { a: [{ hunter22: 1 }] }],
  ["as a number", [[20241101]]],
  ["JSON-escaped to ASCII", ["pass\\u00e9word"]],
  ["JSON-escaped with slashes", ["pass\\/word"]],
  ["JSON-escaped twice", ['quo\\\\\\"ted']],
  ["as a token after another text", ["letters", "sk-abcdefghij1234567890"]],
  ["as a token after a control character", ["\u0001sk-abcdefghij1234567890"]],
  ["as a token after its own tab", ["Bearer\tabcdefghij1234567890"]],
])("finds a secret %s", (_, value) => {
  const masks = createRedactor(["hunter22", "20241101", "passéword", "pass/word", 'quo"ted']);
  expect(JSON.stringify(redactValue(value, masks))).toContain("[secret]");
});

test("keeps 100,000 keys apart that become the same", { timeout: 20_000 }, () => {
  const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, id) => [`sk-abcdefghijkl${1e6 + id}`, id]));
  const entries = Object.entries(redactValue(value, redact) as object);
  expect(entries).toHaveLength(100_000);
  expect(entries.at(-1)).toEqual(["[secret] (100000)", 99_999]);
});

test("no secret survives in the rendered JSON, which stays valid", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = seeded(seed);
    const secret = `k"${random.text(5 + random.below(20))}\\q`;
    const hide = (value: unknown): unknown => {
      if (typeof value === "string") return `${value}${random.pick([secret, JSON.stringify(secret), ""])}`;
      if (Array.isArray(value)) return [...value.map(hide), secret];
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key + random.pick([secret, ""]), hide(item)]),
      );
    };
    const json = JSON.stringify(redactValue(hide(random.json(3)), createRedactor([secret])));
    expect(() => JSON.parse(json)).not.toThrow();
    expect(json).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(json).not.toContain(JSON.stringify(JSON.stringify(secret)).slice(3, -3));
  }
});

describe("what JSON cannot hold", () => {
  test("becomes what JSON.stringify makes of it, or a string", () => {
    const value = {
      missing: undefined,
      call: () => 1,
      big: 12n,
      not: Number.NaN,
      list: [undefined, () => 1, Symbol("x")],
    };
    expect(JSON.stringify(redactValue(value, redact))).toBe('{"big":"12","not":null,"list":[null,null,null]}');
    expect(redactValue(Array(2), redact)).toEqual([null, null]);
  });

  test("no toJSON is left to bring a secret in later", () => {
    class Sly {
      toJSON(): string {
        return "hunter22";
      }
    }
    expect(JSON.stringify(redactValue([new Sly(), { toJSON: () => "hunter22" }], redact))).toBe("[{},{}]");
  });

  test("cycles and endless nesting end at the depth limit", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(JSON.stringify(redactValue(cycle, redact))).toContain(`more than ${VALUE_DEPTH} levels deep`);
  });

  test.each([
    ["at the depth limit stays whole", VALUE_DEPTH, "bottom"],
    ["one level deeper is cut", VALUE_DEPTH + 1, "levels deep: cut"],
  ])("a value %s", (_, levels, expected) => {
    let value: unknown = "bottom";
    for (let level = 0; level < levels; level++) value = [value];
    expect(JSON.stringify(redactValue(value, redact))).toContain(expected);
  });
});
