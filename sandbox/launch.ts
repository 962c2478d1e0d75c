import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";

// The worker is always compiled code: without WebAssembly (`--jitless`) Node cannot strip types.
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "../dist/sandbox/worker.js" : "./worker.js", import.meta.url);

/**
 * Forks a worker process, shut in as far as Node and the system let us:
 *
 * - no environment, no streams, no descriptor but the IPC channel, its own folder as working directory;
 * - `--permission`: it may read its own folder and isolated-vm's binary; no writes, processes or threads, and from Node 26
 *   no network. A guard against mistakes and escapes into JavaScript, not against native code;
 * - `--jitless` takes the compilers and WebAssembly out of reach (tight loops run 3 times slower);
 * - `--no-node-snapshot` is required by isolated-vm;
 * - on Linux, where util-linux is installed: dies with its parent even while busy, gains no privileges, leaves no core
 *   file. Elsewhere a busy worker outlives a killed parent until its own deadline.
 *
 * Throws an Error that names what is missing.
 */
export function forkWorker(jitless: boolean): ChildProcess {
  const worker = realpath(fileURLToPath(WORKER), "The sandbox's worker is not built");
  const binary = isolatedVmBinary();
  const node = [
    "--no-node-snapshot",
    ...(jitless ? ["--jitless"] : []),
    "--permission",
    "--allow-addons",
    ...readable(worker, binary).map((path) => `--allow-fs-read=${path}`),
  ];
  const [execPath = process.execPath, ...execArgv] = [...systemGuards(), process.execPath, ...node];
  return fork(worker, [binary], {
    execPath,
    execArgv,
    serialization: "advanced",
    env: {},
    cwd: dirname(worker),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** The worker's folder, the package.json files that say it is a module (Node looks upwards for one), and the binary. */
function readable(worker: string, binary: string): string[] {
  const manifests: string[] = [];
  for (let folder = dirname(worker); folder !== parse(folder).root; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    manifests.push(manifest);
    if (existsSync(manifest)) break;
  }
  return [join(dirname(worker), "*"), ...manifests, binary];
}

/** Where isolated-vm's compiled code is: found here, so that the worker need not search through folders. */
function isolatedVmBinary(): string {
  try {
    const entry = createRequire(import.meta.url).resolve("isolated-vm");
    // node-gyp-build has no types; it is how isolated-vm itself finds its binary.
    const { path: find } = createRequire(entry)("node-gyp-build") as { path(folder: string): string };
    return realpathSync(find(dirname(entry)));
  } catch (cause) {
    const { version, platform, arch } = process;
    throw new Error(`isolated-vm has no binary for Node ${version} on ${platform} ${arch}; it needs Node 24 or 26.`, {
      cause,
    });
  }
}

function realpath(path: string, problem: string): string {
  if (!existsSync(path)) throw new Error(`${problem}: ${path} is missing. Run "npm run build".`);
  return realpathSync(path);
}

let guards: readonly string[] | undefined;

/** The command line before Node's own, or nothing. Tried once, since older versions lack an option. */
function systemGuards(): readonly string[] {
  guards ??=
    process.platform === "linux" && spawnSync(GUARDS[0], [...GUARDS.slice(1), "true"]).status === 0 ? GUARDS : [];
  return guards;
}

const GUARDS = ["setpriv", "--pdeathsig=KILL", "--no-new-privs", "prlimit", "--core=0"] as const;
