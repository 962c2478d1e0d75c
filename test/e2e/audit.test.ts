import { appendFile, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openAudit } from "../../src/gate/audit.ts";
import { makeHome, runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";
import { auditPath, decision, outcome, rewrite } from "../gate/audit/entries.ts";

let home: string;
let file: string;

beforeAll(async () => {
  home = await makeHome({
    counting: {
      command: process.execPath,
      args: [fixturePath("counting"), "--file", join(await mkdtemp(join(tmpdir(), "nami-audit-")), "touched")],
      safe_tools: ["echo"],
    },
  });
  file = join(home, "state", "audit.jsonl");
  const code = 'await counting.echo({ a: 1 }); await counting.touch({ n: 1 }).catch(() => {}); return "done"';
  await runCli(home, ["exec", "-e", code]);
});

/** Lines without what differs from run to run. */
const listed = async (...args: string[]): Promise<string[]> =>
  (await runCli(home, ["audit", ...args])).stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^[\d-]{10} [\d:]{8}Z {2}run-[0-9a-f]{12}/, "RUN").replace(/\d+ ms/, "N ms"));

const ECHO = 'RUN #1 exec  counting.echo  allowed by safe_tools  {"a":1}';
const TOUCH = "RUN #2 exec  counting.touch  refused by ";

describe("nami audit", () => {
  it("lists what was decided and called, a line each, newest last", async () => {
    expect(await listed()).toEqual([
      ECHO,
      "RUN #1 exec  counting.echo  ended: ok, N ms, 76 characters",
      expect.stringContaining(TOUCH),
    ]);
  });

  it("narrows by tool, server, time, run and number", async () => {
    expect(await listed("--tool", "touch")).toHaveLength(1);
    expect(await listed("--tool", "counting.echo")).toHaveLength(2);
    expect(await listed("--server", "counting")).toHaveLength(3);
    expect(await listed("--server", "other")).toEqual([]);
    expect(await listed("--since", "1h")).toHaveLength(3);
    expect(await listed("--since", "2999-01-01")).toEqual([]);
    const { run } = JSON.parse((await readFile(file, "utf8")).split("\n")[0] ?? "");
    expect(await listed("--run", run.slice(0, 9))).toHaveLength(3);
    expect(await listed("--run", run.slice(4, 9))).toHaveLength(3);
    expect(await listed("--run", "run-x")).toEqual([]);
    expect(await listed("--limit", "1")).toEqual([expect.stringContaining(TOUCH)]);
    expect((await runCli(home, ["audit", "--limit", "1"])).stderr).toBe(
      "nami: not shown: 2 older lines; --limit shows more\n",
    );
  });

  it("gives the very lines of the file as JSON", async () => {
    expect((await runCli(home, ["audit", "--json"])).stdout).toBe(await readFile(file, "utf8"));
  });

  it("lets nothing in the file move the cursor or end a line", async () => {
    const odd = await auditPath();
    const audit = openAudit(odd);
    await audit.write({ ...decision("r", 1), tool: "a\nb\u001b[2J\u202e\t", arguments: { x: "\u009b" } });
    await audit[Symbol.asyncDispose]();
    const { stdout } = await runCli(home, ["audit", "--file", odd]);
    expect(stdout).toMatch(/tickets\.a\\nb\\u\{1b\}\[2J\\u\{202e\}\\t .*\\u\{9b\}"}\n$/);
    expect(stdout).toHaveLength(stdout.replaceAll(/[^\n -~]/g, "").length);
  });

  it("says what it cannot read, and that there is nothing", async () => {
    const odd = await auditPath();
    const audit = openAudit(odd);
    await audit.write(outcome("r", 1));
    await audit[Symbol.asyncDispose]();
    await appendFile(odd, "{}\n");
    expect((await runCli(home, ["audit", "--file", odd])).stderr).toContain("1 line cannot be read");
    expect((await runCli(home, ["audit", "--file", `${odd}.none`])).stderr).toContain("nothing of the kind in");
  });

  it("refuses a time that is none", async () => {
    expect(await runCli(home, ["audit", "--since", "yesterday"])).toMatchObject({ code: 2 });
  });
});

describe("nami audit verify", () => {
  it("counts what is intact", async () => {
    const { code, stdout } = await runCli(home, ["audit", "verify"]);
    expect(stdout).toMatch(/^intact: 3 lines in 1 file; hash of the last line: [0-9a-f]{64}\n$/);
    expect(code).toBe(0);
  });

  it("names file and line of what is not, with exit code 1", async () => {
    const changed = join(await mkdtemp(join(tmpdir(), "nami-audit-")), "audit.jsonl");
    await writeFile(changed, await readFile(file, "utf8"));
    await rewrite(changed, (lines) => lines.toSpliced(1, 1));
    const { code, stdout } = await runCli(home, ["audit", "verify", "--file", changed]);
    expect(stdout).toMatch(/^audit\.jsonl:2: does not follow .*\nNOT INTACT: 2 lines in 1 file; /);
    expect(code).toBe(1);
  });

  it("misses a line whose hash was kept elsewhere, also as JSON", async () => {
    const { code, stdout } = await runCli(home, ["audit", "--json", "verify", "--known", "a".repeat(64)]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, isKnownThere: false, problems: [] });
    expect(code).toBe(1);
  });

  it("reads only: the file is as it was", async () => {
    const before = await stat(file);
    await runCli(home, ["audit", "verify"]);
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
  });
});
