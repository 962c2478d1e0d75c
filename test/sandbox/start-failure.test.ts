import { afterEach, expect, it } from "vitest";
import { createSandbox } from "../../sandbox/index.ts";
import { ENGINE } from "./engine-differences.ts";
import { echo, openSandbox } from "./run-snippet.ts";

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

const run = { code: "async function __nami__() { return 1 }", filename: "snippet.ts", tools: new Map(), call: echo };

it("says why no process can be started, and fails the runs that wait for one", async () => {
  process.execPath = "/nowhere/node";
  await using sandbox = createSandbox({ engine: ENGINE });
  const waiting = sandbox.run(run);
  await expect(sandbox.ready()).rejects.toThrow("The sandbox process ended before it was ready");
  await expect(waiting).rejects.toThrow("ended before it was ready");
});

it("tries again for the next run", async () => {
  process.execPath = "/nowhere/node";
  await using sandbox = createSandbox({ engine: ENGINE });
  await expect(sandbox.ready()).rejects.toThrow();
  process.execPath = execPath;
  expect(await sandbox.run(run)).toMatchObject({ kind: "returned", json: "1" });
});

it("is ready when a snippet can run, and not after it is closed", async () => {
  const guest = openSandbox();
  await guest.sandbox.ready();
  await guest.sandbox.close();
  await guest.sandbox.close();
  await expect(guest.sandbox.ready()).rejects.toThrow("closed");
});
