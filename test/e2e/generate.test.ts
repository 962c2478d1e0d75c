import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeHome, runCli } from "../fixtures/cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const DEMO = ["--config", join(root, "test/fixtures/demo.json")];
const GENERATED = join(root, "generated");
const home = await makeHome({});

/** The demo's configuration names its programs from the root of the project. */
const generate = (...args: string[]) => runCli(home, ["generate", ...args], { cwd: root });

describe("generated/", () => {
  it("is what the demo servers give today (npm run generate makes it anew)", async () => {
    const { code, stdout } = await generate(...DEMO, "--out", GENERATED, "--check");
    expect(stdout).toContain("is fresh");
    expect(code).toBe(0);
  });
});

describe("nami generate", () => {
  it("writes a declaration per server and a manifest that says how to use the types", async () => {
    const out = join(await mkdtemp(join(tmpdir(), "nami-generate-")), "sdk");
    const { code, stdout } = await generate(...DEMO, "--out", out);
    expect(stdout).toMatch(/^3 files for \d+ tools/);
    expect(code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(["manifest.json", "notes.d.ts", "tickets.d.ts"]);
    const manifest = JSON.parse(await readFile(join(out, "manifest.json"), "utf8"));
    expect(manifest.find(({ tool }: { tool: string }) => tool === "close_ticket")).toMatchObject({
      server: "tickets",
      namespace: "tickets",
      member: "close_ticket",
      file: "tickets.d.ts",
      tokens: { raw: expect.any(Number), full: expect.any(Number), line: expect.any(Number) },
    });
  });

  it("finds a stale and a missing file with --check, and mends them", async () => {
    const out = await mkdtemp(join(tmpdir(), "nami-stale-"));
    await cp(GENERATED, out, { recursive: true });
    await writeFile(join(out, "notes.d.ts"), "// edited\n");
    await rm(join(out, "tickets.d.ts"));
    const stale = await generate(...DEMO, "--out", out, "--check");
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain(`--- ${out}/notes.d.ts\n+++ ${out}/notes.d.ts\n`);
    expect(stale.stdout).toContain('\n-// edited\n+// The tools of the MCP server "notes", declared by nami.\n');
    expect(stale.stdout).toContain(`--- /dev/null\n+++ ${out}/tickets.d.ts\n`);
    expect(stale.stdout).toMatch(
      /… and \d+ more lines\n\n.* is stale: notes\.d\.ts, tickets\.d\.ts\. Run nami generate/,
    );
    const asJson = JSON.parse((await generate(...DEMO, "--out", out, "--check", "--json")).stdout);
    expect(asJson).toMatchObject({
      changed: ["notes.d.ts", "tickets.d.ts"],
      diff: expect.stringContaining("-// edited"),
    });
    expect((await readdir(out)).sort()).toEqual(["manifest.json", "notes.d.ts"]);
    expect((await generate(...DEMO, "--out", out)).code).toBe(0);
    expect((await generate(...DEMO, "--out", out, "--check")).code).toBe(0);
  });

  it("removes what it wrote for a server that is gone, and never anything else", async () => {
    const out = await mkdtemp(join(tmpdir(), "nami-gone-"));
    await writeFile(join(out, "env.d.ts"), "// mine\n");
    await writeFile(join(out, "notes.d.ts"), "// mine too\n");
    const refused = await generate(...DEMO, "--out", out);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("notes.d.ts was not written by nami") });
    expect(await readFile(join(out, "notes.d.ts"), "utf8")).toBe("// mine too\n");
    await rm(join(out, "notes.d.ts"));
    expect((await generate(...DEMO, "--out", out)).code).toBe(0);
    const notes = join(out, "..", "notes-only.json");
    const demo = JSON.parse(await readFile(join(root, "test/fixtures/demo.json"), "utf8"));
    await writeFile(notes, JSON.stringify({ servers: { notes: demo.servers.notes } }));
    expect((await generate("--config", notes, "--out", out)).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(["env.d.ts", "manifest.json", "notes.d.ts"]);
  });

  it("keeps the files of a server that does not start today, or that was not asked for", async () => {
    const out = await mkdtemp(join(tmpdir(), "nami-kept-"));
    await cp(GENERATED, out, { recursive: true });
    expect((await generate(...DEMO, "--server", "notes", "--out", out)).code).toBe(0);
    expect((await generate(...DEMO, "--out", out, "--check")).code).toBe(0);
    const broken = join(out, "..", "broken.json");
    const demo = JSON.parse(await readFile(join(root, "test/fixtures/demo.json"), "utf8"));
    await writeFile(broken, JSON.stringify({ servers: { ...demo.servers, tickets: { command: "no-such-program" } } }));
    expect((await generate("--config", broken, "--out", out)).code).toBe(1);
    expect((await generate(...DEMO, "--out", out, "--check")).code).toBe(0);
  });

  it("works from saved tool lists, with no server, the same in any order", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nami-from-"));
    const list = (server: string) => ({
      server,
      tools: [
        { name: "b", description: null },
        { name: "a", inputSchema: { type: "object" } },
      ],
    });
    await writeFile(join(folder, "x.json"), JSON.stringify(list("x")));
    await writeFile(join(folder, "y.json"), JSON.stringify({ ...list("y"), tools: list("y").tools.reverse() }));
    const files = [join(folder, "x.json"), join(folder, "y.json")];
    await generate("--from", ...files, "--out", join(folder, "one"));
    await generate("--from", ...files.reverse(), "--out", join(folder, "two"));
    for (const file of ["manifest.json", "x.d.ts", "y.d.ts"]) {
      expect(await readFile(join(folder, "one", file), "utf8")).toBe(await readFile(join(folder, "two", file), "utf8"));
    }
    const twice = await generate("--from", ...files, files[0] ?? "", "--out", join(folder, "three"));
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('tool lists of the server "y"') });
    const bad = await generate("--from", join(GENERATED, "manifest.json"), "--out", join(folder, "three"));
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("manifest.json as a saved tool list") });
  });

  it("says in one line that --out is no folder that it can write", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "nami-generate-")), "file");
    await writeFile(file, "mine");
    for (const out of [file, join(file, "below")]) {
      const { code, stderr } = await generate(...DEMO, "--out", out);
      expect(code).toBe(2);
      expect(stderr.trim().split("\n").at(-1)).toContain("with --out");
      expect(stderr).not.toContain("    at ");
    }
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  it("gives a server the same names alone as among the others", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nami-names-"));
    const files = ["a-b", "a_b"].map((server) => join(folder, `${server}.json`));
    for (const [index, server] of ["a-b", "a_b"].entries()) {
      await writeFile(files[index] ?? "", JSON.stringify({ server, tools: [{ name: "t" }] }));
    }
    await generate("--from", ...files, "--out", join(folder, "all"));
    await generate("--from", ...files, "--server", "a-b", "--out", join(folder, "one"));
    expect((await readdir(join(folder, "one"))).sort()).toEqual(["a_b_2.d.ts", "manifest.json"]);
    for (const file of ["a_b_2.d.ts"]) {
      expect(await readFile(join(folder, "one", file), "utf8")).toBe(await readFile(join(folder, "all", file), "utf8"));
    }
  });

  it("takes one server with --server and refuses one that is not there", async () => {
    const out = await mkdtemp(join(tmpdir(), "nami-one-"));
    expect((await generate(...DEMO, "--server", "notes", "--out", out)).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(["manifest.json", "notes.d.ts"]);
    const unknown = await generate(...DEMO, "--server", "nots", "--out", out);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("Connected: notes, tickets") });
  });
});
