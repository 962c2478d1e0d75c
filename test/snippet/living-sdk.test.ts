import { expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { createCompiler, type SnippetSdk } from "../../src/snippet/compile.ts";
import { children } from "./children.ts";
import { programOf, rejectionOf } from "./evaluate.ts";

/** Result types by tool, by server. */
type Servers = Record<string, Record<string, string>>;

/** An SDK of tools without arguments. */
function sdkOf(servers: Servers, observed: Servers = {}): SnippetSdk {
  const catalog = buildCatalog(
    Object.entries(servers).map(([name, tools]) => ({
      name,
      tools: Object.keys(tools).map((tool) => ({ name: tool, inputSchema: {} })),
    })),
  );
  const declare = (name: string, result: (tool: string) => string): [string, string] => {
    const tools = Object.keys(servers[name] ?? {}).map((tool) => `  ${tool}(args?: {}): Promise<${result(tool)}>;`);
    return [`${name}.d.ts`, `interface ${name} {\n${tools.join("\n")}\n}\ndeclare const ${name}: ${name};\n`];
  };
  const names = Object.keys(servers);
  return {
    catalog,
    declarations: new Map(
      names.map((name) => declare(name, (tool) => observed[name]?.[tool] ?? servers[name]?.[tool] ?? "any")),
    ),
    certain: new Map(
      names.filter((name) => observed[name]).map((name) => declare(name, (tool) => servers[name]?.[tool] ?? "any")),
    ),
    signature: ({ namespace, member }) => `${namespace}.${member}()`,
  };
}

test("judges each snippet by the SDK of its time", async () => {
  let sdk = sdkOf({ files: { read: "{ text: string }" }, mail: { send: "any" } });
  await using compiler = createCompiler(() => sdk);
  const judge = async (source: string): Promise<string> => {
    const compiled = await compiler.compile(source);
    if (compiled.kind === "rejected") return /line 1: (.*)/.exec(compiled.text)?.[1] ?? "";
    return compiled.typeCheck;
  };
  expect(await judge("return (await files.read()).text;")).toBe("passed");
  expect(await judge("return await files.write();")).toBe("`files.write` is not a tool.");

  sdk = sdkOf({ files: { read: "{ body: string }", write: "any" }, mail: { send: "any" } });
  expect(await judge("return await files.write();")).toBe("passed");
  expect(await judge("return (await files.read()).text;")).toBe("`text` does not exist on this value.");
  expect(await judge("return (await files.read()).body;")).toBe("passed");

  sdk = sdkOf({ archive: { pack: "any" }, files: { read: "{ body: string }" }, mail: { send: "any" } });
  expect(await judge("return await archive.pack();")).toBe("passed");
  expect(await judge("return await nami.archive.pack();")).toBe("passed");
  expect(await judge("return await files.write();")).toBe("`files.write` is not a tool.");

  sdk = sdkOf({ mail: { send: "any", list: "any" } });
  expect(await judge("return await archive.pack();")).toBe("`archive` is not defined.");
  expect(await judge("return await files.read();")).toBe("`files` is not defined.");
  expect(await judge("return await mail.list();")).toBe("passed");

  sdk = sdkOf({ files: { read: "{ size: number }" }, mail: { send: "any" } });
  expect(await judge("return (await files.read()).size;")).toBe("passed");
  expect(await judge("return (await files.read()).body;")).toBe("`body` does not exist on this value.");
});

test("sees many files change at once", async () => {
  const servers = (result: string): Servers =>
    Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`s${n}`, { get: result }]));
  let sdk = sdkOf(servers("{ a: 1 }"));
  await using compiler = createCompiler(() => sdk);
  const sum = (name: string) =>
    `return [${Array.from({ length: 12 }, (_, n) => `(await s${n}.get()).${name}`).join(",\n")}];`;
  expect(programOf(await compiler.compile(sum("a"))).typeCheck).toBe("passed");
  sdk = sdkOf(servers("{ b: 1 }"));
  expect(programOf(await compiler.compile(sum("b"))).typeCheck).toBe("passed");
  expect(rejectionOf(await compiler.compile(sum("a")))).toMatch(/^Nothing was executed: the snippet has 12 errors/);
});

