import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerEntry } from "../../src/config/parse.ts";
import { BIN, makeHome, runCli, runCommand, runOnTerminal } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";
import { isRunning } from "../fixtures/processes.ts";

const require = createRequire(import.meta.url);
/** The program of an installed npm server. */
const npmServer = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist", "index.js");
const node = (...args: string[]): ServerEntry => ({ command: process.execPath, args });

const folder = await mkdtemp(join(tmpdir(), "nami-exec-"));
const touched = join(folder, "touched");
const counting = (safe: string[] = []): ServerEntry => ({
  ...node(fixturePath("counting"), "--file", touched),
  safe_tools: safe,
});
beforeAll(() => writeFile(touched, ""));
const touches = async (): Promise<number> => (await readFile(touched, "utf8")).split("\n").filter(Boolean).length;

describe("nami exec on real servers", () => {
  it("uses everything, filesystem and memory in one snippet", async () => {
    const files = join(folder, "files");
    await mkdir(files, { recursive: true });
    await writeFile(join(files, "numbers.txt"), "2\n40\n");
    const home = await makeHome({
      everything: { ...node(npmServer("server-everything"), "stdio"), safe_tools: ["get-sum", "echo"] },
      files: { ...node(npmServer("server-filesystem"), files), safe_tools: ["read_text_file"] },
      memory: {
        ...node(npmServer("server-memory")),
        env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
        safe_tools: ["create_entities", "read_graph"],
      },
    });
    const snippet = `
      const { content } = await files.read_text_file({ path: ${JSON.stringify(join(files, "numbers.txt"))} });
      const [a, b] = content.trim().split("\\n").map(Number);
      const sum = await everything["get-sum"]({ a, b });
      await memory.create_entities({ entities: [{ name: "answer", entityType: "number", observations: [sum] }] });
      const graph = await memory.read_graph({});
      return graph.entities;`;
    const { code, stdout, stderr } = await runCli(home, ["exec", "-"], { input: snippet });
    expect(stderr).toContain("receipt: 4 calls");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { name: "answer", entityType: "number", observations: ["The sum of 2 and 40 is 42."] },
    ]);
  });

  it("has five calls of a Promise.all in flight together", async () => {
    const home = await makeHome({ counting: counting(["slow"]) });
    const code = "return (await Promise.all([1, 2, 3, 4, 5].map(() => counting.slow({ ms: 300 })))).at(-1);";
    const { stdout } = await runCli(home, ["exec", "-e", code]);
    expect(JSON.parse(stdout)).toMatchObject({ max_in_flight: 5 });
  });

  it("starts no call when the snippet has a type error, and says where and what instead", async () => {
    const home = await makeHome({ counting: counting(["touch"]) });
    const before = await touches();
    const source = "await counting.touch({ n: 1 });\nawait counting.slwo({ ms: 1 });\n";
    const { code, stdout, stderr } = await runCli(home, ["exec", "-"], { input: source });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Nothing was executed");
    expect(stderr).toContain("line 2");
    expect(stderr).toContain("counting.slow");
    expect(await touches()).toBe(before);
  });

  it.each([
    ["a loop", "while (true) {}"],
    ["a promise that never settles", "await new Promise(() => {});"],
    ["a call that is never answered", "await counting.hang({});"],
  ])("ends %s at the deadline with exit 124", async (_what, code) => {
    const home = await makeHome({ counting: counting(["hang"]) });
    const result = await runCli(home, ["exec", "-e", code, "--timeout", "300ms"]);
    expect(result.stderr).toContain("deadline");
    expect(result.code).toBe(124);
  });

  it("lets a snippet catch what a tool says went wrong, and tell it from a protocol error", async () => {
    const home = await makeHome({ counting: counting(["fail", "protocol_error"]) });
    const source = `
      const say = async (call: () => Promise<unknown>) => { try { await call(); return "ok" } catch (error) { return [error.name, error.message, error.tool, error instanceof Error] } };
      return [await say(() => counting.fail({ message: "no such file" })), await say(() => counting.protocol_error({}))];`;
    const { code, stdout } = await runCli(home, ["exec", "-"], { input: source });
    expect(JSON.parse(stdout)).toEqual([
      ["ToolError", "no such file", "counting.fail", true],
      ["ProtocolError", expect.any(String), "counting.protocol_error", true],
    ]);
    expect(code).toBe(0);
  });

  it("never sends a call that nobody could be asked about: exit 5, and it says how to allow it", async () => {
    const home = await makeHome({ counting: counting() });
    const before = await touches();
    const caught = 'try { await counting.touch({ n: 1 }); return "sent" } catch (error) { return error.name }';
    const refused = await runCli(home, ["exec", "-e", caught]);
    expect(refused.stdout).toBe("PermissionError\n");
    expect(refused.stderr).toContain("--allow counting.touch");
    expect(refused.code).toBe(5);
    expect(await touches()).toBe(before);

    const uncaught = await runCli(home, ["exec", "-e", "return await counting.touch({ n: 2 })"]);
    expect(uncaught.code).toBe(5);
    expect(uncaught.stderr).toContain("--allow counting.touch");

    for (const ref of ["counting.touch", "mcp__counting__touch"]) {
      const allowed = await runCli(home, ["exec", "-e", "return await counting.touch({ n: 3 })", "--allow", ref]);
      expect(allowed.code).toBe(0);
    }
    expect(await touches()).toBe(before + 2);
  });

  it("keeps a result of 10 MB out of the output", async () => {
    const home = await makeHome({ counting: counting(["big"]) });
    const filtered = await runCli(home, [
      "exec",
      "-e",
      "const big = await counting.big({ megabytes: 10 }); return big.length",
    ]);
    expect(filtered.stdout).toBe(`${10 * 2 ** 20}\n`);
    const whole = await runCli(home, ["exec", "-e", "return { big: await counting.big({ megabytes: 10 }) }"]);
    expect(whole.code).toBe(0);
    expect(whole.stdout.length).toBeLessThan(40_000);
    expect(() => JSON.parse(whole.stdout)).not.toThrow();
    expect(whole.stderr).toMatch(/cut/);
  });

  it("works on with the other servers when one does not start, and says why that one is missing", async () => {
    const home = await makeHome({
      counting: counting(["echo"]),
      crash: node(fixturePath("crash"), "--at", "start"),
      wrong: { command: "" },
    });
    const good = await runCli(home, ["exec", "-e", "return await counting.echo({ a: 1 })"]);
    expect(good.code).toBe(0);
    expect(good.stderr).toContain('Server "crash" did not start');
    expect(good.stderr).toContain("servers.wrong.command: must not be empty");
    const missing = await runCli(home, ["exec", "-e", "return await crash.anything({})"]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(/crash.*not there/s);
  });

  it("masks the secrets of the configuration wherever they come back", async () => {
    const home = await makeHome({
      counting: { ...counting(["echo_env", "echo"]), env: { API_TOKEN: "hunter22-hunter22" } },
    });
    const source = `
      const token = await counting.echo_env({ name: "API_TOKEN" });
      console.log("token", token);
      return { token, length: token.length, again: await counting.echo({ token }) };`;
    const { stdout, stderr } = await runCli(home, ["exec", "-", "--json"], { input: source });
    // Masked on its way in: the snippet itself never had it.
    expect(JSON.parse(stdout).outcome.value).toMatchObject({ token: "[secret]", length: "[secret]".length });
    const audit = await readFile(join(home, "state", "audit.jsonl"), "utf8");
    for (const text of [stdout, stderr, audit]) expect(text).not.toContain("hunter22");
    expect(audit.trim().split("\n")).toHaveLength(4);
  });

  it("prints a value alone on standard output, logs beside it, and everything as JSON with --json", async () => {
    const home = await makeHome({ counting: counting(["echo"]) });
    const source = 'console.log("working", { n: 1 }); return [1, "two"]';
    const plain = await runCli(home, ["exec", "-e", source]);
    expect(plain.stdout).toBe('[1,"two"]\n');
    expect(plain.stderr).toContain("working { n: 1 }");
    const json = JSON.parse((await runCli(home, ["exec", "-e", source, "--json"])).stdout);
    expect(json).toMatchObject({
      ok: true,
      outcome: { kind: "returned", value: [1, "two"] },
      typeCheck: "passed",
      calls: [],
    });
  });

  it("tells where a snippet threw, in the author's lines", async () => {
    const home = await makeHome({ counting: counting([]) });
    const source = 'interface Odd { a: number }\nconst odd: Odd = { a: 1 };\nthrow new Error("boom " + odd.a);\n';
    const { code, stderr } = await runCli(home, ["exec", "-"], { input: source });
    expect(code).toBe(1);
    expect(stderr).toContain("Error: boom 1");
    expect(stderr).toContain("line 3");
    const printed = "interface Odd { a: number }\ntry { null.x } catch (error) { console.log(error.stack) }\n";
    const logged = await runCli(home, ["exec", "-e", printed]);
    expect(logged.stderr).toContain("snippet.ts:2:");
    expect(logged.stderr).not.toContain("prelude");
  });

  it("tells the model of a call that was under way at the deadline: it may have taken effect", async () => {
    const home = await makeHome({ counting: counting() });
    const { code, stdout } = await runCli(home, [
      ...["exec", "-e", "await counting.hang({})", "--allow", "counting.hang", "--timeout", "500ms", "--json"],
    ]);
    const result = JSON.parse(stdout);
    expect(result.calls).toMatchObject([{ ref: "counting.hang", decision: "allowed", outcome: "cancelled" }]);
    expect(result.text).toContain("#1 counting.hang: cancelled, may have taken effect");
    expect(result.receipt.calls).toMatchObject({ made: 1, failed: 1 });
    expect(code).toBe(124);
    const audit = (await readFile(join(home, "state", "audit.jsonl"), "utf8")).trim().split("\n");
    expect(audit.map((line) => JSON.parse(line))).toMatchObject([{ decision: "allowed" }, { outcome: "cancelled" }]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "stops at %s with exit 130, tells the server, and leaves no process behind",
    async (signal) => {
      const grandchild = join(await mkdtemp(join(tmpdir(), "nami-grandchild-")), "pid");
      const noisy = { ...node(fixturePath("noisy"), "--file", grandchild), safe_tools: ["greet"] };
      const home = await makeHome({ counting: counting(["hang"]), noisy });
      const before = (await readFile(touched, "utf8")).split("cancelled hang").length;
      const running = runCli(home, ["exec", "-e", "await counting.hang({})"], {
        onStart: (child) => {
          const poll = setInterval(async () => {
            const audit = await readFile(join(home, "state", "audit.jsonl"), "utf8").catch(() => "");
            if (!audit.includes("hang")) return;
            clearInterval(poll);
            child.kill(signal);
          }, 50);
        },
      });
      expect(await running).toMatchObject({ code: 130 });
      expect((await readFile(touched, "utf8")).split("cancelled hang")).toHaveLength(before + 1);
      const pid = Number(await readFile(grandchild, "utf8"));
      expect(pid).toBeGreaterThan(0);
      await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );

  it("says which server it is waiting for, goes on without it after its start_timeout, and says so", async () => {
    const home = await makeHome({
      counting: counting(["echo"]),
      quiet: { ...node(fixturePath("silent")), start_timeout: 2.5 },
    });
    const { code, stdout, stderr } = await runCli(home, ["exec", "-e", "return (await counting.echo({ n: 1 })).n"]);
    expect(stderr).toContain("nami: waiting for quiet\n");
    expect(stderr).toContain('Server "quiet" did not start: it did not answer within 2.5 s');
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1\n" });
  });

  it("gives up a server that is still starting at once at Ctrl-C", async () => {
    const home = await makeHome({ silent: node(fixturePath("silent")) });
    const running = runCli(home, ["tools"], { onStart: (child) => setTimeout(() => child.kill("SIGINT"), 1500) });
    const started = performance.now();
    expect(await running).toMatchObject({ code: 130 });
    // A hang guard: the server alone would be waited for 30 s, and Ctrl-C gives up after 5 s.
    expect(performance.now() - started).toBeLessThan(25_000);
  });

  it.skipIf(process.platform !== "linux")(
    "fails when its output cannot be written, and not when the reader has gone",
    async () => {
      const home = await makeHome({ counting: counting(["echo"]) });
      const shell = (command: string) =>
        runCommand("sh", ["-c", command], { PATH: process.env["PATH"], NAMI_HOME: home, NODE: process.execPath, BIN });
      const full = await shell('"$NODE" "$BIN" exec -e "return 1" > /dev/full');
      expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining("the output could not be written") });
      const gone = await shell(
        '{ "$NODE" "$BIN" exec -e "return await counting.touch({})"; echo "code $?" >&2; } | true',
      );
      expect(gone.stderr).toContain("code 5");
    },
  );
});

