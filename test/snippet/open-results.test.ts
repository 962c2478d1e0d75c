import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { type Compiler, createCompiler, type SnippetSdk } from "../../src/snippet/compile.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(() => sampleSdk("open"));
});
afterAll(() => compiler.close());

const ONE = "Nothing was executed: the snippet has an error. Correct it and send all of it again.\n\n";
const CALL = 'await github.list_issues({ owner: "acme", repo: "web" })';

/** Snippets and the whole message that the model reads. */
const MESSAGES: readonly (readonly [name: string, source: string, text: string])[] = [
  [
    "a misspelt property, and not that its value is unknown",
    `const r = ${CALL};\nreturn r.total_cont.toFixed();`,
    `${ONE}line 2: \`total_cont\` is not declared on \`r\`. Did you mean \`total_count\`?
  2 | return r.total_cont.toFixed();
    |          ^^^^^^^^^^
  It has: issues, total_count. \`["total_cont"]\` reads it if the server sends it all the same.`,
  ],
  [
    "a property in a callback",
    `const { issues } = ${CALL};\nreturn issues.map((i) => i.nam);`,
    `${ONE}line 2: \`nam\` is not declared on \`i\`.
  2 | return issues.map((i) => i.nam);
    |                            ^^^
  It has: number, title, state, user, labels, created_at, comments, assignee. \`["nam"]\` reads it if the server sends it all the same.`,
  ],
  [
    "a pattern",
    `const { totl } = ${CALL};\nreturn 1;`,
    `${ONE}line 1: \`totl\` is not declared on this value.
  1 | const { totl } = await github.list_issues({ owner: "acme", repo: "web" });
    |         ^^^^
  It has: issues, total_count. \`["totl"]\` reads it if the server sends it all the same.`,
  ],
  [
    "a pattern behind text that was rewritten",
    `import { github as gh } from "nami";\nimport type { Issue } from "nami";\nconst { totl: n } = await gh.list_issues({ owner: "a", repo: "b" });\nexport const x = n;`,
    `${ONE}line 3: \`totl\` is not declared on this value.
  3 | const { totl: n } = await gh.list_issues({ owner: "a", repo: "b" });
    |         ^^^^
  It has: issues, total_count. \`["totl"]\` reads it if the server sends it all the same.`,
  ],
  [
    "an object taken for a list",
    `const r = ${CALL};\nfor (const i of r) console.log(i);`,
    `${ONE}line 2: \`r\` is one object, not a list.
  2 | for (const i of r) console.log(i);
    |                 ^
  It has: issues, total_count`,
  ],
];

test.each(MESSAGES)("explains %s", async (_name, source, text) => {
  expect(rejectionOf(await compiler.compile(source))).toBe(text);
});

test.each([
  ["a free map by a dot", "const { by_state } = await linear.count_issues({});\nreturn by_state.open;"],
  ["a free map by a pattern", "const { by_state: { open } } = await linear.count_issues({});\nreturn open;"],
  ["a map of objects", "const { labels } = await linear.count_issues({});\nreturn labels.bug.count;"],
  ["brackets", `const r = ${CALL};\nreturn r["totl"];`],
  ["a quoted name in a pattern", `const { "totl": totl } = ${CALL};\nreturn 1;`],
  ["a computed name in a pattern", `const totl = "x";\nconst { [totl]: value } = ${CALL};\nreturn 1;`],
  ["the rest of a result", `const { issues, ...rest } = ${CALL};\nreturn rest;`],
  ["a default", `const { totl = 0 } = ${CALL};\nreturn totl;`],
  ["the author's own map", "const m: { n: number; [k: string]: unknown } = { n: 1 };\nreturn [m.n, m.other];"],
  ["a property that the snippet sets", `const r = ${CALL};\nr.seen = true;\nreturn r.seen;`],
])("has nothing to say about %s", async (_name, source) => {
  expect(programOf(await compiler.compile(source))).toMatchObject({ typeCheck: "passed", hints: [] });
});

