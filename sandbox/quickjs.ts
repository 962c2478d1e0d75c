import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Core from "quickjs-emscripten-core";
import type { Engine, Guest, GuestHandler, GuestMessage, Slice } from "./engine.ts";
import { type GuestCode, readGuestCode, readQuickJsPatch } from "./guest-files.ts";
import type { EngineFiles } from "./worker-setup.ts";

/**
 * The engine QuickJS, an interpreter in WebAssembly, for where isolated-vm has no binary. This is the only file that touches
 * quickjs-emscripten. Throws an Error when one of its files cannot be loaded.
 *
 * Each guest is a WebAssembly instance of its own, thrown away as a whole: a fault in the interpreter reaches no further
 * than the memory of its own run. That memory has a maximum, which is the limit of the heap: QuickJS's own count would leave
 * out what the host passes in.
 */
export function loadQuickJs({ core, variant, wasm, guest }: Extract<EngineFiles, { engine: "quickjs" }>): Engine {
  const require = createRequire(core);
  // The types are those of the same two packages.
  const { newQuickJSWASMModuleFromVariant, newVariant } = require(core) as typeof Core;
  const { default: base } = require(variant) as { default: Parameters<typeof newVariant>[0] & { type: "sync" } };
  const wasmModule = new WebAssembly.Module(readFileSync(wasm));
  const guestCode = readGuestCode(guest);
  const patch = readQuickJsPatch(guest);

  const create = async (memoryMb: number, onMessage: GuestHandler) => {
    const maximum = Math.min(MOST_PAGES, Math.max(INITIAL_PAGES, Math.ceil(memoryMb * PAGES_PER_MB)));
    const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
    const options = { wasmModule, wasmMemory } as Core.CustomizeVariantOptions;
    const module = await newQuickJSWASMModuleFromVariant(newVariant(base, options));
    const runtime = module.newRuntime({ maxStackSizeBytes: STACK_BYTES });
    // Memory grows in steps of a fifth, up to its maximum.
    const isFull = () => wasmMemory.buffer.byteLength > memoryMb * 2 ** 20 * 0.8;
    return startGuest(runtime, guestCode, patch, isFull, onMessage);
  };
  return { create };
}

function startGuest(
  runtime: Core.QuickJSRuntime,
  { code: guestCode, later }: GuestCode,
  patch: string,
  isFull: () => boolean,
  onMessage: GuestHandler,
): Guest {
  const context = runtime.newContext();
  let deadline = Number.POSITIVE_INFINITY;
  let expired = false;
  let outOfMemory = false;
  runtime.setInterruptHandler(() => {
    expired ||= performance.now() > deadline;
    return expired;
  });

  const call = (target: Core.QuickJSHandle, ...args: Core.QuickJSHandle[]) => {
    const result = context.callFunction(target, context.undefined, ...args);
    for (const arg of args) arg.dispose();
    return result;
  };
  const send = context.newFunction("send", (...args) => {
    try {
      // The prelude is the only caller, and it sends just these; the host checks what becomes of them.
      const message = args.map((arg) => toPrimitive(context, arg)) as unknown as GuestMessage;
      if (message[0] === "threw" && isOutOfMemory(message[1], isFull)) outOfMemory = true;
      else return fromPrimitive(context, onMessage(message));
    } catch {
      return context.false;
    }
  });
  const evaluate = (code: string) => context.unwrapResult(evaluateScript(context, code, GUEST));
  const patched = context.unwrapResult(call(evaluate(patch), send));
  const enter = context.unwrapResult(call(evaluate(guestCode), patched, context.newString(later)));

  /** Runs guest code and all promise jobs that follow from it. What QuickJS itself throws, such as a trap, is not caught. */
  const slice = (left: number, run: () => Result): Slice => {
    deadline = performance.now() + left;
    let text = problemOf(context, run());
    // A job that throws ends the others' turn.
    for (let more = true; more && !expired && !outOfMemory; ) {
      const jobs = runtime.executePendingJobs();
      more = jobs.error !== undefined;
      text ??= problemOf(context, jobs);
    }
    if (expired) return { kind: "stopped", reason: "deadline" };
    if (outOfMemory || text === OUT_OF_MEMORY) return { kind: "stopped", reason: "memory" };
    return text === undefined ? { kind: "done" } : { kind: "rejected", text };
  };
  const enterSlice = (left: number, ...args: (string | number)[]) =>
    slice(left, () => call(enter, ...args.map((arg) => fromPrimitive(context, arg))));

  return {
    start: (code, guest, left) => {
      // Runs before any code of the snippet is there, so it needs no time limit.
      deadline = Number.POSITIVE_INFINITY;
      const options = [context.newString("begin"), context.newString(JSON.stringify(guest))];
      context.unwrapResult(call(enter, ...options)).dispose();
      let syntaxError: string | undefined;
      const evaluated = slice(left, () => {
        const result = evaluateScript(context, code, guest.filename);
        if (result.error) syntaxError = describeError(context, result.error);
        return result;
      });
      if (evaluated.kind === "stopped") return evaluated;
      if (syntaxError === undefined) return enterSlice(left, "main");
      onMessage(["threw", syntaxError]);
      return { kind: "done" };
    },
    replies: (heads, bodies, at, left) => enterSlice(left, "replies", heads, bodies, at),
    timer: (id, at, left) => enterSlice(left, "timer", id, at),
    // The instance and its memory go with the last reference to them; taking the realm apart before would cost time.
    dispose: () => {},
  };
}