/** util-linux's `script` gives a command a terminal of its own. */
const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)(
  `nami exec on a terminal${hasScript ? "" : " (SKIPPED: no util-linux script here)"}`,
  () => {
    it("asks with the real arguments; y allows one call, a all of the tool, Enter and n none", async () => {
      const home = await makeHome({ counting: counting() });
      const before = await touches();
      const source =
        'const r = []; for (const n of [1, 2, 3, 4]) { try { await counting.touch({ n, text: "x\\u202ey" }); r.push("sent") } catch (e) { r.push(e.name) } } return r.join()';
      const { code, stdout } = await runOnTerminal(home, ["exec", "-e", source], ["y\n", "\n", "a\n"]);
      expect(stdout).toContain("sent,PermissionError,sent,sent");
      expect(stdout).toContain('"text": "x\\u{202e}y"');
      expect(stdout).toContain("counting.touch");
      expect(code).toBe(3);
      expect(await touches()).toBe(before + 3);
    });

    it("shows what servers and snippets say without letting it steer the terminal", async () => {
      const home = await makeHome({ counting: counting(["fail"]) });
      const source = 'console.log("a\\u001b[2Jb"); await counting.fail({ message: "x\\u001b]0;y\\u0007z\\u202e" })';
      const { stdout } = await runOnTerminal(home, ["exec", "-e", source], []);
      expect(stdout).toContain("a\\u{1b}[2Jb");
      expect(stdout).toContain("x\\u{1b}]0;y\\u{7}z\\u{202e}");
      for (const raw of ["\u001b[2J", "\u001b]0;", "\u202e"]) expect(stdout).not.toContain(raw);
    });

    it("takes Ctrl-C at a question as a no and ends with 130", async () => {
      const home = await makeHome({ counting: counting() });
      const before = await touches();
      const { code } = await runOnTerminal(home, ["exec", "-e", "await counting.touch({ n: 1 })"], ["\u0003"]);
      expect(code).toBe(130);
      expect(await touches()).toBe(before);
    });
  },
);

