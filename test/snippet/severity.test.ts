import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { corpus } from "./corpus.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

describe.each(["closed", "open"] as const)("with results that are %s", (results) => {
  let compiler: Compiler;
  beforeAll(() => {
    compiler = createCompiler(() => sampleSdk(results));
  });
  afterAll(() => compiler.close());

  test.each(corpus("careless"))("lets careless code run: $name", async ({ source }) => {
    expect(programOf(await compiler.compile(source)).typeCheck).toBe("passed");
  });

  test.each(corpus("ordinary"))("lets ordinary code run: $name", async ({ source }) => {
    expect(programOf(await compiler.compile(source)).typeCheck).toBe("passed");
  });

  test.each(corpus("broken"))("stops what is sure to fail: $name", async ({ source }) => {
    expect(rejectionOf(await compiler.compile(source))).toMatch(/^Nothing was executed/);
  });
});

describe("with open results alone", () => {
  let compiler: Compiler;
  beforeAll(() => {
    compiler = createCompiler(() => sampleSdk("open"));
  });
  afterAll(() => compiler.close());

  test.each(corpus("open-working"))("lets run: $name", async ({ source }) => {
    expect(programOf(await compiler.compile(source)).typeCheck).toBe("passed");
  });

  test.each(corpus("open-broken"))("stops: $name", async ({ source }) => {
    expect(rejectionOf(await compiler.compile(source))).toMatch(/^Nothing was executed/);
  });
});

const ISSUES = 'const { issues } = await github.list_issues({ owner: "acme", repo: "web" });\n';

test("keeps its doubts as hints for a run that throws", async () => {
  await using compiler = createCompiler(() => sampleSdk());
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
