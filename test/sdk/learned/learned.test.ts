import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forgetLearned, learnedRefs, openLearned } from "../../../src/sdk/learned/learned.ts";
import { createLivingSdk } from "../../../src/sdk/living-sdk.ts";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { catalogOf } from "../catalog.ts";

const SERVER = { name: "demo", version: "Demo 1.0" };
const catalog = catalogOf([
  { name: "list", inputSchema: { properties: {} } },
  { name: "get", inputSchema: { properties: {} } },
  { name: "declared", outputSchema: { type: "object", properties: { n: { type: "number" } } } },
]);
const tool = (name: string) => {
  const found = catalog.find(`demo.${name}`);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
};
const newFolder = async () => join(await mkdtemp(join(tmpdir(), "nami-learned-")), "learned");

describe("learned result types", () => {
  test("are kept for the next start, for their version of the server only, readable by their owner only", async () => {
    const folder = await newFolder();
    const first = await openLearned(folder, [SERVER]);
    first.observe(tool("list"), () => [{ id: 1 }]);
    await first.save();
    const next = await openLearned(folder, [SERVER]);
    expect(next.of("demo").get("list")).toEqual(first.of("demo").get("list"));
    expect((await openLearned(folder, [{ name: "demo", version: "Demo 2.0" }])).of("demo").size).toBe(0);
    const [file = ""] = await readdir(folder);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test("are none for tools that declare their result", async () => {
    const learned = await openLearned(undefined, [SERVER]);
    learned.observe(tool("declared"), () => ({ n: 1 }));
    expect(learned.of("demo").size).toBe(0);
  });

  test("are another map only when a result showed something new", async () => {
    const learned = await openLearned(undefined, [SERVER]);
    learned.observe(tool("list"), () => [{ id: 1 }]);
    const before = learned.of("demo");
    learned.observe(tool("list"), () => [{ id: 2 }]);
    expect(learned.of("demo")).toBe(before);
    learned.observe(tool("list"), () => [{ id: "x" }]);
    expect(learned.of("demo")).not.toBe(before);
  });

  test("of several processes are joined", async () => {
    const folder = await newFolder();
    const [one, two] = [await openLearned(folder, [SERVER]), await openLearned(folder, [SERVER])];
    one.observe(tool("list"), () => ({ a: 1 }));
    two.observe(tool("list"), () => ({ b: 1 }));
    two.observe(tool("get"), () => "x");
    await one.save();
    await two.save();
    const next = await openLearned(folder, [SERVER]);
    expect(Object.keys(next.of("demo").get("list")?.properties ?? {}).sort()).toEqual(["a", "b"]);
    expect(next.of("demo").has("get")).toBe(true);
  });

  test("start anew, with a word about it, when their file is damaged", async () => {
    const folder = await newFolder();
    const first = await openLearned(folder, [SERVER]);
    first.observe(tool("list"), () => ({ a: 1 }));
    await first.save();
    const [file = ""] = await readdir(folder);
    for (const damage of ["{", '{"server":"demo","version":"","tools":[{"tool":"list","result":{"type":["any"]}}]}']) {
      await writeFile(join(folder, file), damage);
      const next = await openLearned(folder, [SERVER]);
      expect(next.problems).toEqual([expect.stringContaining(file)]);
      expect(next.of("demo").size).toBe(0);
      next.observe(tool("list"), () => ({ b: 1 }));
      await next.save();
      expect((await openLearned(folder, [SERVER])).of("demo").has("list")).toBe(true);
    }
  });

  test("are forgotten by ref, also when a process that knows them goes on", async () => {
    const folder = await newFolder();
    const running = await openLearned(folder, [SERVER]);
    running.observe(tool("list"), () => ({ a: 1 }));
    running.observe(tool("get"), () => ({ a: 1 }));
    await running.save();
    expect(await learnedRefs(folder)).toEqual(["demo.get", "demo.list"]);
    expect(await forgetLearned(folder, "demo.list")).toBe(true);
    expect(await forgetLearned(folder, "demo.list")).toBe(false);
    running.observe(tool("get"), () => ({ b: 1 }));
    await running.save();
    expect(await learnedRefs(folder)).toEqual(["demo.get"]);
    await forgetLearned(folder, "demo.get");
    expect(await readdir(folder)).toEqual([]);
  });

  test("cannot be kept where the folder is a file, and say so", async () => {
    const folder = await newFolder();
    await writeFile(folder, "");
    const learned = await openLearned(folder, [SERVER]);
    learned.observe(tool("list"), () => ({ a: 1 }));
    const problems: string[] = [];
    const living = createLivingSdk(await buildSdk(catalog), learned, (problem) => problems.push(problem));
    await living.learn();
    expect(problems).toEqual([expect.stringContaining("could not be kept")]);
    expect(living.current().describe(tool("list"))).toContain("a?: number");
    expect(await readFile(folder, "utf8")).toBe("");
  });
});

describe("an SDK with learned types", () => {
  test("shows them marked, and has the same text without them for what must be certain", async () => {
    const learned = await openLearned(undefined, [SERVER]);
    learned.observe(tool("list"), () => [{ id: 1, owner: { name: "x" } }, { id: 2 }]);
    const sdk = await buildSdk(catalog, { observed: learned.of });
    expect(sdk.signature(tool("list"))).toBe(
      "demo.list(args?: Record<string, never>): Promise<{ id: number; owner?: { name: string } }[] /* observed */>",
    );
    expect(sdk.signature(tool("get"))).toBe("demo.get(args?: Record<string, never>): Promise<any>");
    expect(sdk.describe(tool("list"))).toContain("observed in earlier results, not declared");
    expect(sdk.certain.get("demo.d.ts")).toBe((await buildSdk(catalog)).declarations.get("demo.d.ts"));
    expect((await buildSdk(catalog)).certain.size).toBe(0);
    expect(sdk.servers[0]?.tools.map(({ output }) => output)).toEqual(["declared", "none", "learned"]);
  });

  test("takes over every server of which nothing new was learned", async () => {
    const learned = await openLearned(undefined, [SERVER]);
    const sdk = await buildSdk(catalog, { observed: learned.of });
    expect((await buildSdk(catalog, { observed: learned.of, previous: sdk })).servers[0]).toBe(sdk.servers[0]);
    learned.observe(tool("list"), () => 1);
    expect((await buildSdk(catalog, { observed: learned.of, previous: sdk })).servers[0]).not.toBe(sdk.servers[0]);
  });
});
