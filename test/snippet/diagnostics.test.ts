import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk());
});
afterAll(() => compiler.close());

const ONE = "Nothing was executed: the snippet has an error. Correct it and send all of it again.\n\n";

/** Snippets and the whole message that the model reads. */
const MESSAGES: readonly (readonly [name: string, source: string, text: string])[] = [
  [
    "a tool of another server",
    'await github.post_message({ channel: "#eng", text: "hi" });',
    `${ONE}line 1: \`github.post_message\` is not a tool. Did you mean \`slack.post_message\`?
  1 | await github.post_message({ channel: "#eng", text: "hi" });
    |              ^^^^^^^^^^^^
  slack.post_message(args: { channel: string; text: string; thread_ts?: string }): Promise<{ ok: boolean; ts: string }>`,
  ],
  [
    "a tool whose name is no identifier",
    "return await everything.getSum({ a: 1, b: 2 });",
    `${ONE}line 1: \`everything.getSum\` is not a tool. Did you mean \`everything["get-sum"]\`?
  1 | return await everything.getSum({ a: 1, b: 2 });
    |                         ^^^^^^
  everything["get-sum"](args: { a: number; b: number }): Promise<any>`,
  ],
  [
    "a tool's name written as a subtraction",
    "const sum = await everything.get-sum({ a: 1, b: 2 });\nreturn sum;",
    `${ONE}line 1: \`everything.get-sum\` is a subtraction. Write \`everything["get-sum"](…)\`.
  1 | const sum = await everything.get-sum({ a: 1, b: 2 });
    |                              ^^^
  everything["get-sum"](args: { a: number; b: number }): Promise<any>`,
  ],
  [
    "a tool like no other",
    "return await linear.zzzzzz();",
    `${ONE}line 1: \`linear.zzzzzz\` is not a tool.
  1 | return await linear.zzzzzz();
    |                     ^^^^^^
  linear has: count_issues, list_projects`,
  ],
  [
    "an unknown argument",
    'for (const n of [1, 2]) {\n  await github.add_issue_comment({ owner: "acme", repo: "web", issueNumber: n, body: "x" });\n}',
    `${ONE}line 2: \`github.add_issue_comment\` has no argument \`issueNumber\`. Did you mean \`issue_number\`?
  2 | await github.add_issue_comment({ owner: "acme", repo: "web", issueNumber: n, body: "x" });
    |                                                              ^^^^^^^^^^^
  github.add_issue_comment(args: { owner: string; repo: string; issue_number: number; body: string }): Promise<{ id: number; url: string }>`,
  ],
  [
    "missing arguments",
    'const issue = await github.create_issue({ title: "Bug" });\nreturn issue.url;',
    `${ONE}line 1: \`github.create_issue\` needs the arguments \`owner\`, \`repo\`.
  1 | const issue = await github.create_issue({ title: "Bug" });
    |                                         ^^^^^^^^^^^^^^^^
  github.create_issue(args: { owner: string; repo: string; title: string; body?: string; labels?: string[] }): Promise<{ number: number; url: string }>`,
  ],
  [
    "a wrong literal",
    'return await linear.list_projects({ status: "in_progress" });',
    `${ONE}line 1: \`linear.list_projects\`: \`status\` must be "completed" | "planned" | "started", not "in_progress".
  1 | return await linear.list_projects({ status: "in_progress" });
    |                                     ^^^^^^`,
  ],
  [
    "positional arguments",
    'return await slack.post_message("#eng", "hi");',
    `${ONE}line 1: \`slack.post_message\` takes one object with its arguments, not string.
  1 | return await slack.post_message("#eng", "hi");
    |                                 ^^^^^^
  slack.post_message(args: { channel: string; text: string; thread_ts?: string }): Promise<{ ok: boolean; ts: string }>`,
  ],
  [
    "a property that a result does not have",
    'const { issues } = await github.list_issues({ owner: "acme", repo: "web" });\nreturn issues.map((i) => i.author);',
    `${ONE}line 2: \`author\` does not exist on \`i\`.
  2 | return issues.map((i) => i.author);
    |                            ^^^^^^
  It has: number, title, state, user, labels, created_at, comments, assignee`,
  ],
  [
    "a missing await",
    'const res = github.list_issues({ owner: "acme", repo: "web" });\nreturn res.issues;',
    `${ONE}line 2: \`res\` is a promise: \`issues\` is there only after \`await\`.
  2 | return res.issues;
    |            ^^^^^^
  (await res).issues`,
  ],
  [
    "globals of other places",
    'const key = process.env.KEY;\nconst r = await fetch("https://x.example");',
    `Nothing was executed: the snippet has 2 errors. Correct it and send all of it again.

line 1: \`process\` does not exist in the sandbox. There is no process and no environment; keys stay with the host.
  1 | const key = process.env.KEY;
    |             ^^^^^^^

line 2: \`fetch\` does not exist in the sandbox. There is no network; call a tool of the SDK.
  2 | const r = await fetch("https://x.example");
    |                 ^^^^^`,
  ],
  [
    "a module of Node",
    'import fs from "node:fs/promises";\nreturn await fs.readFile("a.txt", "utf8");',
    `${ONE}line 1: \`node:fs/promises\` cannot be imported: the sandbox has no modules.
  1 | import fs from "node:fs/promises";
    |                ^^^^^^^^^^^^^^^^^^
  Node's modules do not exist here; use the SDK and plain JavaScript.`,
  ],
  [
    "a missing brace",
    "const out = [];\nfor (const n of [1, 2, 3]) {\n  if (n > 1) {\n    out.push(n);\n}\nreturn out;",
    `${ONE}line 6: '}' expected.
  6 | return out;
    |            ^
  The \`{\` on line 3 looks unclosed (by indentation).`,
  ],
  [
    "a brace too many",
    "return 1; }\nfoo(); {",
    `${ONE}line 1: Unexpected token.
  1 | return 1; }
    |           ^
  This \`}\` closes nothing, or something before it is missing.`,
  ],
  [
    "a variable that hides its server",
    "const linear = await linear.list_projects({});\nreturn linear;",
    `${ONE}line 1: \`linear\` is used before it has a value: the variable \`linear\` hides the server of that name; give it another name.
  1 | const linear = await linear.list_projects({});
    |                      ^^^^^^`,
  ],
  [
    "habits beside an error",
    'slack.post_message({ channel: "#eng", text: "hi" });\nreturn nope;',
    `${ONE}line 2: \`nope\` is not defined.
  2 | return nope;
    |        ^^^^
  Servers: everything, github, linear, slack.

Note, line 1: \`slack.post_message(…)\` is not awaited: its result and its error are lost.`,
  ],
];

