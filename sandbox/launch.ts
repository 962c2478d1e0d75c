import { type ChildProcess, fork } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { type EngineName, findEngine, WORKER_FOLDER } from "./find-engine.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { systemGuards } from "./system-guards.ts";
import type { EngineFiles, WorkerSetup } from "./worker-setup.ts";
import { type Wrap, wrapCommand } from "./wrap.ts";

// The worker is always compiled code: without WebAssembly (`--jitless`) Node cannot strip types. And it is compiled to
// CommonJS, for which Node is ready 30 ms earlier.
const WORKER = new URL("worker.js", WORKER_FOLDER);

/** How to start a worker process. */
export interface Launch {
  readonly engine: EngineName;
  /** Whether V8 may not compile. QuickJS needs WebAssembly, so it always may there: the snippet is not what is compiled. */
  readonly jitless: boolean;
  readonly wrap: Wrap;
  /** Megabytes of RAM that a run may use: see `processMb`. */
  readonly processMb: number;
}

/**
 * Forks a worker process, shut in as far as Node and the system let us:
 *
 * - no environment, no streams, no descriptor but the IPC channel, its own folder as working directory, a session and
 *   process group of its own;
 * - `--permission`: it may read its own folder and the engine's code; no writes, processes or threads, and from Node 26
 *   no network. A guard against mistakes and escapes into JavaScript, not against native code;
 * - `--jitless` takes the compilers and WebAssembly out of reach (tight loops run 3 times slower);
 * - `--no-node-snapshot` is required by isolated-vm;
 * - what the system offers (`system-guards.ts`), and a second wall if one is asked for (`wrap.ts`).
 *
 * Throws an Error that names what is missing.
 */
export function forkWorker({ engine, jitless, wrap, processMb }: Launch): ChildProcess {
  const worker = realpath(fileURLToPath(WORKER), "The sandbox's worker is not built");
  const files = findEngine(engine);
  const compiles = engine === "quickjs" || !jitless;
  const paths = readable(worker, files);
  const node = [
    process.execPath,
    ...(engine === "isolated-vm" ? ["--no-node-snapshot", "--allow-addons"] : []),
    ...(compiles ? [] : ["--jitless"]),
    // In KB. QuickJS recurses on it; a main thread has 8 MB, but for Windows.
    ...(engine === "quickjs" && process.platform !== "win32" ? ["--stack-size=6000"] : []),
    "--permission",
    ...paths.map((path) => `--allow-fs-read=${path}`),
  ];
  const guards = systemGuards({ processMb: compiles ? undefined : processMb, wrapped: wrap !== undefined });
  const command = [...guards, ...wrapCommand(wrap, paths), ...node];
  // Behind a second wall the system's own setting is out of sight. To ask for it takes a millisecond.
  const timeZone = process.env["TZ"] ?? (wrap && new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const setup: WorkerSetup = { ...files, close: inheritedDescriptors(), ...(timeZone && { timeZone }) };
  return fork(worker, [JSON.stringify(setup)], {
    execPath: command[0],
    execArgv: command.slice(1),
    serialization: "advanced",
    env: {},
    cwd: dirname(worker),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // On Windows this would open a console.
    detached: process.platform !== "win32",
  });
}

/** The worker's folder, the package.json files that say what module it is (Node looks upwards for one), and the engine. */
function readable(worker: string, files: EngineFiles): string[] {
  const manifests: string[] = [];
  for (let folder = dirname(worker); folder !== parse(folder).root; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    manifests.push(manifest);
    if (existsSync(manifest)) break;
  }
  return [
    join(dirname(worker), "*"),
    ...manifests,
    ...(files.engine === "quickjs" ? packageFolders(files) : [files.binary]),
  ];
}

/** The packages of QuickJS, with the one that the library itself takes from elsewhere. */
function packageFolders({ core, variant }: Extract<EngineFiles, { engine: "quickjs" }>): string[] {
  const types = createRequire(core).resolve("@jitl/quickjs-ffi-types");
  return [core, variant, types].map((entry) => join(dirname(dirname(entry)), "*"));
}

function realpath(path: string, problem: string): string {
  if (!existsSync(path)) throw new Error(`${problem}: ${path} is missing. Run "npm run build".`);
  return realpathSync(path);
}
