import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNami, type NamiOptions } from "../../src/nami.ts";
import { makeHome, runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";

const counting = {
  command: process.execPath,
  args: [fixturePath("counting")],
  safe_tools: ["echo", "big", "echo_env"],
};

const open = async (options: Partial<NamiOptions> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "nami-learned-"));
  const learned = join(folder, "learned");
  const audit = join(folder, "audit.jsonl");
  return { learned, nami: await createNami({ servers: { counting }, audit, learned, ...options }) };
};

describe("types that are learned from results", () => {
  it("are there for the next snippet and the next start, marked as observed", async () => {
    const { nami, learned } = await open();
    await using first = nami;
    expect(first.search("counting.echo")).toContain("Promise<any>");
    await first.execute("return await counting.echo({ total: 1, items: [{ id: 1 }] })");
    expect(first.search("echo")).toContain("Promise<{ total: number; items: { id: number }[] } /* observed */>");
    await using second = (await open({ learned })).nami;
    expect(second.search("counting.echo")).toContain("observed in earlier results");
  });

  it("tell a snippet what is doubtful when it fails, and never hold back one that works", async () => {
    const { nami } = await open();
    await using _ = nami;
    await nami.execute('return await counting.echo({ total: 1, title: "x" })');
    const works = await nami.execute("const r = await counting.echo({ name: 'ada' }); return r.name.toUpperCase()");
    expect(works).toMatchObject({ ok: true, valueText: "ADA", typeCheck: "passed" });
    await nami.execute('return await counting.echo({ total: 1, title: "x", count: 2 })');
    const text = "const r = await counting.echo({ count: '7' }); return r.count.padStart(3, '0')";
    expect(await nami.execute(text)).toMatchObject({ ok: true, valueText: "007" });
    const fails = await nami.execute("const r = await counting.echo({ total: 1 }); return r.totl.toFixed(2)");
    expect(fails.ok).toBe(false);
    expect(fails.text).toMatch(/`totl`.*(?:\n.*)*total/);
    expect(fails.receipt.calls.made).toBe(1);
  });

  it("hold no values, on disk neither", async () => {
    const { nami, learned } = await open();
    await using _ = nami;
    await nami.execute('return await counting.echo({ name: "Ada Lovelace", "ada@example.org": "x" })');
    const [file = ""] = await readdir(learned);
    const kept = await readFile(join(learned, file), "utf8");
    expect(kept).toContain('"name"');
    expect(kept).not.toMatch(/Ada|example/i);
  });

  it("hold nothing that output would mask, and no signature shows it", async () => {
    const { nami, learned } = await open();
    await using _ = nami;
    const token = `ghp_${"a1B2".repeat(9)}`;
    const keys = [token, `user ${token}`, `x_${token}`, "AKIAIOSFODNN7EXAMPLE"];
    await nami.execute(
      `return await counting.echo({ id: 1, ${keys.map((key) => `${JSON.stringify(key)}: { ok: true }`)} })`,
    );
    const [file = ""] = await readdir(learned);
    const kept = await readFile(join(learned, file), "utf8");
    for (const text of [kept, nami.search("echo"), nami.search("counting.echo")]) {
      expect(text).not.toMatch(/a1B2|AKIA/);
      expect(text).toContain("id");
    }
  });

  it("are neither made nor used with learned: false, and a folder that cannot be written is told", async () => {
    const off = await open({ learned: false });
    await off.nami.execute("return await counting.echo({ total: 1 })");
    expect(off.nami.search("counting.echo")).toContain("Promise<any>");
    await off.nami.close();
    const warnings: string[] = [];
    const { nami } = await open({
      learned: join("/dev/null", "learned"),
      onEvent: (event) => event.kind === "warning" && warnings.push(event.message),
    });
    expect(await nami.execute("return await counting.echo({ total: 1 })")).toMatchObject({ ok: true });
    expect(warnings).toEqual([expect.stringContaining("could not be kept")]);
    await nami.close();
  });

  it("come and go on the command line", async () => {
    const home = await makeHome({ counting });
    const source = 'return await counting.echo({ total: 1, tags: ["x"] })';
    expect((await runCli(home, ["exec", "--no-learned", "-e", source])).code).toBe(0);
    expect((await runCli(home, ["tools", "echo"])).stdout).not.toContain("observed");
    const ran = await runCli(home, ["exec", "-e", source]);
    expect(ran.code).toBe(0);
    expect((await runCli(home, ["tools", "echo"])).stdout).toContain(
      "{ total: number; tags: string[] } /* observed */",
    );

    const out = join(home, "sdk");
    expect((await runCli(home, ["generate", "--out", out])).code).toBe(0);
    const manifest: { tool: string; output: string; outputType?: string }[] = JSON.parse(
      await readFile(join(out, "manifest.json"), "utf8"),
    );
    expect(manifest.find(({ tool }) => tool === "echo")).toMatchObject({
      output: "learned",
      outputType: 'Awaited<ReturnType<counting["echo"]>>',
    });
    expect(await readFile(join(out, "counting.d.ts"), "utf8")).toContain("tags?: string[]");
    const without = await runCli(home, ["generate", "--out", out, "--no-learned", "--check"]);
    expect(without.code).toBe(1);
    expect(without.stdout).toContain("-    tags?: string[];");

    const unknown = await runCli(home, ["tools", "forget", "counting.ecko"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean counting.echo?") });
    expect(await runCli(home, ["tools", "forget", "counting.echo"])).toMatchObject({
      code: 0,
      stdout: "forgot counting.echo\n",
    });
    expect((await runCli(home, ["tools", "counting.echo"])).stdout).toContain("Promise<any>");
    const again = await runCli(home, ["tools", "forget", "counting.echo"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing was learned of any tool yet") });
  });
});
