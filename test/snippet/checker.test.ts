import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNativeChecker } from "../../src/snippet/checker.ts";
import { type Compiler, createCompiler } from "../../src/snippet/compile.ts";
import { standardLibrary } from "../../src/snippet/lib.ts";
import { HEAD } from "../../src/snippet/normalise.ts";
import { children } from "./children.ts";
import { programOf, rejectionOf } from "./evaluate.ts";
import { sampleSdk } from "./sdk.ts";

/** A type that doubles 22 times, each time into two new ones: TypeScript 7 takes longer than ten seconds. */
const SLOW = `type Double<N extends unknown[], P extends string> =
  N extends [unknown, ...infer Rest] ? Double<Rest, \`\${P}0\`> | Double<Rest, \`\${P}1\`> : P;
const x: Double<[${"1, ".repeat(22)}], ""> = "no";
return x;`;

const NOTHING = { guest: "", servers: new Map(), certain: new Map() };

describe("the closed world", () => {
  const findings = async (text: string) => {
    await using checker = createNativeChecker(standardLibrary, 20_000);
    return await checker.check(text, NOTHING, async ({ findings }) => findings.map(({ code }) => code));
  };

  test.each([
    ['import x from "/etc/passwd";', [2307]],
    ['import x from "../etc/passwd";', [2307]],
    ['/// <reference path="/etc/passwd" />\nexport {};', []],
    ['/// <reference types="node" />\nexport const f: Buffer = 1 as any;', [2591]],
    ['/// <reference lib="dom" />\nexport const w = window;', [2304]],
    ['const m: typeof import("typescript") = 1 as any;', [2307]],
  ])("has no files but its own: %s", async (text, codes) => {
    expect(await findings(text)).toEqual(codes);
  });

  test("has the standard library, and keeps it after texts that try to load more", async () => {
    await using checker = createNativeChecker(standardLibrary, 20_000);
    const check = (text: string) =>
      checker.check(text, NOTHING, async ({ findings }) => findings.map((each) => each.text));
    const usual = `${HEAD} return [new Map([["a", 1]]), [1].values().map(String), await Promise.resolve(1)] }`;
    expect(await check(usual)).toEqual([]);
    await check(
      '/// <reference lib="dom" />\nimport x from "/etc/passwd"; declare global { interface Array<T> { odd: 1 } }',
    );
    expect(await check(usual)).toEqual([]);
  });
});

describe("comments to the checker", () => {
  let compiler: Compiler;
  beforeAll(() => {
    compiler = createCompiler(() => sampleSdk());
  });
  afterAll(() => compiler.close());

  test.each([
    "// @ts-nocheck\nreturn nope;",
    "// @ts-ignore\nreturn nope;",
    "/* @ts-ignore */ return nope;",
    "// @ts-expect-error\nreturn nope;",
    "/**\n * @ts-ignore\n */\nreturn nope;",
    "/// @ts-ignore\nreturn nope;",
    "async () => {\n  // @ts-ignore\n  return nope;\n}",
  ])("do not switch it off: %j", async (source) => {
    expect(rejectionOf(await compiler.compile(source))).toContain("`nope` is not defined.");
  });

  test("do no harm where there is nothing to hide", async () => {
    const program = programOf(await compiler.compile("// @ts-expect-error\nreturn `// @ts-ignore`;"));
    expect(program.typeCheck).toBe("passed");
    expect(program.code).toContain("`// @ts-ignore`");
  });
});

