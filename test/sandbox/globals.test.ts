import { expect, it } from "vitest";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

it("has ECMAScript, printing, timers, structuredClone and the tools, and nothing of the host", async () => {
  await using guest = openSandbox();
  const absent =
    "fetch require process module Buffer global WebAssembly SharedArrayBuffer Atomics WeakRef FinalizationRegistry";
  for (const name of absent.split(" ")) expect(await guest.value(`return typeof ${name}`), name).toBe("undefined");
  const present =
    "Promise Map Proxy Date console sleep setTimeout clearTimeout setInterval clearInterval queueMicrotask " +
    "structuredClone URL URLSearchParams TextEncoder TextDecoder atob btoa crypto performance Event EventTarget " +
    "AbortController AbortSignal DOMException ToolError notes nami";
  for (const name of present.split(" ")) expect(await guest.value(`return typeof ${name}`), name).not.toBe("undefined");
  expect(await guest.value("return typeof Intl !== 'undefined'")).toBe(EXPECTED.hasIntl);
  expect(await guest.value("return Reflect.ownKeys(nami)")).toEqual(["notes", "search", "describe", "log", "store"]);
});

it("puts only frozen things of ours on the global object", async () => {
  await using guest = openSandbox();
  const body = `
    const ours = ["console", "sleep", "setTimeout", "clearTimeout", "structuredClone", "ToolError", "notes", "nami", "performance", "crypto", "URL", "atob", "AbortSignal"];
    return ours.filter((name) => {
      const { writable, set, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
      const value = globalThis[name];
      const inner = typeof value === "object" ? Object.keys(value).map((key) => value[key]).filter((one) => typeof one === "function") : [];
      return writable || set || configurable || ![value, ...inner].every(Object.isFrozen);
    })`;
  expect(await guest.value(body)).toEqual([]);
});

it("has no way to import a module", async () => {
  await using guest = openSandbox();
  expect(await guest.value("return import('node:fs').then(() => 'imported', () => 'refused')")).toBe("refused");
});

it("refuses a namespace that would hide a global of the guest", async () => {
  await using guest = openSandbox();
  await expect(guest.run("", { tools: new Map([["console", ["log"]]]) })).rejects.toThrow("cannot be called console");
});

it("refuses a namespace that would hide what nami has beside the servers", async () => {
  await using guest = openSandbox();
  for (const namespace of ["search", "describe", "log", "store"]) {
    await expect(guest.run("", { tools: new Map([[namespace, ["log"]]]) })).rejects.toThrow(
      `cannot be called ${namespace}: nami.${namespace} is the guest's own`,
    );
  }
});

it("gives each member its function, names like __proto__ and constructor included", async () => {
  await using guest = openSandbox();
  const tools = new Map([["odd", ["__proto__", "constructor", "a-b"]]]);
  const body = "return [await odd['__proto__']({ n: 1 }), await odd.constructor({ n: 2 }), await odd['a-b']({ n: 3 })]";
  expect(await guest.value(body, { tools })).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

it("has the time zone of its host", async () => {
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "Asia/Tokyo";
    await using guest = openSandbox();
    expect(await guest.value("return new Date(0).getHours()")).toBe(9);
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});
