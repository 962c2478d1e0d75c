import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler(sampleSdk());
});
afterAll(() => compiler.close());

const CALL = 'await github.list_issues({ owner: "acme", repo: "web" })';
const RESULT = `const r = ${CALL};\n`;
const ISSUES = 'const { issues } = await github.list_issues({ owner: "acme", repo: "web" });\n';

/** Careless snippets that work when the data is as one expects. */
const WORKING: readonly (readonly [name: string, source: string])[] = [
  ["a sum in a loop", "let total = 0;\nfor (const i of [1, 2]) total += i;\nreturn total;"],
  ["parameters without types", "function f(a, b) { return a + b }\nreturn f(1, 2);"],
  [
    "counting in an empty object",
    `${ISSUES}const c = {};\nfor (const i of issues) c[i.state] = (c[i.state] || 0) + 1;\nreturn c;`,
  ],
  ["a property added to an empty object", "const out = {};\nout.total = 5;\nreturn out;"],
  ["a property added to an object", "const rep = { n: 0 };\nrep.items = [1];\nreturn rep;"],
  ["pushing into an empty array", "const rows = [];\nrows.push({ a: 1 });\nreturn rows;"],
  ["a let without value", "let best;\nfor (const n of [3, 1]) { if (!best || n > best) best = n }\nreturn best;"],
  [
    "the message of a caught error",
    'try { await github.list_issues({ owner: "a", repo: "b" }) } catch (e) { return e.message }\nreturn 1;',
  ],
  [
    "the tool of a caught error",
    'try { await github.list_issues({ owner: "a", repo: "b" }) } catch (e) { if (e instanceof ToolError) return e.tool; throw e }\nreturn 1;',
  ],
  ["a caught error of type any", 'try { throw new Error("x") } catch (err: any) { return err.code ?? "none" }'],
  ["a difference of dates", 'return (new Date("2026-01-02") - new Date("2026-01-01")) / 864e5;'],
  [
    "sorting by date",
    `${ISSUES}return issues.sort((a, b) => new Date(b.created_at) - new Date(a.created_at)).slice(0, 3);`,
  ],
  [
    "arguments in a variable",
    'const args = { owner: "a", repo: "b", state: "open" };\nreturn (await github.list_issues(args)).total_count;',
  ],
  [
    "a literal from a loop",
    'const out = [];\nfor (const state of ["open", "closed"]) out.push((await github.list_issues({ owner: "a", repo: "b", state })).total_count);\nreturn out;',
  ],
  ["a value of a map", 'const m = new Map();\nm.set("a", [1]);\nreturn m.get("a").length;'],
  ["a value of a typed map", 'const m = new Map<string, number[]>();\nm.set("a", [1]);\nreturn m.get("a").length;'],
  ["a found item", `${ISSUES}const x = issues.find(i => i.state === "open");\nreturn x.title;`],
  ["a match", 'const m = "a1".match(/\\d/);\nreturn m[0];'],
  ["an optional property", `${ISSUES}return issues.map(i => i.labels.map(l => l.color.toUpperCase()));`],
  ["a filtered null", `${ISSUES}return issues.filter(i => i.assignee).map(i => i.assignee.login);`],
  [
    "a result without a type",
    'const u = await slack.search_users({ query: "x" });\nreturn u.members.map(m => m.name);',
  ],
  ["parsed JSON", 'const o = JSON.parse("{\\"a\\":1}");\nreturn o.a.b?.c;'],
  [
    "groups",
    `${ISSUES}const g = Object.groupBy(issues, i => i.state);\nreturn Object.keys(g).map(k => [k, g[k].length]);`,
  ],
  [
    "reducing into an object",
    `${ISSUES}return issues.reduce((acc, i) => { acc[i.state] = (acc[i.state] || 0) + 1; return acc; }, {});`,
  ],
  ["reducing into an array", `${ISSUES}return issues.reduce((acc, i) => { acc.push(i.title); return acc; }, []);`],
  [
    "parallel calls",
    'const [a, b] = await Promise.all([github.list_issues({ owner: "a", repo: "b" }), linear.list_projects({})]);\nreturn a.total_count + b.projects.length;',
  ],
  [
    "settled calls",
    'const r = await Promise.allSettled([github.list_issues({ owner: "a", repo: "b" })]);\nreturn r.filter(x => x.status === "fulfilled").map(x => x.value.total_count);',
  ],
  [
    "a spread that may be empty",
    'const extra = true ? { body: "x" } : {};\nreturn (await github.create_issue({ owner: "a", repo: "b", title: "t", ...extra })).url;',
  ],
  [
    "an optional argument that is undefined",
    'const body = undefined;\nreturn (await github.create_issue({ owner: "a", repo: "b", title: "t", body })).url;',
  ],
  ["filter(Boolean)", "const l = [null, 1].filter(Boolean);\nreturn l.map(n => n + 1);"],
  ["a text times a number", 'const n = "5" * 2;\nreturn n;'],
  [
    "includes on constants",
    'const ok = ["open", "closed"] as const;\nconst s: string = "open";\nreturn ok.includes(s);',
  ],
  ["another type in the same variable", 'let r = [];\nr = "none";\nreturn r;'],
  [
    "a cursor that starts as null",
    'let page = 1, cursor = null;\nwhile (page < 3) { cursor = "c" + page; page++ }\nreturn cursor;',
  ],
  ["a default in a pattern", `${ISSUES}const [{ title } = {}] = issues;\nreturn title;`],
  ["sorted numbers", `${ISSUES}return issues.map(i => i.comments).sort()[0].toFixed(1);`],
  ["functions without types", "const byId = (id) => (x) => x.id === id;\nreturn [{ id: 1 }].filter(byId(1));"],
  ["this in an object", "const o = { n: 1, get() { return this.n } };\nreturn o.get();"],
  ["a cast through unknown", `${ISSUES}const x = issues as unknown as { foo: string }[];\nreturn x.length;`],
  ["a variable of type any", 'const x: any = await slack.search_users({ query: "q" });\nreturn x?.foo;'],
  ["a comparison that cannot hold", 'const s: "a" | "b" = "a";\nif (s === "b") return 1;\nreturn 2;'],
  [
    "a type taken from a result",
    `${ISSUES}type Issue = (typeof issues)[number];\nconst f = (i: Issue) => i.title;\nreturn issues.map(f);`,
  ],
  [
    "a promised type that is too strict",
    "async function get(): Promise<string> { const r = await linear.list_projects(); return r.projects[0]?.lead; }\nreturn await get();",
  ],
  [
    "paging",
    'let page; const all = [];\nfor (let n = 0; n < 2; n++) { const r = await github.list_issues({ owner: "a", repo: "b", per_page: 50 }); all.push(...r.issues); page = r; }\nreturn { n: all.length, t: page.total_count };',
  ],
  ["parseInt of a number", 'const n = Number("3"); const d = parseInt(3.7);\nreturn n + d;'],
  ["isNaN of a text", 'return isNaN("x");'],
  ["concat of another type", 'return ["a"].concat([1]);'],
  [
    "an object in a template",
    `\${ISSUES}return issues.map(i => \`\${i.user.login}: \${i.assignee}\`).join("\\n");`.replace("${ISSUES}", ISSUES),
  ],
  [
    "timers",
    "await new Promise(r => setTimeout(r, 1));\nawait sleep(1);\nclearTimeout(setTimeout(() => {}, 1));\nreturn structuredClone({ a: 1 }).a;",
  ],
  ["a tool named by a variable", 'const name = "list_issues";\nreturn await github[name as string]({});'],
  [
    "new parts of the language",
    "using x = { [Symbol.dispose]() {} };\nreturn [new Set([1]).union(new Set([2])).size, [1].values().map(n => n + 1).toArray(), await Array.fromAsync([1])];",
  ],
  ["fewer arguments than a function's parameters", "const fmt = (s, upper) => s;\nreturn fmt('a');"],
  ["more arguments than a function's parameters", "const one = (s) => s;\nreturn ['a'].map((s) => one(s, 1));"],
  [
    "fewer arguments inside a tool's arguments",
    "const fmt = (s, upper) => s;\nreturn (await github.list_issues({ owner: fmt('a'), repo: 'b' })).total_count;",
  ],
  [
    "a helper with a default of its own",
    "async function retry(fn, n) { for (let i = 0; i < (n || 3); i++) { try { return await fn() } catch {} } }\nreturn await retry(async () => 1);",
  ],
  ["a property set in a constructor", "class C { constructor() { this.n = 1 } }\nreturn new C().n;"],
  ["a property added to an object and read", "const acc = { total: 0 };\nacc.count = 1;\nreturn acc.count;"],
  ["another object in the same variable", "let r = { a: 1 };\nr = { b: 2 };\nreturn r.b;"],
  ["a method of another type in the same variable", "let r = 1;\nr = 'a';\nreturn r.toUpperCase();"],
  ["a typed let that a loop assigns", "let last: string;\nfor (const x of ['a']) last = x;\nreturn last;"],
  ["the code of an error", "try { throw new Error('x') } catch (e) { return (e as Error).code ?? 'none' }"],
  ["a key written twice", "return { a: 1, a: 2 };"],
  ["a function set in a callback", "let f = null;\n[1].forEach(() => { f = () => 7 });\nreturn f();"],
  ["a return type that is no promise", "async function f(): number { return 7 }\nreturn await f();"],
  ["a typed catch", "try { throw new Error('x') } catch (e: Error) { return e.message }"],
  [
    "a field that an item gets",
    `${ISSUES}for (const i of issues) i.score = i.comments * 2;\nreturn issues.map((i) => i.score);`,
  ],
  ["one of two homes of a value", `${RESULT}return (r.structuredContent || r).total_count;`],
  ["a list or an object with one", `${RESULT}return Array.isArray(r) ? r : r.items ?? [];`],
  ["a list or an object with one, used at once", `${RESULT}return Array.isArray(r) ? r.length : r.items.length;`],
  ["a path of optional chains", `${RESULT}return r?.content?.[0]?.text ?? r.total_count;`],
  ["an optional chain behind the first property", `${RESULT}return r.content?.[0] ?? r.total_count;`],
  ["a property that is tested before", `${RESULT}if (r.items) return r.items.length;\nreturn r.total_count;`],
  ["a property that is tested beside", `${RESULT}return (r.items && r.items.length) || r.total_count;`],
  ["a property tested by typeof", `${RESULT}return typeof r.items === "object" ? r.items.length : r.total_count;`],
  ["a branch of a conditional", `${RESULT}const n = r.total_count > 0 ? r.items : [];\nreturn n;`],
  [
    "a default for what a pattern takes",
    `${ISSUES}const { data = [] } = ${CALL};\nreturn data.length + issues.length;`,
  ],
  ["the type of a global that may be missing", "return typeof fetch === 'undefined' ? 1 : 2;"],
  [
    "values of settled calls without a look at the status",
    `const all = await Promise.allSettled([${CALL.slice(6)}]);\nreturn all.map((x) => x.value.total_count);`,
  ],
  ["the lengths of a result's values", `return Object.entries(${CALL}).map(([, v]) => v.length);`],
  [
    "a property of one of two types",
    "const list: ({ text: string } | { data: number })[] = [{ text: 'a' }];\nreturn list.map((c) => c.text);",
  ],
];

