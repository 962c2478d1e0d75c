import { expect, it } from "vitest";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

const PATCHES = [
  ["JSON", "JSON.stringify = JSON.parse = () => { throw new Error('patched') }"],
  ["Promise", "Promise.prototype.then = function () { throw new Error('patched') }"],
  [
    "the species of promises",
    "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('patched') } })",
  ],
  [
    "the constructor of promises",
    "Promise.prototype.constructor = class { constructor() { throw new Error('patched') } }",
  ],
  ["iteration of arrays", "Array.prototype[Symbol.iterator] = () => { throw new Error('patched') }"],
  [
    "methods of arrays",
    "for (const name of ['push', 'map', 'join', 'forEach']) Array.prototype[name] = () => { throw 1 }",
  ],
  [
    "items of arrays",
    "for (let i = 0; i < 9; i++) Object.defineProperty(Array.prototype, i, { set() { throw new Error('patched') }, get() { return 'bad' } })",
  ],
  [
    "maps",
    "for (const name of ['get', 'set', 'delete', 'has']) Map.prototype[name] = () => { throw new Error('patched') }",
  ],
  ["strings", "for (const name of ['slice', 'indexOf', 'includes']) String.prototype[name] = () => 'bad'"],
  ["toJSON of everything", "String.prototype.toJSON = Number.prototype.toJSON = () => 'bad'"],
  [
    "property descriptors",
    "Object.prototype.get = Object.prototype.set = () => 'bad'; Object.prototype.writable = true",
  ],
  [
    "the call of functions",
    "Function.prototype.call = Function.prototype.apply = () => { throw new Error('patched') }",
  ],
  ["regular expressions", "RegExp.prototype.exec = RegExp.prototype.test = () => { throw new Error('patched') }"],
  ["stacks", "Error.stackTraceLimit = 0; try { Error.prepareStackTrace = () => { throw 1 } } catch {}"],
] as const;

/** Whether the engine itself can work beside the patch: see the table of differences. */
const isBorne = (what: string) => EXPECTED.bearsItemSetters || what !== "items of arrays";

it.each(PATCHES.filter(([what]) => isBorne(what)))("works for a snippet that patches %s", async (_, patch) => {
  await using guest = openSandbox();
  const body = `${patch};
    const reply = await notes.read({ a: 1, b: ["x"] });
    console.log("printed", 1);
    await sleep(1);
    return reply;`;
  const call = async () => ({ kind: "value", json: '{"a":1,"b":["x"]}' }) as const;
  expect(await guest.run(body, { call })).toMatchObject({
    kind: "returned",
    json: '{"a":1,"b":["x"]}',
    calls: 1,
    logs: [{ text: "printed 1" }],
  });
});

const NULLED = "Array.prototype[Symbol.iterator] = null; JSON.stringify = null; Object.defineProperty = null";

const FAILING = [["what builds objects", NULLED] as const, ...PATCHES.filter(([what]) => isBorne(what))] as const;

it.each(FAILING)("fails a call properly for a snippet that patches %s", async (_, patch) => {
  await using guest = openSandbox();
  const error = { name: "ToolError", message: "no" };
  expect(
    await guest.run(`${patch}; await notes.read()`, { call: async () => ({ kind: "error", error }) }),
  ).toMatchObject({
    kind: "threw",
    error: { ...error, tool: "notes.read" },
  });
});

it.skipIf(EXPECTED.bearsItemSetters)("ends a snippet at once whose patch the engine itself cannot bear", async () => {
  await using guest = openSandbox();
  const patch = PATCHES.find(([what]) => !isBorne(what))?.[1];
  const outcome = await guest.run(`${patch}; return await notes.read({ a: 1 })`, { limits: { wallMs: 20_000 } });
  expect(outcome).toMatchObject({ kind: "threw", error: { message: "An error that cannot be read." } });
  expect(await guest.value("return 1")).toBe(1);
});

it.skipIf(!EXPECTED.bearsItemSetters)(
  "sees no more of our runtime through a patched prototype than the snippet's own values",
  async () => {
    await using guest = openSandbox();
    const body = `
    const seen = [];
    for (const key of ["resolve", "reject", "tool", "send", "frames", "0", "1"]) {
      Object.defineProperty(Object.prototype, key, { set(value) { seen.push(key) }, configurable: true });
      Object.defineProperty(Array.prototype, key, { set(value) { seen.push(key) }, configurable: true });
    }
    await Promise.resolve();
    await notes.read({});
    console.log({}, new Error("x"));
    return seen.length`;
    const outcome = await guest.run(body);
    expect(outcome).toMatchObject({ kind: "returned", json: "0" });
  },
);
