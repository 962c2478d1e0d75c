import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { forkWorker } from "../../sandbox/launch.ts";
import { RUNS_PER_PROCESS } from "../../sandbox/limits.ts";
import { openSandbox } from "./run-snippet.ts";

/** Ids of the worker processes below a process. */
function workersOf(parent: number): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const ppid = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      if (ppid === parent && command.includes("sandbox/worker.js")) found.push(Number(name));
    } catch {
      // It went away meanwhile.
    }
  }
  return found;
}

function isAlive(pid: number): boolean {
  try {
    // A killed process whose parent has not looked yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform !== "linux")("worker processes (seen through /proc)", () => {
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

  it("have no environment and no open descriptor of the host", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const [pid] = workersOf(process.pid).filter(isAlive);
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    expect(names.filter((name) => name !== "" && !name?.startsWith("NODE_CHANNEL_"))).toEqual([]);
  });

  it("are shut in by Node's permissions and, where util-linux is there, by the system", async () => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const [pid] = workersOf(process.pid).filter(isAlive);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(command).toEqual(expect.arrayContaining(["--permission", "--jitless", "--no-node-snapshot"]));
    const allowed = command.filter((word) => word.startsWith("--allow"));
    expect(
      allowed.filter((word) => !/^--allow-(addons$|fs-read=.*(sandbox\/\*|\/package\.json|\.node)$)/.test(word)),
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

  const hasGuards = (() => {
    try {
      execFileSync("setpriv", ["--pdeathsig=KILL", "true"]);
      return true;
    } catch {
      return false;
    }
  })();

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
  const child = forkWorker(true);
  await new Promise((resolve) => child.once("message", resolve));
  child.disconnect();
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
});
