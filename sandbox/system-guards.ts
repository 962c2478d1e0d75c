import { spawnSync } from "node:child_process";

/** What the guards of a process depend on. */
export interface GuardOptions {
  /** Megabytes of RAM that a run may use, or undefined where the kernel cannot keep it: see below. */
  readonly processMb: number | undefined;
  /** Another command comes between. It may need a privilege to build its walls (it drops it afterwards, if it is bwrap). */
  readonly wrapped: boolean;
}

/**
 * The command line before Node's own, or nothing. On Linux, where util-linux is installed, the worker
 *
 * - dies with its parent even while busy. Elsewhere a busy worker outlives a killed parent until its own deadline;
 * - gains no privileges and leaves no core file;
 * - gets no more memory from the kernel than a run may use. Only without compilers: V8 reserves room for their code that
 *   counts in full.
 */
export function systemGuards({ processMb, wrapped }: GuardOptions): readonly string[] {
  const setpriv = ["setpriv", "--pdeathsig=KILL", ...(wrapped ? [] : ["--no-new-privs"])];
  if (!works(setpriv)) return [];
  const data = processMb === undefined ? [] : [`--data=${Math.ceil((processMb + IDLE_DATA_MB) * 1e6)}`];
  return [...setpriv, "prlimit", "--core=0", ...data];
}

/** Megabytes that a fresh worker has mapped for writing and not touched: stacks of threads, mostly. */
const IDLE_DATA_MB = 128;

const tried = new Map<string, boolean>();

/** Whether a command can be put before another. Tried once, since older versions lack an option. */
function works(command: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  const key = command.join(" ");
  const known = tried.get(key);
  if (known !== undefined) return known;
  const [first = "", ...rest] = command;
  const does = spawnSync(first, [...rest, "prlimit", "--core=0", "true"]).status === 0;
  tried.set(key, does);
  return does;
}
