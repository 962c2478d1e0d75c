import { readFileSync } from "node:fs";

/** A process and those that it started, directly or not. Linux only; just the process where /proc does not say. */
export function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return children.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Megabytes in RAM of one process, or undefined where the system does not say (all but Linux) or the process is gone. */
export function residentMb(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // The second field is resident pages, of 4 KiB on the machines that isolated-vm has binaries for.
    return (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096) / 1e6;
  } catch {
    return undefined;
  }
}
