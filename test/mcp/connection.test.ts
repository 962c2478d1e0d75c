import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig } from "../../src/config/config.ts";
import { connectAll } from "../../src/mcp/connect-all.ts";
import { connect } from "../../src/mcp/connection.ts";
import { fixtureServer } from "../fixtures/config.ts";
import { isRunning } from "../fixtures/processes.ts";

const folder = await mkdtemp(join(tmpdir(), "nami-mcp-"));
const signal = new AbortController().signal;
const program = (name: string, args: string[], command = process.execPath): ServerConfig => ({
  name,
  command,
  args,
  env: {},
  safeTools: [],
  startTimeoutMs: 30_000,
});
const start = (config: ServerConfig) => connect(config, signal);

describe("a server that starts badly", () => {
  it("says which program was not found", async () => {
    await expect(start(program("s", [], "no-such-program"))).rejects.toMatchObject({
      code: "SERVER_UNREACHABLE",
      message: expect.stringContaining('the program "no-such-program" was not found'),
    });
  });

  it.each(["start", "list"])("and dies at %s says its exit code and its last words", async (moment) => {
    await expect(start(fixtureServer("crash", ["--at", moment]))).rejects.toMatchObject({
      code: "SERVER_UNREACHABLE",
      message: expect.stringMatching(/exit code 3.*standard error/s),
    });
  });

  it("and says nothing is given up after its start_timeout", async () => {
    await expect(start(fixtureServer("silent", [], { startTimeoutMs: 300 }))).rejects.toMatchObject({
      code: "SERVER_UNREACHABLE",
      message: expect.stringContaining('it did not answer within 0.3 s; raise "start_timeout"'),
    });
  });

  it.each([
    [
      "exits at once",
      program("s", ["-c", "echo needs KEY >&2; exit 4"], "/bin/sh"),
      /exit code 4; standard error: needs KEY/,
    ],
    ["cannot be executed", program("s", [], folder), /could not be started: .*EACCES/],
  ])("and %s says so", async (_what, config, message) => {
    await expect(start(config)).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  it("and answers with an error says that error", async () => {
    const refusing = `process.stdin.on("data", (line) => console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, error: { code: 1, message: "licence expired" } })))`;
    await expect(start(program("s", ["--eval", refusing]))).rejects.toMatchObject({
      message: expect.stringContaining("licence expired"),
    });
  });

  it("is given up at once when the signal aborts", async () => {
    const stop = new AbortController();
    const starting = connect(fixtureServer("silent"), stop.signal);
    setTimeout(() => stop.abort(), 100);
    await expect(starting).rejects.toMatchObject({
      code: "SERVER_UNREACHABLE",
      message: expect.stringContaining("still starting when it was given up"),
    });
  });

  it("costs only itself", async () => {
    const seen: string[] = [];
    await using all = await connectAll(
      [fixtureServer("counting"), fixtureServer("crash", ["--at", "start"]), program("none", [], "no-such-program")],
      (server, result) => seen.push(`${server}: ${"error" in result ? "failed" : "connected"}`),
      signal,
    );
    expect(all.connected.map(({ server }) => server.name)).toEqual(["counting"]);
    expect(all.failed.map(({ server }) => server).sort()).toEqual(["crash", "none"]);
    expect(seen.sort()).toEqual(["counting: connected", "crash: failed", "none: failed"]);
  });
});

describe("a server that answers badly", () => {
  it("with text on standard output, batches and a flood on standard error works, and its grandchildren end with it", async () => {
    const file = join(folder, "grandchild");
    const connection = await start(fixtureServer("noisy", ["--file", file]));
    expect(await connection.call("greet", { name: "Ada" }, { signal })).toMatchObject({ kind: "value" });
    const grandchild = Number(await readFile(file, "utf8"));
    expect(isRunning(grandchild)).toBe(true);
    await connection.close();
    await expect.poll(() => isRunning(grandchild)).toBe(false);
  });

  it("with malformed tools keeps the sound ones and repairs what can be repaired", async () => {
    await using connection = await start(fixtureServer("sloppy"));
    const names = connection.server.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["good", "also_good"]));
    expect(connection.server.tools.every(({ inputSchema }) => typeof inputSchema === "object")).toBe(true);
    for (const name of names) {
      expect(await connection.call(name, {}, { signal }), name).toHaveProperty("kind", "value");
    }
  });

  it("with several pages of tools lists them all, and an endless list ends", async () => {
    await using connection = await start(fixtureServer("paged"));
    expect(connection.server.tools.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `tool_${n}`));
    await using endless = await start(fixtureServer("paged", ["--loop"]));
    expect(endless.server.tools.map(({ name }) => name)).toEqual(["tool_1", "tool_2"]);
  });
});

describe("a call", () => {
  it("takes FastMCP's wrapper off where the tool's schema is marked, whatever the result says", async () => {
    await using connection = await start(fixtureServer("sloppy"));
    expect(await connection.call("wrapped", {}, { signal })).toMatchObject({ value: [1] });
    expect(await connection.call("not_wrapped", {}, { signal })).toMatchObject({ value: { result: [1] } });
  });

  it("gives structured content, JSON in a text, or the text", async () => {
    await using connection = await start(fixtureServer("counting"));
    const value = async (tool: string, args = {}) => {
      const result = await connection.call(tool, args, { signal });
      return result.kind === "value" ? result.value : result;
    };
    expect(await value("echo", { a: [1, null] })).toEqual({ a: [1, null] });
    expect(await value("big_json", { rows: 2 })).toEqual({ rows: [expect.anything(), expect.anything()] });
    expect(await value("echo_env", { name: "NAMI_NO_SUCH" })).toBe("(not set)");
  });

  it("carries an answer of tens of megabytes", async () => {
    await using connection = await start(fixtureServer("counting"));
    const result = await connection.call("big", { megabytes: 24 }, { signal });
    expect(result.kind === "value" && typeof result.value === "string" && result.value.length).toBe(24 * 2 ** 20);
  });

  it("gets no secrets of ours: a server sees only its own environment", async () => {
    process.env["NAMI_TEST_SECRET"] = "hunter22";
    await using connection = await start(fixtureServer("counting", [], { env: { MINE: "yes" } }));
    const read = async (name: string) => connection.call("echo_env", { name }, { signal });
    expect(await read("NAMI_TEST_SECRET")).toMatchObject({ value: "(not set)" });
    expect(await read("MINE")).toMatchObject({ value: "yes" });
  });

  it("whose server dies says so, and that its effect is unknown", async () => {
    await using connection = await start(fixtureServer("crash", ["--at", "call"]));
    const [tool] = connection.server.tools;
    await expect(connection.call(tool?.name ?? "", {}, { signal })).rejects.toMatchObject({
      code: "CALL_FAILED",
      message: expect.stringMatching(/exit code 3.*whether it took effect is unknown/s),
    });
    await expect(connection.call(tool?.name ?? "", {}, { signal })).rejects.toMatchObject({
      code: "CALL_FAILED",
      message: expect.stringMatching(/was not sent: the server has ended .*start nami again/s),
    });
  });
});
