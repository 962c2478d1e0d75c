import type { GuestOptions } from "./frames.ts";

/**
 * What a worker needs of a JavaScript engine. `isolate.ts` and `quickjs.ts` are the two that there are; each is the only
 * file that touches its library. Either way the snippet gets no object of the host: one function leads out, it takes and
 * returns primitives, and everything else is called from outside by references that stay there.
 */
export interface Engine {
  /** Makes a fresh guest with the prelude in it: a realm, a heap and, with QuickJS, a WebAssembly instance of its own. */
  create(memoryMb: number, onMessage: GuestHandler): Guest | Promise<Guest>;
}

/** Runs one snippet. Each method runs guest code on this thread, for at most `left` milliseconds; `at` is the time in the guest. */
export interface Guest {
  /** Evaluates the code and calls `__nami__`. A syntax error comes back as a message of the guest. */
  start(code: string, guest: GuestOptions, left: number): Slice;
  replies(heads: string, bodies: string, at: number, left: number): Slice;
  timer(id: number, at: number, left: number): Slice;
  dispose(): void;
}

/** How a stretch of guest code ended; that it was "cpu" is for the worker to say. `rejected`: it went well, but nothing awaited a promise that was rejected. */
export type Slice =
  | { readonly kind: "done" }
  | { readonly kind: "rejected"; readonly text: string }
  | { readonly kind: "stopped"; readonly reason: "deadline" | "memory" | "cpu" };

/** Takes what the guest says; for a log line, says whether there is room for more. */
export type GuestHandler = (message: GuestMessage) => boolean | undefined;

/** What the guest says through its one way out. Only the prelude can say it. */
export type GuestMessage =
  | readonly ["calls", heads: string, bodies: string, count: number]
  | readonly ["log", level: string, text: string]
  | readonly ["timer", id: number, ms: number]
  | readonly ["cancel", id: number]
  | readonly ["cancel-call", sequence: number]
  | readonly ["warning", text: string]
  | readonly ["returned", json: string | undefined]
  | readonly ["threw", error: string]
  | readonly ["oversize", length: number];
