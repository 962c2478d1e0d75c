import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { evaluate, programOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk());
});
afterAll(() => compiler.close());

/** Text as a model writes it, what it should return, and what it should print. */
const SHAPES: readonly (readonly [name: string, source: string, value: unknown, logs?: readonly string[]])[] = [
  ["statements with a return", "const x: number = 1;\nreturn x;", 1],
  ["top-level await and a last expression", "const x = await Promise.resolve(5);\nx * 2", 10],
  ["a last expression without semicolon", "const a = 2\na + 1", 3],
  ["an early return and a last expression", "if (Math.random() > 2) return null;\n[1, 2].length", 2],
  ["an object in parentheses", "({ a: 1 })", { a: 1 }],
  ["an object literal alone", "{ a: 1 }", { a: 1 }],
  [
    "an object literal of several properties alone",
    '// the answer\n{ a: 1, "b": [2], ...{ c: 3 } };',
    { a: 1, b: [2], c: 3 },
  ],
  ["an object literal as the last statement", "const total = 3;\n{ total }", { total: 3 }],
  ["a block that is no object", "{ console.log(1); }", undefined, ["1"]],
  ["an async arrow", "async () => {\n  return 7;\n}", 7],
  ["an arrow with a semicolon", "async () => 7;", 7],
  ["an arrow in parentheses", "(async () => { return 7 })", 7],
  ["a called arrow", "(async () => { return 7 })()", 7],
  ["an awaited called arrow", "await (async () => { return 7 })();", 7],
  ["an arrow that takes the SDK apart", 'async ({ everything }) => await everything.echo({ message: "x" })', ECHO()],
  ["an arrow that takes the SDK", "async (nami: any) => Object.keys(nami).length", 4],
  ["a function expression", "(function () { return 7 })", 7],
  ["a helper before an arrow", "const three = 3;\nasync () => three + 4", 7],
  ["a declared main", "async function main(): Promise<number> {\n  return 7;\n}", 7],
  ["a main that is called", "async function main() { return 7 }\nmain();", 7],
  ["a main that is awaited", "async function main() { return 7 }\nawait main();", 7],
  [
    "a main with then and catch",
    "async function main() { return 7 }\nmain().then(console.log).catch(console.error);",
    undefined,
    ["7"],
  ],
  ["a main that is returned", "async function main() { return 7 }\nreturn main();", 7],
  ["a helper and a main", "function h() { return 3 }\nasync function main() { return h() + 4 }", 7],
  ["a main before its helper", "async function main() { return h() + 4 }\nfunction h() { return 3 }", 7],
  ["a main after a statement", 'console.log("start");\nasync function main() { return 7 }', 7, ["start"]],
  ["a main that takes the SDK", "async function run({ slack }: any) { return typeof slack }", "object"],
  ["a const main", "const main = async () => 7;", 7],
  ["a default export of a function", "export default async function () { return 7 }", 7],
  ["a default export of a named function", "export default async function run() { return 7 }", 7],
  ["a default export of an arrow", "export default async () => 7", 7],
  [
    "a default export that takes the SDK",
    "export default async function ({ github }) { return typeof github }",
    "object",
  ],
  ["a default export before its helper", "export default async () => h() + 4;\nfunction h() { return 3 }", 7],
  ["a default export of a value", "const x = 7;\nexport default x;", 7],
  ["an exported main", "export async function main() { return 7 }", 7],
  ["an export list", "async function main() { return 7 }\nexport { main };", 7],
  ["an exported const", "export const result = 7;", 7],
  ["a fence", "```ts\nreturn 7;\n```", 7],
  ["a fence in prose", "Here is the code:\n\n```typescript\nconst a = 7;\nreturn a;\n```\nThis returns 7.", 7],
  ["a fence of four backticks", "````js\nreturn 7;\n````", 7],
  ["a fence of tildes", "~~~ts\nreturn 7;\n~~~", 7],
  ["a fence that is not closed", "```ts\nreturn 7;", 7],
  ["a fence inside a template", "const md = `\n\\`\\`\\`ts\nx\n\\`\\`\\`\n`;\nreturn md.length;", 13],
  [
    "an import of a server",
    'import { everything } from "nami";\nreturn await everything.echo({ message: "x" });',
    ECHO(),
  ],
  [
    "an import by another name",
    'import { everything as e } from "@nami/sdk";\nreturn await e.echo({ message: "x" });',
    ECHO(),
  ],
  ["an import of all", 'import * as n from "nami";\nreturn await n.everything.echo({ message: "x" });', ECHO()],
  ["an import of the default", 'import sdk from "./sdk";\nreturn await sdk.everything.echo({ message: "x" });', ECHO()],
  [
    "an import of a path",
    'import * as everything from "./servers/everything";\nreturn await everything.echo({ message: "x" });',
    ECHO(),
  ],
  [
    "an import of a tool",
    'import { echo } from "./servers/everything/index.ts";\nreturn await echo({ message: "x" });',
    ECHO(),
  ],
  [
    "an import over several lines",
    'import {\n  github,\n  everything as e,\n} from "nami";\nreturn [typeof github, typeof e];',
    ["object", "object"],
  ],
  ["an import of a type", 'import type { Issue } from "nami";\nconst x: Issue = 7;\nreturn x;', 7],
  [
    "an import of a type beside a server",
    'import { github, type Issue } from "nami";\nconst x: Issue[] = [];\nreturn [x.length, typeof github];',
    [0, "object"],
  ],
  ["only printing", 'console.log("hi");', undefined, ["hi"]],
  ["a last const", "const out = { a: 1 };", { a: 1 }],
  ["a last const after printing", 'console.log("hi");\nconst out = { a: 1 };', undefined, ["hi"]],
  ["a last if", "if (true) { console.log(1) }", undefined, ["1"]],
  ["nothing", "", undefined],
  ["only a comment", "// nothing", undefined],
  ["a comment at the end", "return 7; // done", 7],
  ["only a nested return", "[1].forEach(function () { return 1 });\nconst z = 4;", 4],
  ["returns in try and catch", "try { return 7 } catch (e) { return null }", 7],
  ["a loop that prints", "for (const i of [1]) console.log(i);", undefined, ["1"]],
  ["a class and an expression", "class A {}\nnew A() instanceof A", true],
  ["a directive", '"use strict";\nreturn 7;', 7],
  ["a hashbang", "#!/usr/bin/env node\nreturn 7;", 7],
  ["a byte-order mark and CRLF", "\uFEFFconst a = 7;\r\nreturn a;\r\n", 7],
  ["an enum", "enum E { A = 7 }\nreturn E.A;", 7],
  ["a const enum", 'const enum E { A = "x" }\nreturn E.A;', "x"],
  ["a namespace", "namespace N { export const x = 3; export function f() { return x + 4 } }\nreturn N.f();", 7],
  [
    "namespaces that merge",
    "namespace N { export const x = 3 }\nnamespace N { export const y = 4 }\nreturn N.x + N.y;",
    7,
  ],
  [
    "a parameter property",
    "class P { constructor(private x: number) {} get() { return this.x } }\nreturn new P(7).get();",
    7,
  ],
  ["types behind the last expression", "7\ntype Q = number", 7],
  ["declared variables", "declare const other: unknown;\nreturn typeof other;", "undefined"],
  ["a generator", "const xs = [...(function* () { yield 7 })()];\nxs[0]", 7],
  ["await in a template", "`v=${await Promise.resolve(7)}`", "v=7"],
  ["a last call that is not awaited", 'everything.echo({ message: "x" })', ECHO()],
  [
    "a tool whose name is no identifier",
    'everything["get-sum"]({ a: 1, b: 2 })',
    { call: "everything.get-sum", args: { a: 1, b: 2 } },
  ],
  ["using", "{ using x = { [Symbol.dispose]() { console.log('end') } }; }\nreturn 7;", 7, ["end"]],
  // Strippers that only blank out types glue the first line to the third here.
  ["a type between lines without semicolons", "let b = 5\ntype Q = number\n;(function () {})()\nreturn b", 5],
  ["its own variable of a server's name", "const github = { n: 7 };\nreturn github.n;", 7],
];

