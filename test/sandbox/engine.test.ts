import { afterEach, expect, it } from "vitest";
import { createSandbox } from "../../sandbox/index.ts";
import { echo } from "./run-snippet.ts";

const run = { code: "async function __nami__() { return 1 }", filename: "snippet.ts", tools: new Map(), call: echo };

// isolated-vm looks there for the processor, once in a process: so the test without a binary is the first.
afterEach(() => {
  delete process.env["npm_config_arch"];
});

it("runs on QuickJS where isolated-vm has no binary, and says so in one line", async () => {
  process.env["npm_config_arch"] = "sparc";
  await using sandbox = createSandbox();
  expect(sandbox.engine).toBe("quickjs");
  expect(sandbox.notice).toMatch(/^Snippets run on QuickJS[^\n]*isolated-vm has no binary for Node[^\n]*$/);
  expect(await sandbox.run(run)).toMatchObject({ kind: "returned", json: "1" });
});

it("does not run on another engine than the one that was asked for", async () => {
  await using sandbox = createSandbox({ engine: "isolated-vm" });
  expect(sandbox).toMatchObject({ engine: "isolated-vm" });
  await expect(sandbox.ready()).rejects.toThrow("isolated-vm has no binary");
  await expect(sandbox.run(run)).rejects.toThrow("isolated-vm has no binary");
});

it("has nothing to say about an engine that was asked for", async () => {
  await using sandbox = createSandbox({ engine: "quickjs" });
  expect(sandbox).toMatchObject({ engine: "quickjs" });
  expect(sandbox).not.toHaveProperty("notice");
  expect(await sandbox.run(run)).toMatchObject({ kind: "returned", json: "1" });
});
