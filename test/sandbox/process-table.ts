import { readdirSync, readFileSync } from "node:fs";

/** Ids of the worker processes below a process, also those with a command in between. Linux only. */
export function workersOf(parent: number): number[] {
  const parents = new Map<number, number>();
  const workers: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const pid = Number(name);
      parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]));
      const [program, ...words] = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      const isWorker = words.some((word) => word.endsWith("sandbox/worker.js"));
      if (isWorker && program?.endsWith("node")) workers.push(pid);
    } catch {
      // It went away meanwhile.
    }
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === parent || isBelow(parents.get(pid)));
  return workers.filter((pid) => isBelow(parents.get(pid)));
}

/** Whether a process runs: a killed one whose parent has not looked yet is a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
