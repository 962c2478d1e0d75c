import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { removeFences } from "../../src/snippet/fences.ts";
import { evaluate, programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk());
});
afterAll(() => compiler.close());

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const RAN = block("js", "return 'RAN';");

/** Programs whose fence is theirs, and what they return. */
const OWN: readonly (readonly [name: string, source: string, value: unknown])[] = [
  ["in a block comment", `/*\n${RAN}\n*/\nreturn 7;`, 7],
  ["in a comment behind code", `const a = 7;\n/* like this:\n${RAN}\n*/\nreturn a;`, 7],
  ["in a template, escaped", `const md = \`# T\n${RAN.replaceAll("`", "\\`")}\n\`;\nreturn md.length;`, 28],
  ["in a text of several lines", `["a\\\n${RAN.replaceAll("\n", "\\\n")}"][0]`, "a```jsreturn 'RAN';```"],
];

test.each(OWN)("leaves a fence %s alone", async (_name, source, value) => {
  expect(await evaluate(programOf(await compiler.compile(source)))).toEqual({ value, logs: [] });
});

test.each([
  ["a template with plain backticks", `const md = \`# T\n${RAN}\nend\`; return md.length`],
  ["a template that is returned", `return \`# T\n${RAN}\``],
  ["an argument", `await github.create_issue({\n  title: "t", body: \`\n${RAN}\n\` })`],
  ["a comment of a broken program", `/*\n${RAN}\n*/\nconst a = [1;`],
  ["code in front", `const a = 7\n${RAN}`],
  ["a call in front", `await slack.post_message({ channel: "a", text: "b" })\n${RAN}`],
  ["a template inside a fence", block("ts", `const md = \`# T\n${RAN}\nend\`;\nreturn md.length;`)],
])("never runs the inner block: %s", async (_name, source) => {
  expect(rejectionOf(await compiler.compile(source))).toMatch(/^Nothing was executed/);
});

test.each([
  ["an output", `${block("ts", "return 7;")}\nIt prints:\n${block("", "a much longer text; = that is no snippet")}`],
  ["an output first", `${block("", "usage of the tool")}\n${block("js", "return 7;")}`],
  ["JSON", `The arguments are:\n${block("json", "{}")}\n${block("", "return 7;")}`],
  [
    "prose with code words",
    `I'll use \`github.list_issues\` (once); then return it:\n\n${block("ts", "return 7;")}\nDone.`,
  ],
])("takes the one block of code beside %s", (_name, answer) => {
  expect(removeFences(answer)).toEqual({ text: "return 7;\n", note: "removed the Markdown fence around the snippet" });
});

test.each(["ts", ""])("refuses two blocks of code, tagged %j", async (language) => {
  const answer = `${block(language, "return 1;")}\nor\n${block(language, "const a = 7;\nreturn a;")}`;
  expect(rejectionOf(await compiler.compile(answer))).toContain(
    "line 5: A second code block begins here, and it is not clear which is the snippet.",
  );
});
