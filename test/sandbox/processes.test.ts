import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { forkWorker } from "../../sandbox/launch.ts";
import { DEFAULT_LIMITS, RUNS_PER_PROCESS, WORKER_NICE } from "../../sandbox/limits.ts";
import { ENGINE, EXPECTED } from "./engine-differences.ts";
import { isAlive, workersOf } from "./process-table.ts";
import { openSandbox } from "./run-snippet.ts";

const openHostname = openSync("/etc/hostname", "r");
afterAll(() => closeSync(openHostname));

describe.skipIf(process.platform !== "linux")("worker processes (seen through /proc)", () => {
  const hasGuards = (() => {
    try {
      execFileSync("setpriv", ["--pdeathsig=KILL", "true"]);
      return true;
    } catch {
      return false;
    }
  })();

  it("are all gone after close, and open runs end", async () => {
    const guest = openSandbox(2);
    const runs = [guest.run("await new Promise(() => {})"), guest.run("while (true) {}"), guest.run("return 1")];
    await expect.poll(() => workersOf(process.pid).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    await guest.sandbox.close();
    expect(workersOf(process.pid).filter(isAlive)).toEqual([]);
    expect((await Promise.all(runs)).map((outcome) => outcome.kind === "stopped" && outcome.reason)).toEqual(
      Array(3).fill("aborted"),
    );
    await expect(guest.run("return 1")).rejects.toThrow("closed");
  });

  it("have no environment", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const [pid] = workersOf(process.pid).filter(isAlive);
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    expect(names.filter((name) => name !== "" && !name?.startsWith("NODE_CHANNEL_"))).toEqual([]);
  });

  it("have no open descriptor but the channel and what Node opens for itself, though the host inherited some", async () => {
    const host = fork(fileURLToPath(new URL("./orphan-host.ts", import.meta.url)), ["await new Promise(() => {})"], {
      // 5 is where Node itself closes what a child would inherit, 40 is where it does not.
      stdio: ["ignore", "ignore", "ignore", "ipc", "ignore", openHostname, ...Array(34).fill("ignore"), openHostname],
    });
    await new Promise((resolve) => host.once("message", resolve));
    const [pid] = workersOf(host.pid ?? 0);
    const targets = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
    host.kill("SIGKILL");
    const kinds = targets.map((target) => target.replace(/\[\d+\]$/, ""));
    expect(kinds.filter((kind) => kind === "socket:")).toHaveLength(1);
    const own = [
      "/dev/null",
      "pipe:",
      "socket:",
      "anon_inode:[eventfd]",
      "anon_inode:[eventpoll]",
      "anon_inode:[io_uring]",
    ];
    expect(kinds.filter((kind) => !own.includes(kind))).toEqual([]);
    // Node's own pipes have both ends here.
    for (const pipe of targets.filter((target) => target.startsWith("pipe:"))) {
      expect(targets.filter((target) => target === pipe)).toHaveLength(2);
    }
  });

  it("yield to other processes, and lead a session and a group of their own", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const [pid = 0] = workersOf(process.pid).filter(isAlive);
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const { 2: group, 3: session, 16: nice } = fields.split(" ").map(Number);
    expect({ group, session, nice }).toEqual({ group: pid, session: pid, nice: WORKER_NICE });
  });

  it("get no more memory from the kernel than a run may use, and are replaced for a run that may use more", async (test) => {
    if (!hasGuards || ENGINE === "quickjs") return test.skip("needs util-linux, and a worker without compilers");
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const limitOf = () => {
      const [pid] = workersOf(process.pid).filter(isAlive);
      return Number(/^Max data size\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1]) / 1e6;
    };
    const usual = limitOf();
    expect(usual).toBeGreaterThan(DEFAULT_LIMITS.processMb);
    expect(usual).toBeLessThan(DEFAULT_LIMITS.processMb * 1.5);
    expect(await guest.value("return 1", { limits: { memoryMb: 1000 } })).toBe(1);
    expect(limitOf()).toBeGreaterThan(3000);
  });

  it("are shut in by Node's permissions and, where util-linux is there, by the system", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const [pid] = workersOf(process.pid).filter(isAlive);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(command).toEqual(expect.arrayContaining([...EXPECTED.flags]));
    const allowed = command.filter((word) => word.startsWith("--allow"));
    expect(
      allowed.filter(
        (word) => !/^--allow-(addons$|fs-read=.*(sandbox\/\*|\/package\.json|\.node|quickjs[^/]*\/\*)$)/.test(word),
      ),
    ).toEqual([]);
    if (!hasGuards) return;
    expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(/^Max core file size\s+0\s+0/m);
  });

  it("are replaced after many runs", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const mine = () => workersOf(process.pid).filter(isAlive);
    const [first] = mine();
    for (let run = 1; run < RUNS_PER_PROCESS; run++) await guest.run("");
    expect(mine()).toEqual([first]);
    await guest.run("");
    expect(await guest.value("return 1")).toBe(1);
    expect(mine()).not.toContain(first);
  });

  it("are replaced after a run that left them large, also when the next runs begin at once", async () => {
    await using guest = openSandbox();
    const limits = { memoryMb: 400, resultBytes: 100e6 };
    const call: HostCall = async () => ({ kind: "value", json: JSON.stringify("x".repeat(50e6)) });
    const mine = () => workersOf(process.pid).filter(isAlive);
    await guest.run("", { limits });
    const before = mine();
    expect(await guest.value("return (await notes.read()).length", { limits, call })).toBe(50e6);
    // Without a moment in between in which it is idle.
    for (let run = 0; run < 3; run++) await guest.run("", { limits });
    expect(mine()).not.toEqual(before);
    expect(await guest.value("return 1", { limits })).toBe(1);
  });

  it.each([
    ["waits", "await new Promise(() => {})"],
    ["loops", "while (true) {}"],
  ])("die with a host that is killed while a snippet %s", async (how, body) => {
    if (how === "loops" && !hasGuards) return console.warn("skipped: setpriv with --pdeathsig is not installed");
    const host = fork(fileURLToPath(new URL("./orphan-host.ts", import.meta.url)), [body], { stdio: "ignore" });
    await new Promise((resolve) => host.once("message", resolve));
    const workers = workersOf(host.pid ?? 0);
    expect(workers.length).toBe(1);
    host.kill("SIGKILL");
    await expect.poll(() => workers.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });
});

it("ends a worker that lost its host, without help of the system", async () => {
  const child = forkWorker({ engine: ENGINE, jitless: true, wrap: undefined, processMb: 512 });
  await new Promise((resolve) => child.once("message", resolve));
  child.disconnect();
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
});
