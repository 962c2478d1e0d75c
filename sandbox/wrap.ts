import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";

/**
 * A second wall around a worker process: bubblewrap, or a command of the user's to which Node's command line is added. Such
 * a command must hand on the descriptor that `NODE_CHANNEL_FD` names and end when it is killed.
 */
export type Wrap = "bwrap" | readonly string[] | undefined;

/**
 * The command line before Node's own. Under bubblewrap the worker has no network, sees no other process, holds no
 * capability, and of the file system only the files that it needs, read-only: Node, the libraries of Node, `readable` (the
 * first is the worker's folder). Throws an Error that says what is missing where bubblewrap does not work.
 */
export function wrapCommand(wrap: Wrap, readable: readonly string[]): readonly string[] {
  if (wrap !== "bwrap") return wrap ?? [];
  checkBubblewrap();
  const own = readable.map((path) => path.replace(/\/\*$/, ""));
  const paths = [process.execPath, ...libraries(), ...own];
  const binds = [...new Set(paths)].filter(existsSync).flatMap((path) => ["--ro-bind", realpathSync(path), path]);
  return [...["bwrap", ...WALLS, ...binds, "--remount-ro", "/"], ...["--chdir", own[0] ?? "/", "--"]];
}

const WALLS = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];

let works = false;

/** Tried until it works: a person may install it meanwhile. */
function checkBubblewrap(): void {
  if (works) return;
  const { status, error, stderr } = spawnSync("bwrap", [...WALLS, "--ro-bind", "/", "/", "true"], { encoding: "utf8" });
  works = status === 0;
  if (works) return;
  const why =
    error === undefined
      ? `bubblewrap does not work here (${stderr.trim()}). Allow user namespaces without privileges, or leave out "wrap".`
      : `bubblewrap is not installed (${error.message}). Install the package bubblewrap, or leave out "wrap".`;
  throw new Error(why);
}

let found: readonly string[] | undefined;

/** The shared libraries that this process has loaded, its loader among them: the worker needs the same. */
function libraries(): readonly string[] {
  if (found !== undefined) return found;
  // Node's types lack the setting and what is in a report. Without the setting a report looks up names of addresses.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as { sharedObjects: string[] };
  report.excludeNetwork = excludeNetwork;
  found = sharedObjects.filter((path) => path.startsWith("/") && !path.endsWith(".node"));
  return found;
}
