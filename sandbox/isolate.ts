import { readFileSync } from "node:fs";
import type IsolatedVm from "isolated-vm";
import type { GuestOptions } from "./frames.ts";

/** What the guest says through its one way out. Only the prelude can say it. */
export type GuestMessage =
  | readonly ["calls", heads: string, bodies: string, count: number]
  | readonly ["log", level: string, text: string]
  | readonly ["timer", id: number, ms: number]
  | readonly ["cancel", id: number]
  | readonly ["warning", text: string]
  | readonly ["returned", json: string | undefined]
  | readonly ["threw", error: string]
  | readonly ["oversize", length: number];

/** An isolate that runs one snippet. Each method runs guest code on this thread, for at most `left` milliseconds. */
export interface GuestIsolate {
  readonly memoryMb: number;
  /** Evaluates the code and calls `__nami__`. A syntax error comes back as a message of the guest. */
  start(code: string, guest: GuestOptions, left: number): Slice;
  replies(heads: string, bodies: string, left: number): Slice;
  timer(id: number, left: number): Slice;
  dispose(): void;
}

/** How a stretch of guest code ended. `rejected`: it went well, but nothing awaited a promise that was rejected. */
export type Slice =
  | { readonly kind: "done" }
  | { readonly kind: "rejected"; readonly text: string }
  | { readonly kind: "stopped"; readonly reason: "deadline" | "memory" };

/**
 * Loads isolated-vm and returns what makes isolates. This is the only file that touches isolated-vm.
 *
 * The guest never gets an object of isolated-vm: a `Reference` leads to its constructor, from which more can be made, and
 * through one of them memory was corrupted (GHSA-864f-rcv7-6rh4). It gets one `Callback`, which is a plain function on its
 * side and takes and returns primitives; all else is called from here by references that stay here.
 */
export function loadIsolates(binary: string): (memoryMb: number, onMessage: GuestHandler) => GuestIsolate {
  const addon: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
  process.dlopen(addon, binary);
  const { ivm } = addon.exports;
  if (ivm === undefined) throw new Error(`${binary} is not isolated-vm.`);
  const [prelude, ...makers] = GUEST_FILES.map(readGuestFile);

  return (memoryMb, onMessage) => {
    // No `onCatastrophicError`: with it, an isolate that is out of memory would put this thread to sleep for ever. Without
    // it the process aborts, and the host sees that at once.
    const isolate = new ivm.Isolate({ memoryLimit: memoryMb });
    const context = isolate.createContextSync();
    const evaluate = (file: GuestFile | undefined) =>
      context.evalSync(file?.code ?? "", { reference: true, filename: `nami:${file?.name}` });
    const send = new ivm.Callback((...message: unknown[]) => {
      try {
        // The prelude is the only caller, and it sends just these; the host checks what becomes of them.
        return onMessage(message as unknown as GuestMessage);
      } catch {
        return false;
      }
    });
    const parts = makers.map((file) => evaluate(file).derefInto());
    const enter = evaluate(prelude).applySync(undefined, [send, ...parts], { result: { reference: true } });

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
      memoryMb,
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
      replies: (heads, bodies, left) => call(left, "replies", heads, bodies),
      timer: (id, left) => call(left, "timer", id),
      dispose: () => {
        enter.release();
        context.release();
        if (!isolate.isDisposed) isolate.dispose();
      },
    };
  };
}

/** Takes what the guest says; for a log line, says whether there is room for more. */
export type GuestHandler = (message: GuestMessage) => boolean | undefined;

interface GuestFile {
  readonly name: string;
  readonly code: string;
}

/** The prelude, and what it is given, in the order of its parameters. */
const GUEST_FILES = ["prelude", "format", "json", "clone", "timers"];

const readGuestFile = (name: string): GuestFile => ({
  name,
  code: readFileSync(new URL(`./guest/${name}.js`, import.meta.url), "utf8"),
});

/** isolated-vm writes the place of a syntax error into its message: `Unexpected token ';' [snippet.ts:2:13]`. */
function syntaxError(text: string, filename: string): string {
  const [, name = "Error", message = text, line, column] =
    /^(\w+): (.*?)(?: \[[^[\]]*:(\d+):(\d+)\])?$/s.exec(text) ?? [];
  return JSON.stringify({ name, message, ...(line && { stack: `at ${filename}:${line}:${column}` }) });
}
