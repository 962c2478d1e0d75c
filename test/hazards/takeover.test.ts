import { spawn } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { isAlive, workersOf } from "../sandbox/process-table.ts";
import { openSandbox } from "../sandbox/run-snippet.ts";
import { ENGINES } from "./stand.ts";

afterEach(() => {
  delete process.env["NAMI_TEST_SECRET"];
});

/** What code that got out of its realm would try, as lines of `name: what came of it`. */
const PROBE = `
  const attempts = {
    read: () => process.getBuiltinModule("node:fs").readFileSync("/etc/passwd"),
    list: () => process.getBuiltinModule("node:fs").readdirSync("/"),
    write: () => process.getBuiltinModule("node:fs").writeFileSync("/tmp/nami-took-over", "x"),
    spawn: () => process.getBuiltinModule("node:child_process").spawnSync("true").error ?? (() => { throw "ran" })(),
    thread: () => new (process.getBuiltinModule("node:worker_threads").Worker)("1", { eval: true }),
    binding: () => process.binding("fs"),
    inspector: () => process.getBuiltinModule("node:inspector").open(0),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try { const got = attempt(); console.log(name + ": " + (got?.code ?? "allowed")) } catch (error) { console.log(name + ": " + (error.code ?? error)) }
  }
  const socket = process.getBuiltinModule("node:net").connect(9, "127.0.0.1");
  socket.on("error", (error) => console.log("connect: " + error.code));
  console.log("environment: " + Object.keys(process.env).join());`;

describe.skipIf(process.platform !== "linux")("code that got out of its realm", () => {
  it.each(ENGINES)("is shut in by its process, started as the worker of %s is", async (engine) => {
    process.env["NAMI_TEST_SECRET"] = "s3cret";
    await using guest = openSandbox(1, { engine });
    await guest.sandbox.ready();
    const [pid] = workersOf(process.pid).filter(isAlive);
    const [node = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const flags = words.slice(
      0,
      words.findIndex((word) => word.endsWith("sandbox/worker.js")),
    );
    const lines = await printed(node, [...flags, "--eval", PROBE]);
    const denied = "ERR_ACCESS_DENIED";
    expect(lines).toMatchObject({ read: denied, list: denied, write: denied, spawn: denied, thread: denied });
    expect(lines).toMatchObject({ binding: expect.stringMatching(/^ERR_/), inspector: expect.stringMatching(/^ERR_/) });
    // Node 24 has no permission for the network to deny: there only a second wall does.
    expect(lines["connect"]).toBe(Number.parseInt(process.versions.node, 10) >= 26 ? denied : "ECONNREFUSED");
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(environment).not.toContain("s3cret");
    expect(environment.split("\0").filter((entry) => entry !== "" && !entry.startsWith("NODE_CHANNEL_"))).toEqual([]);
    // Descriptors of the host's own streams would let it read and write a terminal.
    expect([0, 1, 2].map((stream) => readlinkSync(`/proc/${pid}/fd/${stream}`))).toEqual(Array(3).fill("/dev/null"));
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    expect(command).not.toContain("s3cret");
  });
});

/** Runs Node with these arguments and no environment. */
async function printed(node: string, args: readonly string[]): Promise<Record<string, string>> {
  const child = spawn(node, args, { env: {}, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return Object.fromEntries(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(": ")),
  );
}
