const NO_NETWORK = "There is no network; call a tool of the SDK.";
const NO_FILES = "There are no files; call a tool of the SDK.";
const NO_BROWSER = "This is no browser.";
const RETURN = "End with `return value`.";

/** Globals of other places that models reach for, and what to do here instead. What is taken out of the language is here too. */
export const MISSING_GLOBALS: ReadonlyMap<string, string> = new Map([
  ["fetch", NO_NETWORK],
  ["XMLHttpRequest", NO_NETWORK],
  ["WebSocket", NO_NETWORK],
  ["EventSource", NO_NETWORK],
  ["Request", NO_NETWORK],
  ["Response", NO_NETWORK],
  ["Headers", "There is no network; use a `Map`."],
  ["axios", NO_NETWORK],
  ["require", "There are no modules; the servers are globals already."],
  ["process", "There is no process and no environment; keys stay with the host."],
  ["Deno", "There is no runtime around the snippet; use the SDK."],
  ["Bun", "There is no runtime around the snippet; use the SDK."],
  ["Buffer", "Use `Uint8Array`, `TextEncoder`, `TextDecoder`, `atob` and `btoa`."],
  ["fs", NO_FILES],
  ["path", NO_FILES],
  ["__dirname", NO_FILES],
  ["__filename", NO_FILES],
  ["window", NO_BROWSER],
  ["document", NO_BROWSER],
  ["navigator", NO_BROWSER],
  ["Worker", "There are no threads; calls run at once with `Promise.all`."],
  ["Blob", "Use `Uint8Array` or text."],
  ["FormData", "Use `URLSearchParams` or a plain object."],
  ["localStorage", "Use `nami.store`."],
  ["sessionStorage", "Use `nami.store`."],
  ["Temporal", "Use `Date`."],
  ["module", RETURN],
  ["exports", RETURN],
  ["setImmediate", "Use `await sleep(0)`."],
  ["requestAnimationFrame", "Use `await sleep(ms)`."],
  ["WeakRef", "Keep the value itself; nothing outlives the run."],
  ["FinalizationRegistry", "Clean up with `try … finally`; nothing outlives the run."],
  ["SharedArrayBuffer", "There are no threads; use `ArrayBuffer`."],
  ["Atomics", "There are no threads; use plain variables."],
  ["WebAssembly", "Write it in JavaScript."],
  ["global", "Use `globalThis`."],
]);
