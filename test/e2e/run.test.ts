import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerEntry } from "../../src/config/parse.ts";
import { type Finished, makeHome, runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";
import type { ChatRequest, ModelScript } from "../fixtures/model/script.ts";
import { startModelServer } from "../fixtures/model/server.ts";

const folder = await mkdtemp(join(tmpdir(), "nami-run-"));
const touched = join(folder, "touched");
beforeAll(() => writeFile(touched, ""));
const counting: ServerEntry = {
  command: process.execPath,
  args: [fixturePath("counting"), "--file", touched],
  safe_tools: ["echo", "big_json", "slow"],
};

const execute = (code: string) => ({ toolCalls: [{ name: "execute", arguments: { code } }] });
const lastTool = (request: ChatRequest): string =>
  request.messages.findLast(({ role }) => role === "tool")?.content ?? "";

/** `nami run` against a scripted endpoint. */
async function runTask(
  script: ModelScript,
  args: readonly string[] = [],
): Promise<Finished & { requests: readonly ChatRequest[] }> {
  await using server = await startModelServer(script).then((started) => ({
    ...started,
    [Symbol.asyncDispose]: () => started.close(),
  }));
  const home = await makeHome({ counting });
  const finished = await runCli(home, ["run", "Add things up.", "--model", "scripted", ...args], {
    env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "test-key-123456" },
  });
  return { ...finished, requests: server.requests.map(({ body }) => body) };
}

describe("nami run", () => {
  it("searches, corrects a snippet that did not pass the check, and answers on standard output", async () => {
    let seen = "";
    const { code, stdout, stderr, requests } = await runTask([
      { toolCalls: [{ name: "search", arguments: { query: "rows as json" } }] },
      execute("const r = await counting.bigJson({ rows: 100 }); return r.rows.length"),
      (request) => {
        seen = lastTool(request);
        return execute("const r = await counting.big_json({ rows: 5000 }); return r.rows.length");
      },
      (request) => ({ text: `There are ${/\d+/.exec(lastTool(request))?.[0]} rows.` }),
    ]);
    expect(seen).toContain("Nothing was executed");
    expect(seen).toContain("counting.big_json");
    expect(lastTool(requests[1] as ChatRequest)).toContain("counting.big_json(args: { rows: number })");
    expect(stdout).toBe("There are 5000 rows.\n");
    expect(stderr).toContain("counting.big_json({ rows: 5000 })");
    expect(stderr).toMatch(/receipt: 4 turns/);
    expect(stderr).toMatch(/about [\d,]{5,} tokens kept out \(estimate\)/);
    expect(stderr).toMatch(
      /tool definitions given directly would cost about [\d,]+ tokens in every request \(estimate\)/,
    );
    expect(code).toBe(0);
  });

  it("does not show the model what a snippet keeps to itself", async () => {
    const { requests } = await runTask([
      execute("const r = await counting.big_json({ rows: 2000 }); return { rows: r.rows.length }"),
      { text: "done" },
    ]);
    expect(lastTool(requests[1] as ChatRequest)).toBe('Returned:\n{"rows":2000}');
  });

  it("ends with 5 when a call needed asking and nobody was there, and nothing was sent", async () => {
    const { code, requests } = await runTask([
      execute("return await counting.touch({ n: 1 })"),
      { text: "I could not do it: it needs your approval." },
    ]);
    expect(code).toBe(5);
    expect(lastTool(requests[1] as ChatRequest)).toContain("--allow counting.touch");
    expect(await readFile(touched, "utf8")).toBe("");
  });

  it("makes the model answer in its last turn, and prints everything as JSON with --json", async () => {
    const { code, stdout } = await runTask(
      [execute("return 1"), (request) => ({ text: `tools: ${String(request.tool_choice ?? "auto")}` })],
      ["--max-turns", "2", "--json"],
    );
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ kind: "answered", turns: 2, answer: "tools: none", runs: [{ ok: true }] });
    expect(result.receipt.calls.made).toBe(0);
    expect(code).toBe(0);
  });

  it("survives 429 and a stream that breaks", async () => {
    const { code, stdout } = await runTask([
      { status: 429, message: "slow down", headers: { "retry-after-ms": "10" } },
      { text: "hello world, this is long enough to break", breakAfter: 3 },
      { text: "done" },
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
  });

  it.each([
    [{ status: 401, message: "bad key" }, 1, /OPENAI_API_KEY/],
    [{ status: 404, message: "no such model" }, 1, /no such model/],
  ])("says what is wrong with the endpoint: %j", async (answer, exitCode, message) => {
    const { code, stdout, stderr } = await runTask([answer]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("test-key-123456");
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
  });

  it("tells what was done, and what was not, when the model fails in the middle", async () => {
    const script: ModelScript = [
      execute("return await counting.echo({ n: 1 })"),
      execute("return await counting.touch({ n: 1 })"),
      { status: 400, message: "context too long" },
    ];
    const plain = await runTask(script);
    expect(plain).toMatchObject({ code: 5, stdout: "" });
    expect(plain.stderr).toContain("context too long");
    expect(plain.stderr).toContain("--allow counting.touch");
    expect(plain.stderr).toMatch(/receipt: 2 calls, 1 refused/);
    const json = JSON.parse((await runTask(script, ["--json"])).stdout);
    expect(json).toMatchObject({ kind: "model-failed", turns: 2, error: expect.stringContaining("context too long") });
    expect(json.runs).toHaveLength(2);
  });

  it("asks for a model and a key with exit 2", async () => {
    const home = await makeHome({ counting });
    const noModel = await runCli(home, ["run", "x"]);
    expect(noModel).toMatchObject({ code: 2, stderr: expect.stringContaining("--model") });
    const noKey = await runCli(home, ["run", "x", "--model", "m"]);
    expect(noKey).toMatchObject({ code: 2, stderr: expect.stringContaining("OPENAI_API_KEY") });
  });
});
