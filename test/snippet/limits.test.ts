import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { NESTING_LIMIT, SOURCE_LIMIT, STRUCTURE_LIMIT } from "../../src/snippet/limits.ts";
import { tooMuch } from "../../src/snippet/nesting.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk());
});
afterAll(() => compiler.close());

test("takes a snippet of the largest size and no byte more", async () => {
  const text = `return "${"é".repeat((SOURCE_LIMIT - 10) / 2)}";`;
  expect(Buffer.byteLength(text)).toBe(SOURCE_LIMIT);
  expect(programOf(await compiler.compile(text)).typeCheck).toBe("passed");
  expect(rejectionOf(await compiler.compile(`${text}\n`))).toContain(`the limit is ${SOURCE_LIMIT}`);
});

const arrays = (depth: number) => `return ${"[".repeat(depth)}${"]".repeat(depth)};`;

test("takes brackets of the greatest depth and not one more", async () => {
  expect(programOf(await compiler.compile(arrays(NESTING_LIMIT))).typeCheck).toBe("passed");
  expect(rejectionOf(await compiler.compile(arrays(NESTING_LIMIT + 1)))).toContain(`more than ${NESTING_LIMIT} levels`);
});

test.each([
  ["brackets", (n: number) => "([{".repeat(n / 3)],
  ["templates", (n: number) => "`${".repeat(n)],
  ["brackets behind a regular expression", (n: number) => `const r = /[\`"'/]/;${"[".repeat(n)}`],
  ["brackets behind texts with brackets", (n: number) => `'}' + "]" + /* ) */ \`)\`;${"[".repeat(n)}`],
])("counts %s", (_name, source) => {
  expect(tooMuch(source(NESTING_LIMIT - 1))).toBeUndefined();
  expect(tooMuch(source(NESTING_LIMIT + 3))?.code).toBe("too-complex");
});

test.each([
  ["texts", `return ${"'['".padEnd(4)}${"+ '((((('".repeat(60)};`],
  ["templates", `return \`${"([{".repeat(100)}\`;`],
  ["comments", `/* ${"([{".repeat(100)} */ // ${"([{".repeat(100)}\nreturn 1;`],
  ["regular expressions", `return [${"/[({]\\(/, ".repeat(150)}];`],
])("does not count brackets in %s", (_name, source) => {
  expect(tooMuch(source)).toBeUndefined();
});

test("takes as much structure as the parser's stack bears and not one bracket more", async () => {
  const calls = (count: number) => `${"f();".repeat(count)}`;
  expect(tooMuch(calls(STRUCTURE_LIMIT))).toBeUndefined();
  expect(tooMuch(calls(STRUCTURE_LIMIT + 1))?.message).toContain(`the limit is ${STRUCTURE_LIMIT}`);
});

// Each of these ends the process with a stack overflow in native code when it gets to the parser.
test.each([
  ["arrows", "a=>".repeat(21_000)],
  ["assignments", "a=".repeat(32_000)],
  ["type arguments", `let a: ${"A<".repeat(32_000)}`],
  ["parentheses hidden from the counter", `if (1) /\`/;${"(".repeat(60_000)}`],
  ["comparisons", `return a${"<a".repeat(7_900)};`],
  ["namespaces hidden from the counter", `if (1) /\`/;${"namespace A{".repeat(5_000)}`],
  ["templates", "`x{".replace("x", "$").repeat(20_000)],
])("survives chains of %s", async (_name, source) => {
  expect(rejectionOf(await compiler.compile(source))).toContain("limit");
});

test.each([
  ["sums", `return 1${"+1".repeat(30_000)};`],
  ["properties", `return ({} as any)${"?.b".repeat(7_900)};`],
  ["properties of a result", `const r = await linear.list_projects();\nreturn r${".b".repeat(30_000)};`],
  ["optional properties of a result", `const r = await linear.list_projects();\nreturn r.a + r${"?.b".repeat(7_900)};`],
  [
    "variables that hold one another",
    `const v0 = await linear.list_projects();\n${Array.from({ length: 2_000 }, (_, i) => `let v${i + 1} = v${i};`)
      .reverse()
      .join("\n")}\nreturn v1.items;`,
  ],
  ["else-if", `${"if(0);else ".repeat(2_000)};`],
  ["statements", "sleep;".repeat(10_000)],
])("gets through long flat code: %s", async (_name, source) => {
  expect(["program", "rejected"]).toContain((await compiler.compile(source)).kind);
});
