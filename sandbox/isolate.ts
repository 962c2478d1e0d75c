import type IsolatedVm from "isolated-vm";
import type { Engine, GuestMessage, Slice } from "./engine.ts";
import { readGuestCode } from "./guest-files.ts";

/**
 * The engine isolated-vm: each guest is a V8 isolate. `binary` is the path of its compiled code. This is the only file that
 * touches isolated-vm. Throws an Error when the binary cannot be loaded.
 *
 * The guest never gets an object of isolated-vm: a `Reference` leads to its constructor, from which more can be made, and
 * through one of them memory was corrupted (GHSA-864f-rcv7-6rh4). It gets one `Callback`, which is a plain function on its
 * side and takes and returns primitives; all else is called from here by references that stay here.
 */
export function loadIsolatedVm(binary: string): Engine {
  const addon: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
  process.dlopen(addon, binary);
  const { ivm } = addon.exports;
  if (ivm === undefined) throw new Error(`${binary} is not isolated-vm.`);
  const { code, later } = readGuestCode();
  // V8's compiled form of our own code, made here before any guest runs: a new isolate boots in 0.5 ms instead of 2.3.
  // It is never taken from elsewhere, for V8 believes it.
  const compiler = new ivm.Isolate({ memoryLimit: 8 });
  // The property is missing in the types of isolated-vm.
  const compiled = compiler.compileScriptSync(code, { filename: GUEST, produceCachedData: true }) as IsolatedVm.Script &
    IsolatedVm.CachedDataResult;
  const { cachedData } = compiled;
  compiler.dispose();

  const create: Engine["create"] = (memoryMb, onMessage) => {
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

    const slice = (run: () => unknown): Slice => {
      try {
        run();
        return { kind: "done" };
      } catch (error) {
        if (isolate.isDisposed) return { kind: "stopped", reason: "memory" };
        const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        if (text.startsWith("Error: Script execution timed out")) return { kind: "stopped", reason: "deadline" };
        return { kind: "rejected", text };
      }
    };
    const call = (left: number, ...args: (string | number)[]) =>
      slice(() => enter.applySync(undefined, args, { timeout: left }));

    return {
      start: (code, guest, left) => {
        // Runs before any code of the snippet is there, so it needs no time limit.
        enter.applySync(undefined, ["begin", JSON.stringify(guest)]);
        const evaluated = slice(() =>
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

/** The file name of our own code. */
const GUEST = "nami:guest";

/** isolated-vm writes the place of a syntax error into its message: `Unexpected token ';' [snippet.ts:2:13]`. */
function syntaxError(text: string, filename: string): string {
  const [, name = "Error", message = text, line, column] =
    /^(\w+): (.*?)(?: \[[^[\]]*:(\d+):(\d+)\])?$/s.exec(text) ?? [];
  return JSON.stringify({ name, message, ...(line && { stack: `at ${filename}:${line}:${column}` }) });
}
