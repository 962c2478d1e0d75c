import { expect, it } from "vitest";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

it("gives what a snippet returned as JSON text", async () => {
  await using guest = openSandbox();
  expect(await guest.run("return { a: [1, 'é', null] }")).toMatchObject({
    kind: "returned",
    json: '{"a":[1,"é",null]}',
  });
  expect(await guest.run("")).toMatchObject({ kind: "returned", json: undefined, calls: 0, unawaited: 0, logs: [] });
});

it("shows maps, sets, errors, BigInts and cycles in a result rather than losing them", async () => {
  await using guest = openSandbox();
  expect(
    await guest.value(`
      const result = { byName: new Map([["a", 1]]), pairs: new Map([[1, 2]]), set: new Set([3]), big: 5n, e: new TypeError("x") };
      result.self = result;
      result.byName.set("loop", result.byName);
      return result;`),
  ).toEqual({
    byName: { a: 1, loop: "[Circular]" },
    pairs: [[1, 2]],
    set: [3],
    big: "5",
    e: { name: "TypeError", message: "x" },
    self: "[Circular]",
  });
});

it("shows typed arrays and iterators in a result as lists, and an endless one up to a limit", async () => {
  await using guest = openSandbox();
  expect(
    await guest.value(`
      const map = new Map([["a", 1], ["b", 2]]);
      function* count() { yield 1; yield { deep: map.keys() }; }
      return { bytes: new Uint8Array([1, 2]), values: map.values(), doubled: [1, 2].values().map((n) => n * 2), made: count() };`),
  ).toEqual({ bytes: [1, 2], values: [1, 2], doubled: [2, 4], made: [1, { deep: ["a", "b"] }] });
  expect(await guest.value("return (function* () { for (let n = 0; ; n++) yield n })()")).toHaveLength(100_000);
});

it("keeps an own __proto__ of a result as data", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run(`return JSON.parse('{"__proto__":{"polluted":1}}')`);
  expect(outcome).toMatchObject({ json: '{"__proto__":{"polluted":1}}' });
  expect({}).not.toHaveProperty("polluted");
});

it("starts every run in a fresh realm", async () => {
  await using guest = openSandbox();
  await guest.run("globalThis.left = 1; Array.prototype.left = 1;");
  expect(await guest.value("return [typeof left, [].left === undefined]")).toEqual(["undefined", true]);
});

it("shows everything else in a result as it is printed, and leaves out only what it says", async () => {
  await using guest = openSandbox();
  const body = `
    return { f() {}, list: [() => 1, Symbol("s"), undefined, NaN], re: /x/g, later: sleep(1), buffer: new ArrayBuffer(2), weak: new WeakMap(), bad: new Date(NaN),
      params: new URLSearchParams("a=1 2"), url: new URL("http://h"), symbol: Symbol("s"), none: undefined, zero: -0, boxed: Object(1), sparse: [, 1],
      error: new Error("top", { cause: new TypeError("under") }), many: new AggregateError([new Error("one")], "many"), big: { n: 10n } }`;
  expect(await guest.value(body)).toEqual({
    f: "[Function: f]",
    list: ["[Function (anonymous)]", null, null, null],
    re: "/x/g",
    later: "[a promise that was not awaited]",
    buffer: [0, 0],
    weak: "WeakMap {}",
    bad: null,
    params: "a=1+2",
    url: "http://h/",
    zero: 0,
    boxed: 1,
    sparse: [null, 1],
    error: { name: "Error", message: "top", cause: { name: "TypeError", message: "under" } },
    many: { name: "AggregateError", message: "many", errors: [{ name: "Error", message: "one" }] },
    big: { n: "10" },
  });
  expect(await guest.value("return Symbol('alone')")).toBe("Symbol(alone)");
  expect(await guest.value("return () => 1")).toBe("[Function (anonymous)]");
});

it("lets a snippet's own toJSON of a built-in stand", async () => {
  await using guest = openSandbox();
  const body = "BigInt.prototype.toJSON = function () { return Number(this) }; return [5n, new Map([['a', 1]])]";
  expect(await guest.value(body)).toEqual([5, { a: 1 }]);
});

it("takes a result of as many levels as the limit says, and throws at one more", async () => {
  await using guest = openSandbox();
  const nest = (levels: number) => `let a = []; for (let i = 1; i < ${levels}; i++) a = [a]; return a`;
  const limits = { nesting: 20 };
  expect(await guest.run(nest(20), { limits })).toMatchObject({ kind: "returned" });
  const tooDeep = {
    kind: "threw",
    error: { name: "RangeError", message: expect.stringContaining("more than 20 levels") },
  };
  expect(await guest.run(nest(21), { limits })).toMatchObject(tooDeep);
  const endless = await guest.run(nest(100_000), { limits: { ...limits, wallMs: 5000 } });
  expect(endless).toMatchObject(EXPECTED.endlessResult);
});

it("shows what holds itself, what is behind frozen prototypes, and each iterator once", async () => {
  await using guest = openSandbox();
  const loops = [
    "const m = new Map(); m.set('m', m); return m",
    "const s = new Set(); s.add(s); return [s]",
    "const e = new Error('x'); e.cause = e; return e",
    "const a = new Error('a'), b = new Error('b', { cause: a }); a.cause = b; return { a }",
  ];
  const began = performance.now();
  for (const body of loops) {
    const outcome = await guest.run(body);
    expect(outcome).toMatchObject({ kind: "returned", json: expect.stringContaining("[Circular]") });
  }
  // A hang guard: one of them took ten seconds.
  expect(performance.now() - began).toBeLessThan(5000);
  const drained = "const o = { it: new Map([[1, 2]]).values() }; o.self = o; return o";
  expect(await guest.value(drained)).toEqual({ it: [2], self: "[Circular]" });
  const frozen = `for (const type of [Map, Set, Error]) Object.freeze(type.prototype);
    return { m: new Map([["a", 1]]), s: new Set([1]), e: new Error("x") }`;
  expect(await guest.value(frozen)).toEqual({ m: { a: 1 }, s: [1], e: { name: "Error", message: "x" } });
});
