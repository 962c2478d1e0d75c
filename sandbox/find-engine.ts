import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { EngineFiles } from "./worker-setup.ts";

/** A JavaScript engine for snippets. */
export type EngineName = EngineFiles["engine"];

/** The engine that a sandbox runs on, and a line for the person if it is not the one that they would expect. */
export interface EngineChoice {
  readonly engine: EngineName;
  readonly notice?: string;
}

/** Chooses isolated-vm where it has a binary for this Node, system and processor, and QuickJS elsewhere. */
export function chooseEngine(wanted: EngineName | "auto"): EngineChoice {
  if (wanted !== "auto") return { engine: wanted };
  try {
    isolatedVmBinary();
    return { engine: "isolated-vm" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { engine: "quickjs", notice: `Snippets run on QuickJS, which is slower and has no Intl: ${why}` };
  }
}

/** Where the engine's code is: found here, so that the worker need not search. Throws an Error that names what is missing. */
export function findEngine<Name extends EngineName>(engine: Name): Extract<EngineFiles, { engine: Name }>;
export function findEngine(engine: EngineName): EngineFiles {
  const guest = realpathSync(fileURLToPath(new URL("guest", WORKER_FOLDER)));
  if (engine === "isolated-vm") return { engine, guest, binary: isolatedVmBinary() };
  return { engine, guest, ...quickJsFiles() };
}

let binary: string | undefined;

function isolatedVmBinary(): string {
  if (binary !== undefined) return binary;
  try {
    const entry = here.resolve("isolated-vm");
    // node-gyp-build has no types; it is how isolated-vm itself finds its binary.
    const { path: find } = createRequire(entry)("node-gyp-build") as { path(folder: string): string };
    binary = realpathSync(find(dirname(entry)));
    return binary;
  } catch (cause) {
    const { version, platform, arch } = process;
    throw new Error(`isolated-vm has no binary for Node ${version} on ${platform} ${arch}; it needs Node 24 or 26.`, {
      cause,
    });
  }
}

function quickJsFiles() {
  try {
    const locate = (name: string) => realpathSync(here.resolve(name));
    return { core: locate(CORE), variant: locate(VARIANT), wasm: locate(`${VARIANT}/wasm`) };
  } catch (cause) {
    throw new Error(`QuickJS is not installed: ${CORE} or ${VARIANT} is missing.`, { cause });
  }
}

/** Where the worker is built to, with the guest's code: all of our own that it may read. */
export const WORKER_FOLDER = new URL(
  import.meta.url.endsWith(".ts") ? "../dist/worker/sandbox/" : "../worker/sandbox/",
  import.meta.url,
);

const here = createRequire(import.meta.url);
const CORE = "quickjs-emscripten-core";
const VARIANT = "@jitl/quickjs-wasmfile-release-sync";