test.each(MESSAGES)("explains %s", async (_name, source, text) => {
  expect(rejectionOf(await compiler.compile(source))).toBe(text);
});

test("shows a signature once, five errors at most, and how many there are", async () => {
  const source = Array.from({ length: 7 }, (_, i) => `await slack.post_message({ wrong${i}: 1 });`).join("\n");
  const text = rejectionOf(await compiler.compile(source));
  expect(text).toMatch(/^Nothing was executed: the snippet has 7 errors\./);
  expect(text.match(/^line \d+:/gm)).toHaveLength(5);
  expect(text.match(/slack\.post_message\(args/g)).toHaveLength(1);
  expect(text).toMatch(/2 more errors are not shown\.$/);
});

test("gives each finding as data too", async () => {
  const compiled = await compiler.compile("return 1;\nawait github.list_isues({});");
  expect(compiled).toMatchObject({
    kind: "rejected",
    diagnostics: [
      { line: 2, column: 14, severity: "error", code: 2551, message: expect.stringContaining("not a tool") },
    ],
  });
});

test("keeps its place behind characters that take two code units or three bytes", async () => {
  const text = rejectionOf(await compiler.compile('const s = "é😀日本"; return nope;'));
  expect(text).toContain("line 1: `nope`");
  expect(text).toContain(`\n    | ${" ".repeat('const s = "é😀日本"; return '.length)}^^^^\n`);
});

test.each([
  ["function dec(c: any) {}\n@dec class A {}", "Decorators do not run in the sandbox."],
  ["class A { @dec method() {} }", "Decorators do not run in the sandbox."],
  ["return __nami__();", "`__nami__` is nami's own name."],
  ["return __n\\u0061mi__();", "`__nami__` is nami's own name."],
  ["function __nami__() {}", "`__nami__` is nami's own name."],
  ['const fs = await import("node:fs");', "`node:fs` cannot be imported"],
  ['export * from "axios";', "`axios` cannot be imported"],
  ['import fs = require("fs");', "`fs` cannot be imported"],
  ['import "dotenv/config";', "`dotenv/config` cannot be imported"],
  ['import { Issues } from "nami";', "The SDK has no `Issues` to import."],
  ["return import.meta.url;", "`import.meta` does not exist"],
  ["declare global { interface Array<T> { odd: 1 } }", "only allowed at the top level"],
  ["}\nasync function other() {", "Unexpected token."],
  ["return 1;\n}\nescaped();\nasync function other() {\n", "Unexpected token."],
  ["/* never closed", "*/"],
  ["return `never closed", "template"],
])("refuses %j", async (source, message) => {
  expect(rejectionOf(await compiler.compile(source))).toContain(message);
});

test.each(["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "WebAssembly"])(
  "has no types for %s, which the sandbox deletes",
  async (name) => {
    const text = rejectionOf(await compiler.compile(`return ${name};`));
    expect(text).toMatch(new RegExp(`\`${name}\` does not exist in the sandbox\\. [A-Z]`));
  },
);

test.each([
  [
    "return await fetch('https://x.example')",
    "`fetch` does not exist in the sandbox. There is no network; call a tool of the SDK.",
  ],
  [
    "return require('fs')",
    "`require` does not exist in the sandbox. There are no modules; the servers are globals already.",
  ],
  [
    "return process.env.KEY",
    "`process` does not exist in the sandbox. There is no process and no environment; keys stay with the host.",
  ],
  ["return fs.readFileSync('a')", "`fs` does not exist in the sandbox. There are no files; call a tool of the SDK."],
  [
    "return Buffer.from('a')",
    "`Buffer` does not exist in the sandbox. Use `Uint8Array`, `TextEncoder`, `TextDecoder`, `atob` and `btoa`.",
  ],
  ["localStorage.setItem('a', '1')", "`localStorage` does not exist in the sandbox. Use `nami.store`."],
  ["return Temporal.Now.instant()", "`Temporal` does not exist in the sandbox. Use `Date`."],
  ["return await nami.fetch('x')", "There is no server `fetch`."],
  ["return await nami.fetch('x')", "`nami` itself has: search, describe, log, store."],
])("says of %j what there is instead", async (source, message) => {
  expect(rejectionOf(await compiler.compile(source))).toContain(message);
});

test("has types for the console that the sandbox has", async () => {
  const source = `console.trace("a"); console.dir({ a: 1 }, { depth: 1 }); console.table([{ a: 1 }]); console.group("a");
console.groupEnd(); console.time("a"); console.timeEnd("a"); console.assert(false, "a");`;
  expect(programOf(await compiler.compile(source))).toMatchObject({ typeCheck: "passed", hints: [] });
});

test.each([
  ['slack.post_message({ channel: "#eng", text: "hi" }, { timeout: 5 })', "`timeout`"],
  ['slack.post_message({ channel: "#eng", text: "hi" }, "hi")', "no more than { signal }"],
  ['slack.post_message({ channel: "#eng", text: "hi" }, { signal: 5 })', "number"],
  ['slack.post_message({ channel: "#eng" }, { signal: AbortSignal.abort() })', "needs the argument `text`"],
])("lets a call have a signal and no other option, %s", async (source, word) => {
  const text = rejectionOf(await compiler.compile(`return await ${source};`));
  expect(text).toContain("slack.post_message");
  expect(text).toContain(word);
});

test("refuses __nami__ as data only where it is code", async () => {
  expect(programOf(await compiler.compile('return "__nami__"; // __nami__')).typeCheck).toBe("passed");
});