function ECHO() {
  return { call: "everything.echo", args: { message: "x" } };
}

const CASES = SHAPES.map(([name, source, value, logs = []]) => ({ name, source, value, logs }));

test.each(CASES)("runs $name", async ({ source, value, logs }) => {
  const program = programOf(await compiler.compile(source));
  expect(program.typeCheck, program.typeCheckReason).toBe("passed");
  expect(await evaluate(program)).toEqual({ value, logs });
});

test("says what it changed", async () => {
  const notes = async (source: string) => programOf(await compiler.compile(source)).notes;
  expect(await notes("return 1")).toEqual([]);
  expect(await notes("```ts\nconst a = 1;\n```")).toEqual([
    "removed the Markdown fence around the snippet",
    "there is no return statement, so `a` was returned",
  ]);
  expect(await notes('import { github } from "nami";\nasync function main() { return github }')).toEqual([
    'took the import of "nami" for the SDK\'s globals',
    "called `main()`, which nothing else did",
  ]);
  expect(await notes("if (true) {}")).toEqual([
    "the snippet neither returns nor prints anything, so its result is undefined",
  ]);
  expect(await notes("let n = 0;\nwhile (true) { n++ }")).toEqual([]);
  expect(await notes('if (Math.random() < 2) { throw new Error("x") }')).toEqual([]);
});
