import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NamiEvent, NamiOptions } from "../../src/nami.ts";
import { createNami } from "../../src/nami.ts";
import { fixturePath } from "../fixtures/config.ts";

const folder = await mkdtemp(join(tmpdir(), "nami-library-"));
const touched = join(folder, "touched");
await writeFile(touched, "");

const open = (options: Partial<NamiOptions> = {}) =>
  createNami({
    servers: {
      counting: {
        command: process.execPath,
        args: [fixturePath("counting"), "--file", touched],
        safe_tools: ["echo", "slow", "hang", "big_json"],
      },
    },
    audit: join(folder, "audit.jsonl"),
    learned: join(folder, "learned"),
    ...options,
  });

describe("the library", () => {
  it("goes on after every way to stop a run, with the same servers and sandbox", async () => {
    await using nami = await open({ limits: { wallMs: 400 } });
    for (const source of ["while (true) {}", "await new Promise(() => {})", "await counting.hang({})"]) {
      const stopped = await nami.execute(source);
      expect(stopped).toMatchObject({ ok: false, outcome: { kind: "stopped", reason: "deadline" } });
      const next = await nami.execute("return await counting.echo({ n: 1 })", { limits: { wallMs: 10_000 } });
      expect(next).toMatchObject({ ok: true, outcome: { value: { n: 1 } } });
    }
  });

  it("tells a snippet about its tools, and keeps what it stores for the next one", async () => {
    await using nami = await open();
    const first = await nami.execute(`
      const found = await nami.search("echo", 1);
      const declared: string = await nami.describe("counting.echo");
      const missing = await nami.describe("counting.no").catch((error) => error.message);
      await nami.store.set("page", { next: 2 });
      nami.log("stored");
      return { found, declared, missing };`);
    expect(first).toMatchObject({
      ok: true,
      typeCheck: "passed",
      calls: [],
      logs: [{ text: "stored" }],
      outcome: { value: { found: nami.search("echo", 1), missing: expect.stringContaining('no tool "counting.no"') } },
    });
    expect(first).toHaveProperty("outcome.value.declared", nami.search("counting.echo"));
    const second = await nami.execute(
      "return [await nami.store.get<{ next: number }>('page'), await nami.store.keys()]",
    );
    expect(second).toMatchObject({ ok: true, outcome: { value: [{ next: 2 }, ["page"]] } });
    await using other = await open();
    expect(await other.execute("return await nami.store.keys()")).toMatchObject({ outcome: { value: [] } });
  });

  it("asks once for many calls when the answer is for the whole tool", async () => {
    const asked: unknown[] = [];
    await using nami = await open({
      ask: async ({ args }) => {
        asked.push(args);
        return "tool";
      },
    });
    const result = await nami.execute(
      "await Promise.all(Array.from({ length: 40 }, (_, n) => counting.touch({ n }))); return 'done'",
    );
    expect(result).toMatchObject({ ok: true, valueText: "done", receipt: { calls: { made: 40, ok: 40 } } });
    expect(asked).toHaveLength(1);
  });

  it("does not count a person's time against the deadline", async () => {
    await using nami = await open({
      limits: { wallMs: 600 },
      ask: () => new Promise((resolve) => setTimeout(() => resolve("once"), 1500)),
    });
    expect(await nami.execute("return await counting.touch({ n: 1 })")).toMatchObject({ ok: true });
  });

  it("ends a question when the run is aborted", async () => {
    const stop = new AbortController();
    let told = false;
    await using nami = await open({
      ask: (_question, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            told = true;
            resolve("once");
          });
          setTimeout(() => stop.abort(), 50);
        }),
    });
    const before = await readFile(touched, "utf8");
    const result = await nami.execute("await counting.touch({ n: 1 })", { signal: stop.signal });
    expect(result.outcome).toMatchObject({ kind: "stopped", reason: "aborted" });
    expect(told).toBe(true);
    expect(await readFile(touched, "utf8")).toBe(before);
  });

  it("ends what is going on when it is closed, writes it down, and runs nothing afterwards", async () => {
    const audit = join(folder, "closed.jsonl");
    const nami = await open({ audit });
    const running = nami.execute("await counting.hang({})");
    await expect.poll(() => readFile(audit, "utf8").catch(() => "")).toContain("call-decided");
    await nami.close();
    expect(await running).toMatchObject({ outcome: { kind: "stopped", reason: "aborted" }, notes: [] });
    expect(await readFile(audit, "utf8")).toMatch(/"call-finished".*"outcome":"cancelled"/);
    await expect(nami.execute("return 1")).rejects.toMatchObject({ code: "USAGE" });
    await nami.close();
  });

  it("puts the questions of runs that go on together one after the other", async () => {
    let asking = 0;
    let most = 0;
    await using nami = await open({
      ask: async () => {
        most = Math.max(most, ++asking);
        await new Promise((resolve) => setTimeout(resolve, 20));
        asking--;
        return "once";
      },
    });
    const runs = Array.from({ length: 4 }, (_, n) => nami.execute(`return await counting.touch({ n: ${n} })`));
    expect((await Promise.all(runs)).every(({ ok }) => ok)).toBe(true);
    expect(most).toBe(1);
  });

  it("tells what happens as events", async () => {
    const events: NamiEvent[] = [];
    await using nami = await open({ onEvent: (event) => events.push(event) });
    await nami.execute("console.log('hi'); return await counting.echo({})");
    expect(events.map(({ kind }) => kind)).toEqual([
      "servers-starting",
      "server-connected",
      "run-started",
      "snippet-checked",
      "line-logged",
      "call-started",
      "call-ended",
      "run-ended",
    ]);
  });

  it("tells a snippet of arguments that break the tool's schema, before anything is sent", async () => {
    await using nami = await open({ ask: () => Promise.reject(new Error("nobody must be asked")) });
    const caught = await nami.execute(
      `try { await counting.slow({ ms: JSON.parse('"soon"') }); } catch (error) { return [error.name, error.message, error.data]; }`,
    );
    expect(caught).toMatchObject({
      ok: true,
      outcome: {
        value: [
          "ArgumentError",
          'counting.slow was not called: args.ms must be a number, but is "soon" (string).',
          [{ path: "args.ms" }],
        ],
      },
      receipt: { calls: { made: 1, ok: 0, failed: 1 } },
    });
    const uncaught = await nami.execute(`return await counting.slow({ ms: JSON.parse('"soon"') })`);
    expect(uncaught.text).toContain("counting.slow was not called: args.ms must be a number");
    expect(uncaught.text).not.toContain("tell the user");
  });

  it("finds tools as signatures, and says that a query finds none", async () => {
    await using nami = await open();
    expect(nami.search("slow")).toContain("counting.slow(args: { ms: number })");
    expect(nami.search("xylophone")).toContain("No tool matches");
  });

  it("refuses options that contradict each other, and a configuration that is wrong", async () => {
    await expect(createNami({ servers: {}, config: "x" })).rejects.toMatchObject({ code: "USAGE" });
    await expect(createNami({ config: "/no/such/file" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(open({ allow: ["counting.nope"] })).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
  });
});

describe("the example in the README", () => {
  it("runs, and the README has it to the letter", async () => {
    const source = await readFile(new URL("../fixtures/library-example.ts", import.meta.url), "utf8");
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    expect(readme).toContain(source.trim());
    const server = fileURLToPath(new URL("../../dist/src/demo/notes/server.js", import.meta.url));
    const program = fileURLToPath(new URL("../../dist/library-example.ts", import.meta.url));
    await writeFile(
      program,
      source.replace(
        '"notes-server.js", "--dir", "notes"',
        `${JSON.stringify(server)}, "--dir", ${JSON.stringify(folder)}`,
      ),
    );
    onTestFinished(() => rm(program));
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, NAMI_HOME: folder },
    });
    expect(stdout).toContain("notes.write_note(");
    expect(stdout).toContain("hello.md");
    expect(stdout).toContain("2 calls");
  });
});