describe("servers whose tools have the same ref", () => {
  it("are both usable from a snippet, each with its own permission", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nami-twins-"));
    const list = async (server: string, tool: string): Promise<ServerEntry> => {
      const file = join(folder, `${server}.json`);
      await writeFile(file, JSON.stringify({ server, tools: [{ name: tool, inputSchema: { type: "object" } }] }));
      return node(fixturePath("stub"), "--tools", file);
    };
    const home = await makeHome({
      a: { ...(await list("a", "b.c")), safe_tools: ["b.c"] },
      "a.b": await list("a.b", "c"),
    });
    const source =
      'const first = await a["b.c"]({}); try { return [first, await a_b.c({})] } catch (e) { return [first, e.name] }';
    const { code, stdout } = await runCli(home, ["exec", "-e", source]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '["stub","PermissionError"]\n' });
    const shown = await runCli(home, ["tools", "a.b.c"]);
    expect(shown.stdout).toMatch(/interface a \{.*interface a_b \{/s);
    const allowed = await runCli(home, ["exec", "-e", "1", "--allow", "a.b.c"]);
    expect(allowed).toMatchObject({ code: 2, stderr: expect.stringContaining("means tools of two servers") });
  });
});

describe("the command line", () => {
  it.each([
    [["exec"], /Nothing to run/],
    [["exec", "--nope"], /unknown option '--nope'/],
    [["exec", "no-such-file.ts"], /Cannot read the snippet no-such-file.ts/],
    [["exec", "-e", "1", "--timeout", "soon"], /Give a time such as 30s/],
    [["exec", "-e", "1", "--config", "/no/such/mcp.json"], /No configuration at \/no\/such\/mcp.json/],
    [["exec", "-e", "1", "--allow", "counting.tuoch"], /Did you mean counting.touch/],
    [["tols"], /Did you mean tools/],
  ])("answers %s with exit 2 and the way out", async (args, message) => {
    const home = await makeHome({ counting: counting() });
    const { code, stderr } = await runCli(home, args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it("lists tools, finds them by words, and shows one in full", async () => {
    const home = await makeHome({ counting: counting(), crash: node(fixturePath("crash"), "--at", "start") });
    const list = await runCli(home, ["tools"]);
    expect(list.stdout).toContain("counting.slow(args: { ms: number })");
    expect(list.stdout).toContain("crash: not there");
    expect((await runCli(home, ["tools", "megabytes"])).stdout).toContain("counting.big(");
    expect((await runCli(home, ["tools", "counting.slow"])).stdout).toContain("interface counting");
    expect((await runCli(home, ["tools", "mcp__counting__slow"])).stdout).toContain("interface counting");
    const none = await runCli(home, ["tools", "xylophone"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
  });
});
