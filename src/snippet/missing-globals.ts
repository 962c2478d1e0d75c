const NO_NETWORK = "There is no network; call a tool of the SDK.";
const NO_FILES = "There are no files; call a tool of the SDK.";
const NO_BROWSER = "This is no browser.";
const RETURN = "End with `return value`.";
const USE_SLEEP = "Use a loop with `await sleep(ms)`.";
const NO_URL = "Build the text yourself; `encodeURIComponent` exists.";

/** Globals of other places that models reach for, and what to do here instead. */
export const MISSING_GLOBALS: ReadonlyMap<string, string> = new Map([
  ["fetch", NO_NETWORK],
  ["XMLHttpRequest", NO_NETWORK],
  ["WebSocket", NO_NETWORK],
  ["axios", NO_NETWORK],
  ["require", "There are no modules; the servers are globals already."],
  ["process", "There is no process and no environment; keys stay with the host."],
  ["Deno", "There is no runtime around the snippet; use the SDK."],
  ["Bun", "There is no runtime around the snippet; use the SDK."],
  ["Buffer", "Use `Uint8Array` or text."],
  ["fs", NO_FILES],
  ["path", NO_FILES],
  ["__dirname", NO_FILES],
  ["__filename", NO_FILES],
  ["window", NO_BROWSER],
  ["document", NO_BROWSER],
  ["localStorage", "Return what should be kept."],
  ["sessionStorage", "Return what should be kept."],
  ["module", RETURN],
  ["exports", RETURN],
  ["setInterval", USE_SLEEP],
  ["clearInterval", USE_SLEEP],
  ["setImmediate", "Use `await sleep(0)`."],
  ["queueMicrotask", "Use `await sleep(0)`."],
  ["requestAnimationFrame", "Use `await sleep(ms)`."],
  ["performance", "Use `Date.now()`."],
  ["URL", NO_URL],
  ["URLSearchParams", NO_URL],
  ["crypto", "There is no cryptography; `Math.random()` makes an id."],
  ["TextEncoder", "Keep data as text."],
  ["TextDecoder", "Keep data as text."],
  ["atob", "Decode base64 with your own loop."],
  ["btoa", "Encode base64 with your own loop."],
  ["WeakRef", "Keep the value itself; nothing outlives the run."],
  ["FinalizationRegistry", "Clean up with `try … finally`; nothing outlives the run."],
  ["SharedArrayBuffer", "There are no threads; use `ArrayBuffer`."],
  ["Atomics", "There are no threads; use plain variables."],
  ["WebAssembly", "Write it in JavaScript."],
  ["global", "Use `globalThis`."],
]);