type Result = Core.DisposableResult<unknown, Core.QuickJSHandle>;

/** The file name of our own code. */
const GUEST = "nami:guest";

/** With `type`, the library does not look through the code for signs of a module. */
const evaluateScript = (context: Core.QuickJSContext, code: string, filename: string) =>
  context.evalCode(code, filename, { type: "global" });

/** What went wrong, as `name: message`, or undefined. */
function problemOf(context: Core.QuickJSContext, result: Result): string | undefined {
  try {
    if (!result.error) return undefined;
    const { name, message } = readError(context, result.error);
    return `${name}: ${message}`;
  } finally {
    result.dispose();
  }
}

/** The JSON text of a GuestError. QuickJS puts the place of a syntax error on the stack: `    at snippet.ts:2:13`. */
function describeError(context: Core.QuickJSContext, error: Core.QuickJSHandle): string {
  const { name, message, stack } = readError(context, error);
  return JSON.stringify({ name, message, stack });
}

/** Reading may run the snippet's code, within the time of the slice. */
function readError(context: Core.QuickJSContext, error: Core.QuickJSHandle) {
  const read = (key: string) => {
    using property = context.getProp(error, key);
    return context.typeof(property) === "string" ? context.getString(property) : undefined;
  };
  const kind = context.typeof(error);
  if (kind === "string") return { name: "Error", message: context.getString(error) };
  if (kind !== "object") return { name: "Error", message: kind };
  return { name: read("name") ?? "Error", message: read("message") ?? "", stack: read("stack") };
}

/**
 * A catchable error in QuickJS; with no memory for an error either, it throws null. A snippet that fails with one of these,
 * or with what looks like it, is stopped for its memory.
 */
const OUT_OF_MEMORY = "InternalError: out of memory";
const isOutOfMemory = (error: string, isFull: () => boolean): boolean =>
  error.startsWith('{"name":"InternalError","message":"out of memory"') ||
  (error.startsWith('{"name":"Error","message":"null"') && isFull());

function toPrimitive(context: Core.QuickJSContext, handle: Core.QuickJSHandle): string | number | boolean | undefined {
  switch (context.typeof(handle)) {
    case "string":
      return context.getString(handle);
    case "number":
      return context.getNumber(handle);
    case "boolean":
      return context.sameValue(handle, context.true);
    default:
      return undefined;
  }
}

function fromPrimitive(context: Core.QuickJSContext, value: string | number | boolean | undefined): Core.QuickJSHandle {
  if (typeof value === "string") return context.newString(value);
  if (typeof value === "number") return context.newNumber(value);
  return value === undefined ? context.undefined : value ? context.true : context.false;
}

// The global is in no library that this project includes.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
};

const PAGES_PER_MB = 16;
/** What the build begins with, 16 MB, and the most that it can have, 2 GB. */
const INITIAL_PAGES = 256;
const MOST_PAGES = 32_768;
/**
 * Bytes of WebAssembly's own stack: 3,000 calls deep. V8's stack, which grows beside it up to 12 times as fast, is made large
 * enough by `--stack-size`, but on Windows, where a process has 1 MB.
 */
const STACK_BYTES = (process.platform === "win32" ? 128 : 512) * 1024;
