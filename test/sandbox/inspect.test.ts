import { inspect } from "node:util";
import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

/** Printed by both: Node's own `inspect`, as `console.log` calls it but two levels deeper, is the measure. */
const SAME = [
  "1",
  "-0",
  "NaN",
  "5n",
  "true",
  "null",
  "undefined",
  "Symbol('s')",
  "[]",
  "{}",
  "[1, 'a', null]",
  "[, 1, , , 2]",
  "new Array(3)",
  "[undefined, null]",
  "['it\\'s', 'say \"x\"', 'line\\nbreak', 'both \\' and \"']",
  "new Date(0)",
  "new Date(NaN)",
  "/x\\/y/gi",
  "() => 1",
  "function named() {}",
  "async () => 1",
  "async function later() {}",
  "function* gen() {}",
  "class A {}",
  "class B extends Map {}",
  "class {}",
  "Object.assign(() => 1, { a: 1 })",
  "new (class Point { x = 1 })()",
  "Object.create(null)",
  "Object.assign(Object.create(null), { a: 1 })",
  "new Map([['k', { a: 1 }], [1, new Set([2])]])",
  "new Set(['a', [1]])",
  "new Map()",
  "new Uint8Array([1, 2])",
  "new Float32Array(2)",
  "({ get a() { return 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} })",
  "({ [Symbol('k')]: 1, a: 2 })",
  "Object('x')",
  "Object(1)",
  "Object(false)",
  "Object(5n)",
  "Object(Symbol('q'))",
  "({ a: 'x'.repeat(30), b: 'y'.repeat(30), c: 'z'.repeat(30) })",
  "({ f() {}, g: class G {}, h: Math.max })",
  "({ a: undefined, b: [undefined] })",
  "({ a: [{ b: 1 }, { b: 2 }] })",
];

it("prints values as Node does", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run(SAME.map((one) => `console.log((() => (${one}))())`).join("\n"));
  expect(outcome).toMatchObject({ kind: "returned" });
  const here = SAME.map((one) => inspect(new Function(`return (${one})`)(), { depth: 4 }));
  expect(outcome.logs.map(({ text }, at) => [SAME[at], text])).toEqual(here.map((text, at) => [SAME[at], text]));
});

/** Where it differs on purpose: nobody can look again, so there is more depth, less layout and no state of promises. */
const OTHERWISE = [
  ["({ a: { b: { c: { d: 1 } } } })", "{ a: { b: { c: { d: 1 } } } }"],
  ["(() => { const a = {}; a.a = a; return a })()", "{ a: [Circular] }"],
  [
    "[{ a: 1, b: { c: [1, [2]] } }, 'short lines stay whole']",
    "[ { a: 1, b: { c: [ 1, [ 2 ] ] } }, 'short lines stay whole' ]",
  ],
  ["Promise.resolve(1)", "Promise {}"],
  ["new ArrayBuffer(2)", "ArrayBuffer { [Uint8Contents]: <00 00>, [byteLength]: 2 }"],
  ["new URL('http://h/?a=1')", "URL 'http://h/?a=1'"],
  ["new URLSearchParams('a=1')", "URLSearchParams 'a=1'"],
] as const;

it.each(OTHERWISE)("prints %s in a way of its own", async (expression, text) => {
  await using guest = openSandbox();
  expect((await guest.run(`console.log(${expression})`)).logs).toEqual([{ level: "log", text }]);
});

it("prints causes and collected errors, and no more of a chain than fits", async () => {
  await using guest = openSandbox();
  const { logs } = await guest.run(`
    console.log(new Error("top", { cause: new TypeError("under") }));
    console.log(new AggregateError([new Error("one"), 2], "many"));
    let e = new Error("end"); for (let i = 0; i < 10000; i++) e = new Error("link " + i, { cause: e }); console.log(e);`);
  const [chain, many, long] = logs.map(({ text }) => text);
  expect(chain).toMatch(/^Error: top\n.*\{\n {2}\[cause\]: TypeError: under\n/s);
  expect(many).toMatch(/^AggregateError: many\n.*\{\n {2}\[errors\]: \[\n {4}Error: one\n.*2\n/s);
  expect(long?.length).toBeLessThan(20_000);
});

it("prints a list of four thousand million holes at once", async () => {
  await using guest = openSandbox();
  const { logs } = await guest.run("const a = []; a.length = 2 ** 32 - 1; console.log(a); a[5] = 1; console.log(a)");
  expect(logs.map(({ text }) => text)).toEqual([
    "[ <4294967295 empty items> ]",
    "[ <5 empty items>, 1, <4294967289 empty items> ]",
  ]);
});
