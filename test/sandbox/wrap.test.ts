import { fork, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../sandbox/index.ts";
import { ENGINE } from "./engine-differences.ts";
import { isAlive, workersOf } from "./process-table.ts";
import { echo, openSandbox } from "./run-snippet.ts";

const works = spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;
if (!works) console.warn("skipped: bubblewrap is not installed here, or may not make namespaces");

const run = { code: "async function __nami__() { return 1 }", filename: "snippet.ts", tools: new Map(), call: echo };
const { PATH } = process.env;
afterEach(() => {
  process.env["PATH"] = PATH;
});

// The first, since what once worked is not tried again.
it("says what is missing where there is no bubblewrap", async () => {
  process.env["PATH"] = "/nowhere";
  await using sandbox = createSandbox({ engine: ENGINE, wrap: "bwrap" });
  const message = process.platform === "linux" && works ? "Install the package bubblewrap" : /bubblewrap/;
  await expect(sandbox.ready()).rejects.toThrow(message);
  await expect(sandbox.run(run)).rejects.toThrow(message);
});

describe.skipIf(!works)("a worker under bubblewrap", () => {
  const open = () => openSandbox(1, { wrap: "bwrap" });
  const worker = () => workersOf(process.pid).filter(isAlive)[0] ?? 0;

  it("runs snippets with calls, timers and the local time zone", async () => {
    await using guest = open();
    const body = "await sleep(1); return [await notes.read({ a: 1 }), new Date(0).getTimezoneOffset()]";
    expect(await guest.value(body)).toEqual([{ a: 1 }, new Date(0).getTimezoneOffset()]);
  });

  it("has no network, no other process, and no name of the host's", async () => {
    await using guest = open();
    await guest.sandbox.ready();
    for (const namespace of ["net", "pid", "ipc", "uts", "mnt", "user"]) {
      expect(readlinkSync(`/proc/${worker()}/ns/${namespace}`), namespace).not.toBe(
        readlinkSync(`/proc/self/ns/${namespace}`),
      );
    }
    const interfaces = readFileSync(`/proc/${worker()}/net/dev`, "utf8").split("\n").slice(2).filter(Boolean);
    expect(interfaces.map((line) => line.trim().split(":")[0])).toEqual(["lo"]);
    const status = readFileSync(`/proc/${worker()}/status`, "utf8");
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  });

  it("sees only the files that it needs, read-only", async () => {
    await using guest = open();
    await guest.sandbox.ready();
    const root = `/proc/${worker()}/root`;
    const hidden = [
      "/proc/self",
      "/dev/null",
      "/etc/hostname",
      "/usr/bin/env",
      import.meta.filename,
      `${process.cwd()}/package-lock.json`,
    ];
    for (const path of hidden) expect({ path, visible: existsSync(root + path) }).toEqual({ path, visible: false });
    const mounts = readFileSync(`/proc/${worker()}/mounts`, "utf8").trim().split("\n");
    expect(mounts.filter((line) => !/^\S+ \S+ \S+ ro[,\s]/.test(line))).toEqual([]);
  });

  it("is measured and killed through the command before it", async () => {
    await using guest = open();
    await guest.sandbox.ready();
    const pid = worker();
    const hoard =
      "const all = []; for (let i = 0; i < 90; i++) all.push(new Uint8Array(2 ** 20).fill(1)); await sleep(20_000)";
    const limit = { name: "processMb", value: 100 };
    expect(await guest.run(hoard, { limits: { processMb: 100 } })).toMatchObject({
      kind: "stopped",
      reason: "memory",
      limit,
    });
    expect(await guest.run("while (true) {}", { limits: { wallMs: 200 } })).toMatchObject({ reason: "deadline" });
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    expect(await guest.value("return 1")).toBe(1);
  });

  it.each(["await new Promise(() => {})", "while (true) {}"])(
    "dies with a host that is killed during %s",
    async (body) => {
      const host = fork(fileURLToPath(new URL("./orphan-host.ts", import.meta.url)), [body, "bwrap"], {
        stdio: "ignore",
      });
      await new Promise((resolve) => host.once("message", resolve));
      const workers = workersOf(host.pid ?? 0);
      expect(workers).toHaveLength(1);
      host.kill("SIGKILL");
      await expect.poll(() => workers.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    },
  );

  it("is gone after close, also while it loops", async () => {
    const guest = open();
    const looping = guest.run("console.log('up'); while (true) {}", { onLog: () => void guest.sandbox.close() });
    expect(await looping).toMatchObject({ kind: "stopped", reason: "aborted" });
    await expect.poll(() => workersOf(process.pid).filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });
});

it.skipIf(process.platform === "win32")("runs the worker under a command of the user's", async () => {
  await using guest = openSandbox(1, { wrap: ["env", "-u", "NOTHING"] });
  expect(await guest.value("return await notes.read({ a: 1 })")).toEqual({ a: 1 });
});

it("names the command where it does not start the worker", async () => {
  for (const command of ["no-such-command", "false"]) {
    await using sandbox = createSandbox({ engine: ENGINE, wrap: [command] });
    await expect(sandbox.run(run)).rejects.toThrow(`"wrap", ["${command}"]`);
  }
});

it.skipIf(process.platform !== "linux")(
  "kills a command that stays before the worker, and the worker with it",
  async () => {
    await using guest = openSandbox(1, { wrap: ["sh", "-c", '"$@"; exit', "sh"] });
    const run = guest.run("console.log('up'); while (true) {}", { limits: { wallMs: 1000 } });
    await expect.poll(() => workersOf(process.pid).filter(isAlive).length, { timeout: 10_000 }).toBe(1);
    const [pid = 0] = workersOf(process.pid).filter(isAlive);
    expect(await run).toMatchObject({ reason: "deadline" });
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  },
);
