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

/** Milliseconds that a process has computed, all its threads together, or undefined where `residentMb` is. In steps of 10. */
export function processorMs(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // Fields 14 and 15, in hundredths of a second; the name before the third may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
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
