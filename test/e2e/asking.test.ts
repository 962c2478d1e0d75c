import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeHome, runCli, runOnTerminal, type TerminalOptions } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";

/** util-linux's `script` gives a command a terminal of its own. */
const hasScript = spawnSync("script", ["--version"]).status === 0;

let home: string;
let touched: string;
beforeEach(async () => {
  touched = join(await mkdtemp(join(tmpdir(), "nami-asking-")), "touched");
  await writeFile(touched, "");
  home = await makeHome({
    counting: { command: process.execPath, args: [fixturePath("counting"), "--file", touched], safe_tools: [] },
  });
});

/** The arguments of the calls that reached the server, as JSON lines. */
const touches = async (): Promise<string[]> =>
  (await readFile(touched, "utf8")).split("\n").filter((line) => line !== "");
const exec = (source: string, answers: readonly string[], options?: TerminalOptions) =>
  runOnTerminal(home, ["exec", "-e", source], answers, options);
const many = (count: number) =>
  `const all = await Promise.allSettled(Array.from({ length: ${count} }, (_, n) => counting.touch({ n, path: "p" + n % 2 }))); return all.filter((one) => one.status === "fulfilled").length + " sent"`;
const questions = (screen: string): number => screen.split("Allow?").length - 1;

describe.skipIf(!hasScript)(
  `the dialogue on a terminal${hasScript ? "" : " (SKIPPED: no util-linux script here)"}`,
  () => {
    it("shows one call with its line, and sends it once", async () => {
      const { code, stdout } = await exec('const n = 1;\nreturn await counting.touch({ n, text: "日本\\u202e" })', [
        "y\n",
      ]);
      expect(stdout).toContain("line 2 of the snippet: return await counting.touch");
      expect(stdout).toContain('"text": "日本\\u{202e}"');
      expect(stdout).toContain("touched");
      expect(code).toBe(0);
      expect(await touches()).toEqual(['touch {"n":1,"text":"日本\u202e"}']);
    });

    it("asks about 200 calls once, shows all of them on request, and sends each once", async () => {
      const { code, stdout } = await exec(many(200), ["v\n", "\n", "\n", "q\n", "w\n"]);
      expect(stdout).toContain("200 calls that wait");
      expect(stdout).toContain("MORE LINES NOT SHOWN");
      expect(stdout).toContain("-- 22 of 201 lines --");
      expect(stdout).toContain("-- 66 of 201 lines --");
      expect(stdout).toContain("200 sent");
      // The question comes again after reading; it is the same one.
      expect(questions(stdout)).toBe(2);
      expect(code).toBe(0);
      expect(new Set(await touches()).size).toBe(200);
      expect(await touches()).toHaveLength(200);
    });

    it("sends a chosen part, and asks about the rest again", async () => {
      const { code, stdout } = await exec(many(6), ["1,3-4\n", "n\n"]);
      expect(stdout).toContain("3 sent");
      expect(stdout).toContain("(3 calls that wait, 3 made in th");
      expect(code).toBe(3);
      expect((await touches()).sort()).toEqual(
        ["0", "2", "3"].map((n) => `touch {"n":${n},"path":"p${Number(n) % 2}"}`),
      );
    });

    it("keeps a destination for the run", async () => {
      const source =
        'const r = []; for (const path of ["a", "b", "a"]) try { await counting.touch({ path }); r.push(path) } catch { r.push("no") } return r.join()';
      const { stdout } = await exec(source, ["d\n", "n\n"]);
      expect(stdout).toContain("a,no,a");
      expect(questions(stdout)).toBe(2);
    });

    it.each([
      ["Enter", "\n", 3],
      ["n", "n\n", 3],
      ["end of input", "\u0004", 3],
      ["Ctrl-C", "\u0003", 130],
      ["a begun yes and Ctrl-C", "y\u0003", 130],
    ])("takes %s as a no to all that wait", async (_, answer, expected) => {
      const { code, stdout } = await exec(many(5), [answer]);
      expect(code).toBe(expected);
      expect(questions(stdout)).toBe(1);
      expect(await touches()).toEqual([]);
    });

    it("stops the run at a no that says so: exit code 3, and nothing that the snippet does after it", async () => {
      const { code, stdout } = await exec(
        "try { await counting.touch({ n: 1 }) } catch {} while (true) try { await counting.touch({ n: 2 }) } catch {}",
        ["s\n"],
      );
      expect(stdout).toContain("stopped the run");
      expect(code).toBe(3);
      expect(questions(stdout)).toBe(1);
      expect(await touches()).toEqual([]);
    });

    it("asks again after a line that is no choice", async () => {
      const { code, stdout } = await exec("await counting.touch({ n: 1 })", ["yy\n", "n\n"]);
      expect(stdout).toContain("Please answer with one of the keys above");
      expect(code).toBe(3);
    });

    it.each(["y\n", "y", "y\ny\ny\n", "w\na\n"])(
      "does not take %j, typed before the question, for an answer",
      async (typed) => {
        const { code } = await exec("await sleep(300); await counting.touch({ n: 1 })", ["\n"], { typedBefore: typed });
        expect(code).toBe(3);
        expect(await touches()).toEqual([]);
      },
    );

    it("does not take keys typed during one question for an answer to the next", async () => {
      const source = "for (const n of [1, 2]) try { await counting.touch({ n }) } catch {}";
      const { code } = await exec(source, ["y\ny\n", "\n"]);
      expect(code).toBe(3);
      expect(await touches()).toEqual(['touch {"n":1}']);
    });

    it("fits into 40 columns", async () => {
      const { stdout } = await exec(many(3).replace('"p" + n % 2', '"日本語".repeat(12)'), ["n\n"], { columns: 40 });
      const asked = stdout.slice(stdout.indexOf("nami: the snippet wants"), stdout.indexOf("(default): "));
      for (const line of asked.split(/\r?\n/)) {
        const wide = [...line].filter((character) => character > "\u1100" && character !== "…").length;
        expect([...line].length + wide).toBeLessThanOrEqual(40);
      }
      expect(asked.replace(/\s/g, "")).toContain("日本語".repeat(12));
    });

    it("writes a rule only after it was shown and confirmed with a whole yes", async () => {
      const config = join(home, "mcp.json");
      const before = await readFile(config, "utf8");
      const source = "for (const n of [1, 2]) await counting.touch({ n })";
      const back = await exec(source, ["!\n", "y\n", "n\n"]);
      expect(back.stdout).toContain('{"tool":"counting.touch","decision":"allow","definition":"');
      expect(back.code).toBe(3);
      expect(await readFile(config, "utf8")).toBe(before);
      const yes = await exec(source, ["!\n", "yes\n"]);
      expect(yes.code).toBe(0);
      expect(JSON.parse(await readFile(config, "utf8"))).toMatchObject({
        rules: [{ tool: "counting.touch", decision: "allow", definition: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      });
      expect(await touches()).toHaveLength(2);
    });
  },
);

describe("without a terminal", () => {
  it("nothing is sent, the snippet can catch it, and the output says what to allow: exit code 5", async () => {
    const source = "try { await counting.touch({ n: 1 }) } catch (error) { return error.name }";
    const { code, stdout, stderr } = await runCli(home, ["exec", "-e", source]);
    expect(stdout).toContain("PermissionError");
    expect(stderr).toContain("--allow counting.touch");
    expect(code).toBe(5);
    expect(await touches()).toEqual([]);
  });
});