test("keeps one process while the SDK changes; a new one begins with the newest SDK", async () => {
  let sdk = sdkOf({ files: { read: "{ text: string }" } });
  await using compiler = createCompiler(() => sdk);
  await compiler.warm();
  const [first = 0] = children();
  sdk = sdkOf({ files: { read: "{ body: string }" }, mail: { send: "any" } });
  expect(programOf(await compiler.compile("return (await files.read()).body;")).typeCheck).toBe("passed");
  expect(children()).toEqual([first]);
  process.kill(first, "SIGKILL");
  sdk = sdkOf({ files: { read: "{ size: number }" } });
  expect(programOf(await compiler.compile("return (await files.read()).size;")).typeCheck).toBe("passed");
  expect(rejectionOf(await compiler.compile("return (await files.read()).body;"))).toContain("`body` does not exist");
  expect(children()).toHaveLength(1);
  expect(children()).not.toContain(first);
});

const WEATHER: Servers = { weather: { now: "any", days: "{ list: { day: string }[]; [k: string]: unknown }" } };
const OBSERVED: Servers = {
  weather: { now: "{ temperature?: number; wind?: { speed?: number } }", days: WEATHER["weather"]?.["days"] ?? "" },
};

test("says what earlier results looked like, and stops nothing because of it", async () => {
  await using compiler = createCompiler(() => sdkOf(WEATHER, OBSERVED));
  const hints = async (source: string) => programOf(await compiler.compile(source)).hints;
  expect(await hints("return (await weather.now()).temperature;")).toEqual([]);
  expect(await hints("const w = await weather.now();\nreturn w.temprature;")).toEqual([
    "line 2: `temprature` does not exist on `w`. Did you mean `temperature`? (Observed in earlier results; it may be there all the same.)",
  ]);
  expect(await hints("const { humidity } = await weather.now();\nreturn humidity;")).toEqual([
    "line 1: `humidity` does not exist on this value. (Observed in earlier results; it may be there all the same.)",
  ]);
  expect(await hints("const w = await weather.now();\nreturn w.map((x) => x.day);")).toHaveLength(1);
  expect(await hints("for (const x of await weather.now()) console.log(x);")).toHaveLength(1);
  expect(await hints("const w = await weather.now();\nreturn w.wind.speed.toFixed();")).toHaveLength(2);
});

test("still stops what is wrong whatever was observed, in the words for it", async () => {
  await using compiler = createCompiler(() => sdkOf(WEATHER, OBSERVED));
  const text = async (source: string) => rejectionOf(await compiler.compile(source));
  expect(await text("return nope;")).toContain("`nope` is not defined.");
  expect(await text("return (await weather.nou()).temperature;")).toContain("Did you mean `weather.now`?");
  expect(await text("return (await weather.days()).lst;")).toContain("It has: list.");
  const both = await text("const w = await weather.now();\nreturn [w.temprature, nope];");
  expect(both).toMatch(/^Nothing was executed: the snippet has an error/);
  expect(both).toContain("Note, line 2: `temprature` does not exist on `w`.");
});

test("forgets what was observed when the SDK does, and the other way round", async () => {
  let sdk = sdkOf({ ...WEATHER, mail: { send: "any" } });
  await using compiler = createCompiler(() => sdk);
  const hints = async (source: string) => programOf(await compiler.compile(source)).hints.length;
  const wrong = "const w = await weather.now();\nreturn w.temprature;";
  expect(await hints(wrong)).toBe(0);
  sdk = sdkOf({ ...WEATHER, mail: { send: "any" } }, OBSERVED);
  expect(await hints(wrong)).toBe(1);
  sdk = sdkOf(WEATHER, { weather: { now: "{ temprature?: number }" } });
  expect(await hints(wrong)).toBe(0);
  expect(await hints("return (await weather.now()).temperature;")).toBe(1);
  sdk = sdkOf(WEATHER);
  expect(await hints(wrong)).toBe(0);
  sdk = sdkOf(WEATHER, OBSERVED);
  expect(await hints(wrong)).toBe(1);
});
