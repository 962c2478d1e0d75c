import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { programOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk());
});
afterAll(() => compiler.close());

/** Snippets of every way in which text is moved; the identifiers of each are unique words that begin with `id`. */
const SOURCES = [
  'const idOne: string = "é😀日本"; const idTwo = idOne;\nreturn idTwo.length;',
  'import { github as idGithub } from "nami"; const idOne = typeof idGithub;\nconst idTwo = idOne;\nidTwo',
  'import {\n  github,\n  slack as idSlack,\n} from "nami";\nexport const idOne = idSlack, idTwo = github;',
  "```ts\ntype Q = number;\nenum idEnum { idA = 1 }\nexport default async function idMain() { const idB: Q = idEnum.idA; return idB }\n```",
  "class idClass { constructor(private idField: number) {} idGet() { return this.idField } }\nnew idClass(1).idGet()",
  "async ({ github }) => { const idX = github; return idX }",
  "// @ts-ignore\nconst idX = 1 as number; /* @ts-nocheck */ const idY = <number>idX;\n({ idY })",
];

test.each(SOURCES)("finds every identifier of snippet %# in the author's text", async (text) => {
  const program = programOf(await compiler.compile(text));
  const authorLines = program.source.split("\n");
  const found = new Set<string>();
  for (const [index, line] of program.code.split("\n").entries()) {
    for (const match of line.matchAll(/\bid\w+/g)) {
      const place = program.locate(index + 1, match.index + 1);
      // Text that nami wrote itself, like the call of a function, has no place.
      if (!place) continue;
      const at = authorLines[place.line - 1]?.slice(place.column - 1) ?? "";
      // JavaScript names an enum and a parameter property again where the author wrote the whole declaration.
      const again = match[0] === "idEnum" || /["']$|this\.$/.test(line.slice(0, match.index));
      if (!again) expect(at).toMatch(new RegExp(`^(?:private )?${match[0]}\\b`));
      found.add(match[0]);
    }
  }
  const written = new Set((program.source.replace(/import [\s\S]*?from/g, "").match(/\bid\w+/g) ?? []).filter(Boolean));
  expect([...written].filter((name) => !found.has(name))).toEqual([]);
});

test("keeps line numbers in front of an error", async () => {
  const program = programOf(
    await compiler.compile('import {\n  github\n} from "nami";\n\ntype A = 1;\nthrow new Error("x");'),
  );
  const line = program.code.split("\n").findIndex((each) => each.includes("throw"));
  expect(program.locate(line + 1, (program.code.split("\n")[line] ?? "").indexOf("throw") + 1)).toEqual({
    line: 6,
    column: 1,
  });
});

test("gives no place for nami's own code and for places that do not exist", async () => {
  const program = programOf(await compiler.compile("async function main() { return 7 }"));
  expect(program.locate(1, 1)).toBeUndefined();
  const call = program.code.split("\n").findIndex((line) => line.includes("await main"));
  expect(program.locate(call + 1, 3)).toBeUndefined();
  expect(program.locate(0, 0)).toBeUndefined();
  expect(program.locate(9999, 1)).toBeUndefined();
});
