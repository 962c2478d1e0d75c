import type IsolatedVm from "isolated-vm";
import type { Engine, GuestMessage, Slice } from "./engine.ts";
import type { GuestOptions } from "./frames.ts";
import { readGuestCode } from "./guest-files.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { EngineFiles } from "./worker-setup.ts";

/**
 * The engine isolated-vm: each guest is a V8 isolate. `binary` is the path of its compiled code. This is the only file that
 * touches isolated-vm. Throws an Error when the binary cannot be loaded.
 *
 * The guest never gets an object of isolated-vm: a `Reference` leads to its constructor, from which more can be made, and
 * through one of them memory was corrupted (GHSA-864f-rcv7-6rh4). It gets one `Callback`, which is a plain function on its
 * side and takes and returns primitives; all else is called from here by references that stay here.
 */
export function loadIsolatedVm({ binary, guest }: Extract<EngineFiles, { engine: "isolated-vm" }>): Engine {
  const addon: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
  process.dlopen(addon, binary);
  const { ivm } = addon.exports;
  if (ivm === undefined) throw new Error(`${binary} is not isolated-vm.`);
  const { code, later } = readGuestCode(guest);
  let cachedData: IsolatedVm.ExternalCopy<ArrayBuffer> | undefined;
  let guests = 0;

  const create: Engine["create"] = (memoryMb, onMessage) => {
    // Not for the first, which somebody waits for.
    if (++guests === 2) cachedData = compileWarm(ivm, code, later);
    // No `onCatastrophicError`: with it, an isolate that is out of memory would put this thread to sleep for ever. Without
    // it the process aborts, and the host sees that at once.
    const isolate = new ivm.Isolate({ memoryLimit: memoryMb });
    const context = isolate.createContextSync();
    const send = new ivm.Callback((...message: unknown[]) => {
      try {
        // The prelude is the only caller, and it sends just these; the host checks what becomes of them.
        return onMessage(message as unknown as GuestMessage);
      } catch {
        return false;
      }
    });
    const script = isolate.compileScriptSync(code, { filename: GUEST, ...(cachedData && { cachedData }) });
    const boot = script.runSync(context, { reference: true });
    const enter = boot.applySync(undefined, [send, later], { result: { reference: true } });
    boot.release();
    script.release();

    const slice = (left: number, run: () => unknown): Slice => {
      const began = performance.now();
      try {
        run();
        return { kind: "done" };
      } catch (error) {
        if (isolate.isDisposed) return { kind: "stopped", reason: "memory" };
        const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        // The snippet can throw an error with that text, but it cannot make time pass.
        const isOver = performance.now() - began >= left - 1;
        if (isOver && text.startsWith("Error: Script execution timed out"))
          return { kind: "stopped", reason: "deadline" };
        return { kind: "rejected", text };
      }
    };
    const call = (left: number, ...args: (string | number)[]) =>
      slice(left, () => enter.applySync(undefined, args, { timeout: left }));

    return {
      start: (code, guest, left) => {
        // Runs before any code of the snippet is there, so it needs no time limit.
        enter.applySync(undefined, ["begin", JSON.stringify(guest)]);
        const evaluated = slice(left, () =>
          // Evaluated as a script of its own, with nothing in front: lines and columns are those of `code`.
          isolate.compileScriptSync(code, { filename: guest.filename }).runSync(context, { timeout: left }),
        );
        if (evaluated.kind !== "rejected") return evaluated.kind === "stopped" ? evaluated : call(left, "main");
        onMessage(["threw", syntaxError(evaluated.text, guest.filename)]);
        return { kind: "done" };
      },
      replies: (heads, bodies, at, left) => call(left, "replies", heads, bodies, at),
      timer: (id, at, left) => call(left, "timer", id, at),
      dispose: () => {
        enter.release();
        context.release();
        if (!isolate.isDisposed) isolate.dispose();
      },
    };
  };
  return { create };
}

/**
 * V8's compiled form of our own code, made in an isolate that sees nothing else: a new guest boots in a fourth of the time,
 * and its first steps are compiled already. Compiled again after a run, since only then the functions that a run needs
 * are part of it. It is never taken from elsewhere, for V8 believes it.
 */
function compileWarm(ivm: typeof IsolatedVm, code: string, later: string) {
  const isolate = new ivm.Isolate({ memoryLimit: 8 });
  const context = isolate.createContextSync();
  const boot = isolate.compileScriptSync(code, { filename: GUEST }).runSync(context, { reference: true });
  const send = new ivm.Callback(() => true);
  const enter = boot.applySync(undefined, [send, later], { result: { reference: true } });
  enter.applySync(undefined, ["begin", JSON.stringify(WARM_RUN)]);
  isolate.compileScriptSync(WARM_CODE, { filename: WARM_RUN.filename }).runSync(context);
  enter.applySync(undefined, ["main"]);
  enter.applySync(undefined, ["replies", "[[1,1,1],[2,0,31]]", '1{"name":"Error","message":"none"}', 1]);
  enter.applySync(undefined, ["timer", 1, 2]);
  // The property is missing in the types of isolated-vm.
  const { cachedData } = isolate.compileScriptSync(code, {
    filename: GUEST,
    produceCachedData: true,
  }) as IsolatedVm.Script & IsolatedVm.CachedDataResult;
  isolate.dispose();
  return cachedData;
}

const WARM_RUN: GuestOptions = {
  filename: "warm.ts",
  tools: [["tools", ["one"]]],
  limits: DEFAULT_LIMITS,
  seed: "0".repeat(64),
  startedAt: 0,
};

/** Does what most snippets do. */
const WARM_CODE = `async function __nami__() {
  console.log("text", { a: 1 });
  const [one] = await Promise.all([tools.one({ a: [1] }), tools.one().catch(String)]);
  await sleep(1);
  return { one };
}`;

/** The file name of our own code. */
const GUEST = "nami:guest";

/** isolated-vm writes the place of a syntax error into its message: `Unexpected token ';' [snippet.ts:2:13]`. */
function syntaxError(text: string, filename: string): string {
  const [, name = "Error", message = text, line, column] =
    /^(\w+): (.*?)(?: \[[^[\]]*:(\d+):(\d+)\])?$/s.exec(text) ?? [];
  return JSON.stringify({ name, message, ...(line && { stack: `at ${filename}:${line}:${column}` }) });
}