describe("a checker that fails", () => {
  test("is killed when a check takes too long; the snippet runs unchecked and the next one is checked", async () => {
    await using compiler = createCompiler(() => sampleSdk(), { timeoutMs: 1500 });
    await compiler.warm();
    const [first = 0] = children();
    const slow = programOf(await compiler.compile(SLOW));
    expect(slow).toMatchObject({ typeCheck: "skipped", typeCheckReason: "the type check took longer than 1500 ms" });
    expect(rejectionOf(await compiler.compile("return nope;"))).toContain("`nope` is not defined.");
    expect(children()).not.toContain(first);
    expect(programOf(await compiler.compile("return 1;")).typeCheck).toBe("passed");
  });

  test("does not stop a syntax error from being one", async () => {
    const compiler = createCompiler(() => sampleSdk());
    await compiler.close();
    expect(programOf(await compiler.compile("return 1;"))).toMatchObject({
      typeCheck: "skipped",
      typeCheckReason: "the type checker is closed",
    });
    expect(rejectionOf(await compiler.compile("return 1; }"))).toContain("line 1:");
  });

  test("comes back when its process is killed between checks", async () => {
    await using compiler = createCompiler(() => sampleSdk());
    await compiler.warm();
    const [first = 0] = children();
    process.kill(first, "SIGKILL");
    expect(programOf(await compiler.compile("return 1;")).typeCheck).toBe("passed");
    expect(children()).toHaveLength(1);
    expect(children()).not.toContain(first);
  });

  test("comes back when its process is killed in the middle of a check", async () => {
    await using compiler = createCompiler(() => sampleSdk(), { timeoutMs: 3000 });
    await compiler.warm();
    const [first = 0] = children();
    const slow = compiler.compile(SLOW);
    const next = compiler.compile("return nope;");
    setTimeout(() => process.kill(first, "SIGKILL"), 300);
    expect(programOf(await slow).typeCheck).toBe("skipped");
    expect(rejectionOf(await next)).toContain("`nope` is not defined.");
  });
});

test("checks snippets that come at the same time one after the other", async () => {
  await using compiler = createCompiler(() => sampleSdk());
  const names = Array.from({ length: 12 }, (_, i) => `nope${i}`);
  const texts = await Promise.all(names.map(async (name) => rejectionOf(await compiler.compile(`return ${name};`))));
  expect(texts.map((text) => /`(nope\d+)`/.exec(text)?.[1])).toEqual(names);
  expect(children()).toHaveLength(1);
});

test("leaves no process behind, also when it is closed in the middle of a check", async () => {
  const idle = createCompiler(() => sampleSdk());
  await idle.warm();
  const busy = createCompiler(() => sampleSdk(), { timeoutMs: 20_000 });
  await busy.warm();
  expect(children()).toHaveLength(2);
  const slow = busy.compile(SLOW);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await Promise.all([idle.close(), busy.close(), idle.close()]);
  expect(children()).toEqual([]);
  expect(programOf(await slow).typeCheck).toBe("skipped");
});

test("does not outlive a process that exits without closing it, even in the middle of a check", async () => {
  const compile = new URL("../../src/snippet/compile.ts", import.meta.url).href;
  const sdk = new URL("./sdk.ts", import.meta.url).href;
  const program = `
    const { createCompiler } = await import(${JSON.stringify(compile)});
    const { sampleSdk } = await import(${JSON.stringify(sdk)});
    const { execFileSync } = await import("node:child_process");
    const compiler = createCompiler(() => sampleSdk(), { timeoutMs: 60000 });
    await compiler.warm();
    void compiler.compile(${JSON.stringify(SLOW)});
    setTimeout(() => {
      console.log(execFileSync("pgrep", ["-P", String(process.pid), "-f", "tsc.*--api"], { encoding: "utf8" }));
      process.exit(0);
    }, 300);`;
  // The checker inherits the error stream: reading it would wait for the checker.
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const id = Number(output.trim());
  expect(id).toBeGreaterThan(0);
  // The signal is sent; the system may take a moment.
  await expect.poll(() => isRunning(id), { timeout: 10_000 }).toBe(false);
});

test("gives back the environment after its start", async () => {
  const before = process.env["GOMEMLIMIT"];
  await using compiler = createCompiler(() => sampleSdk());
  await compiler.warm();
  expect(process.env["GOMEMLIMIT"]).toBe(before);
});

/** Whether a process works; one that has ended and was not yet collected by init does not. */
function isRunning(id: number): boolean {
  try {
    return !/^Z/.test(execFileSync("ps", ["-o", "stat=", "-p", String(id)], { encoding: "utf8" }).trim());
  } catch {
    return false;
  }
}