/** Snippets that are sure to fail. */
const BROKEN: readonly (readonly [name: string, source: string])[] = [
  ["an unknown tool taken out by name", "const { list_isues } = github;\nreturn await list_isues({});"],
  ["an element of a promise", `const all = Promise.all([${CALL}]);\nreturn all[0].issues;`],
  ["a misspelt tool", 'return await github.list_isues({ owner: "a", repo: "b" });'],
  ["a misspelt tool in brackets", 'return await github["list_isues"]({ owner: "a", repo: "b" });'],
  ["a tool in brackets that is like no other", 'return await everything["zzzzzz"]({});'],
  ["an unknown server", "return await gitlab.list_issues({});"],
  ["an unknown server of nami", "return await nami.gitlab.list({});"],
  ["an unknown argument", 'return await github.list_issues({ owner: "a", repository: "b" });'],
  [
    "an unknown argument through an alias",
    'const gh = github;\nreturn await gh.create_issue({ owner: "a", repo: "b", title: "t", text: "x" });',
  ],
  [
    "an unknown argument through a tool's variable",
    'const { create_issue } = github;\nreturn await create_issue({ owner: "a", repo: "b", title: "t", text: "x" });',
  ],
  ["a missing argument", 'return await github.list_issues({ owner: "a" });'],
  ["no arguments", "return await github.list_issues();"],
  ["a wrong literal", 'return await github.list_issues({ owner: "a", repo: "b", state: "opened" });'],
  ["a wrong type", 'return await github.list_issues({ owner: "a", repo: "b", per_page: "10" });'],
  ["a wrong type behind an odd name", 'return await everything["get-sum"]({ a: 1, b: "2" });'],
  ["a property of a property", `${ISSUES}return issues.map(i => i.user.name.toUpperCase());`],
  [
    "a property of a result",
    'const r = await github.list_issues({ owner: "a", repo: "b" });\nreturn r.items.map(x => x.title);',
  ],
  [
    "an object taken for an array",
    'const r = await github.list_issues({ owner: "a", repo: "b" });\nreturn r.map(x => x.title);',
  ],
  ["a missing await", 'const r = github.list_issues({ owner: "a", repo: "b" });\nreturn r.issues.length;'],
  [
    "a missing await before a pattern",
    'const { issues } = github.list_issues({ owner: "a", repo: "b" });\nreturn issues;',
  ],
  ["fetch", 'return await (await fetch("https://x")).json();'],
  ["process", "return process.env.X;"],
  ["require", 'return require("fs").readFileSync("x");'],
  ["a package", 'import axios from "axios";\nreturn await axios.get("x");'],
  ["a dynamic import", 'const fs = await import("node:fs");\nreturn fs;'],
  ["a misspelt variable", `${ISSUES}return isues.length;`],
  ["positional arguments", 'return await github.list_issues("a", "b");'],
  ["a text as the argument", 'return await github.list_issues("a");'],
  ["a call of a number", `${ISSUES}return issues.length();`],
  ["an assignment to a const", "const a = 1;\na = 2;\nreturn a;"],
  ["use before declaration", "const b = a + 1;\nconst a = 1;\nreturn b;"],
  ["two declarations of a name", "const a = 1;\nconst a = 2;\nreturn a;"],
  [
    "a pattern of what is not there",
    'const { data } = await github.list_issues({ owner: "a", repo: "b" });\nreturn data.length;',
  ],
  ["an unknown method", `${ISSUES}return issues.pluck("title");`],
  ["a method of texts on an array", `${ISSUES}return issues.toLowerCase();`],
  ["a syntax error", "const a = [1, 2;\nreturn a;"],
  [
    "await in a function that is not async",
    `${ISSUES}return issues.map(i => { const c = await github.add_issue_comment({ owner: "a", repo: "b", issue_number: i.number, body: "x" }); return c.id; });`,
  ],
  ["a text for a list", 'return await github.create_issue({ owner: "a", repo: "b", title: "t", labels: "bug" });'],
  ["nested arguments", 'return await github.list_issues({ params: { owner: "a", repo: "b" } });'],
  ["a tool of another server", 'return await slack.create_issue({ title: "x" });'],
  ["setInterval", "setInterval(() => {}, 100);\nreturn 1;"],
  [
    "a property of a result in a function",
    `const f = async () => { ${RESULT}return r.items.length };\nreturn await f();`,
  ],
  ["a property of an item in a loop", `${ISSUES}for (const i of issues) console.log(i.author.login);\nreturn 1;`],
  ["a comparison of what no item has", `${ISSUES}return issues.filter((i) => i.status === "open");`],
  ["a property of a sorted copy", `${ISSUES}return [...issues].sort((a, b) => b.score - a.score);`],
  ["a property of a literal", `${ISSUES}return issues.map((i) => i.state.name);`],
  ["a property of a call", `return (${CALL}).items.length;`],
  [
    "a property of a result of several",
    `const [a, b] = await Promise.all([${CALL.slice(6)}, ${CALL.slice(6)}]);\nreturn a.items.length + b.total_count;`,
  ],
  ["a property in then", `return ${CALL}.then((r) => r.items.length);`],
  ["a property of a result set later", `let r = null;\nr = ${CALL};\nreturn r.items.length;`],
  ["a missing await on an own function", "async function f() { return { a: 1 } }\nreturn f().a.toFixed();"],
  [
    "a list given to a tool inside another call",
    'return String(await slack.post_message({ channel: ["a"], text: "b" }));',
  ],
  ["a weak reference", "return new WeakRef({}).deref();"],
  ["a function that nobody can call", "async function run(repo: string) { return repo.length }"],
];

test.each(WORKING)("lets careless code run: %s", async (_name, source) => {
  expect(programOf(await compiler.compile(source)).typeCheck).toBe("passed");
});

test.each(BROKEN)("stops what is sure to fail: %s", async (_name, source) => {
  expect(rejectionOf(await compiler.compile(source))).toMatch(/^Nothing was executed/);
});

test("keeps its doubts as hints for a run that throws", async () => {
  const hints = async (source: string) => programOf(await compiler.compile(source)).hints;
  expect(await hints(`${ISSUES}return issues.map(i => i.assignee.login);`)).toEqual([
    "line 2: `i.assignee` may be null here; use `?.` or a default.",
  ]);
  expect(await hints('slack.post_message({ channel: "a", text: "b" });\nreturn 1;')).toEqual([
    "line 1: `slack.post_message(…)` is not awaited: its result and its error are lost.",
  ]);
  expect(await hints("[1].forEach(async (n) => { await sleep(n) });\nreturn 1;")).toEqual([
    "line 1: `forEach(async …)` does not wait; use `for … of` or `await Promise.all(list.map(async …))`.",
  ]);
  expect(await hints('await slack.post_message({ channel: "a", text: "b" });')).toEqual([]);
});
