import { describe, expect, it } from "vitest";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

const SLOW = [
  ["nested repetition", "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ["alternatives that overlap", "/^(a|a)*$/.test('a'.repeat(40) + 'b')"],
  ["back-references", "/^(.*)*\\1x$/.test('ab'.repeat(40))"],
  ["a lookbehind", "/(?<=^(a+)+)b$/.test('c' + 'a'.repeat(40) + 'b')"],
  ["replaceAll over a long text", "for (;;) 'a'.repeat(30).replace(/(a*)*b/g, '')"],
  ["split", "('a'.repeat(40) + 'b').split(/(a+)+$/)"],
] as const;

describe.each(ENGINES)("a catastrophic regular expression, on %s,", (engine) => {
  it.each(SLOW)("%s, is stopped at the deadline", async (_, body) => {
    expect(await meet(engine, body, { limits: SOON })).toMatchObject(AT_DEADLINE);
  });
});