test("keeps as a hint what the snippet reckons with", async () => {
  const { hints } = programOf(await compiler.compile(`const r = ${CALL};\nreturn r.items ?? r.issues;`));
  expect(hints).toEqual(["line 2: `items` is not declared on `r`."]);
});

/** A server whose results are of several types, of types with names, and put together of others. */
function shapesSdk(): SnippetSdk {
  const catalog = buildCatalog([
    {
      name: "shapes",
      tools: ["one", "tree", "both", "config", "set", "free", "closed", "loose"].map((name) => ({
        name,
        inputSchema: {},
      })),
    },
  ]);
  const text = `
declare namespace nami.shapes.tree$output {
  interface Node { id: string; children?: Node[]; [k: string]: unknown }
}
interface shapes {
  one(args?: {}): Promise<{ kind: "x"; x: number; [k: string]: unknown } | { kind: "y"; y: string; [k: string]: unknown }>;
  tree(args?: {}): Promise<nami.shapes.tree$output.Node[]>;
  both(args?: {}): Promise<{ a: string; [k: string]: unknown } & { b: number; [k: string]: unknown }>;
  config(args?: {}): Promise<{ channel: string; text: string; [k: string]: unknown }>;
  set(args: { channel: string; text: string; thread?: string }): Promise<{ ok: true; [k: string]: unknown }>;
  free(args?: {}): Promise<{ meta: { [k: string]: unknown }; list: Record<string, unknown>[]; [k: string]: unknown }>;
  closed(args?: {}): Promise<{ x: number } | { y: number }>;
  loose(args?: {}): Promise<{ a: string; [k: string]: unknown } | { [k: string]: unknown }>;
}
declare const shapes: shapes;
`;
  return { catalog, declarations: new Map([["shapes", text]]), certain: new Map(), signature: () => "" };
}

test.each([
  ["x", 'const o = await shapes.one();\nreturn o.kind === "x" ? o.x : o.y;'],
  ["x", "const o = await shapes.one();\nreturn o.x;"],
  ["z", "const o = await shapes.loose();\nreturn o.z;"],
  ["a free map", "const { meta, list } = await shapes.free();\nreturn [meta.size, list.map((each) => each.name)];"],
  ["a pattern of a free map", "const { meta: { size } } = await shapes.free();\nreturn size;"],
  ["what one of two closed types has", "const o = await shapes.closed();\nreturn [o.x, o.y];"],
  [
    "children",
    "const walk = (n) => [n.id, ...(n.children ?? []).flatMap(walk)];\nreturn (await shapes.tree()).flatMap(walk);",
  ],
  ["a and b", "const { a, b } = await shapes.both();\nreturn [a, b];"],
  ["a result as arguments", "return await shapes.set(await shapes.config());"],
  ["a copy as arguments", 'return await shapes.set({ ...(await shapes.config()), text: "x" });'],
  [
    "the author's own view",
    "const rows: Record<string, unknown>[] = await shapes.tree();\nreturn rows.map((r) => r.name);",
  ],
])("lets a snippet use %s where types are less plain", async (_name, source) => {
  await using shapes = createCompiler(shapesSdk);
  expect(programOf(await shapes.compile(source)).typeCheck).toBe("passed");
});

test.each([
  ["one of several types", "const o = await shapes.one();\nreturn o.z;", "`z` is not declared on `o`."],
  ["one of several types, in a pattern", "const { z } = await shapes.one();\nreturn z;", "It has: kind, x, y."],
  ["a narrowed type", 'const o = await shapes.one();\nif (o.kind === "x") return o.z;', "It has: kind, x."],
  ["a recursive type", "return (await shapes.tree()).map((n) => n.children?.map((c) => c.idd));", "Did you mean `id`?"],
  ["types put together", "return (await shapes.both()).c;", "It has: a, b."],
  [
    "a copy of the rest",
    "const { id, ...rest } = (await shapes.tree())[0];\nreturn rest.name;",
    "`name` is not declared on `rest`.",
  ],
])("finds what is missing in %s", async (_name, source, text) => {
  await using shapes = createCompiler(shapesSdk);
  expect(rejectionOf(await shapes.compile(source))).toContain(text);
});
