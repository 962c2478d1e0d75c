import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const REFUSED = [
  ["'text'", "notes.read takes one object of arguments, not a string."],
  ["[1]", "notes.read takes one object of arguments, not an array."],
  ["null", "notes.read takes one object of arguments, not null."],
  ["new Date(0)", "notes.read takes one object of arguments."],
  ["{ a: { f() {} } }", "notes.read: the argument a.f is a function; only plain JSON values can be sent."],
  ["{ a: [1, 2n] }", "notes.read: the argument a[1] is a BigInt; only plain JSON values can be sent."],
  ["{ 'a b': NaN }", `notes.read: the argument ["a b"] is NaN; only plain JSON values can be sent.`],
  [
    "{ labels: new Set() }",
    "notes.read: the argument labels is a Set (send [...set]); only plain JSON values can be sent.",
  ],
  [
    "{ later: notes.read() }",
    "notes.read: the argument later is a promise that was not awaited; only plain JSON values can be sent.",
  ],
  [
    "(() => { const a = { x: [{}] }; a.x[0].y = a; return a })()",
    "notes.read: the argument x[0].y contains itself; only plain JSON values can be sent.",
  ],
  [
    "{ at: { when: new Date(NaN) } }",
    "notes.read: the argument at.when is an invalid Date; only plain JSON values can be sent.",
  ],
  ["{ n: [1, Infinity] }", "notes.read: the argument n[1] is Infinity; only plain JSON values can be sent."],
  ["{ get n() { return NaN } }", "notes.read: the argument n is NaN; only plain JSON values can be sent."],
  [
    "{ list: Object.defineProperty([], 0, { get: () => Symbol('x'), enumerable: true }) }",
    "notes.read: the argument list[0] is a symbol; only plain JSON values can be sent.",
  ],
  [
    "(() => { Object.prototype.toJSON = () => NaN; return { a: {} } })()",
    "notes.read: the argument object is NaN; only plain JSON values can be sent.",
  ],
  ["{ s: Symbol('x') }", "notes.read: the argument s is a symbol; only plain JSON values can be sent."],
  [
    "{ m: new Map() }",
    "notes.read: the argument m is a Map (send Object.fromEntries(map) or [...map]); only plain JSON values can be sent.",
  ],
  [
    "{ b: [new Uint8Array(2)] }",
    "notes.read: the argument b[0] is a Uint8Array (send base64 text or Array.from(bytes)); only plain JSON values can be sent.",
  ],
  [
    "{ b: new ArrayBuffer(2) }",
    "notes.read: the argument b is an ArrayBuffer (send base64 text or a list of numbers); only plain JSON values can be sent.",
  ],
  [
    "{ e: Object.assign(new Error('x'), { code: 1 }) }",
    "notes.read: the argument e is an Error (send its message); only plain JSON values can be sent.",
  ],
  ["{ r: /x/ }", "notes.read: the argument r is /x/ without plain data; only plain JSON values can be sent."],
  [
    "{ n: Object(1) }",
    "notes.read: the argument n is [Number: 1] without plain data; only plain JSON values can be sent.",
  ],
  [
    "{ items: [1, , 3] }",
    "notes.read: the argument items[1] is undefined, which a list cannot hold (send null or leave it out); only plain JSON values can be sent.",
  ],
  [
    "{ items: new Array(1e6) }",
    "notes.read: the argument items[0] is undefined, which a list cannot hold (send null or leave it out); only plain JSON values can be sent.",
  ],
  [
    "{ p: new Proxy(new Map([[1, 2]]), {}) }",
    "notes.read: the argument p is Map {} without plain data; only plain JSON values can be sent.",
  ],
] as const;

it.each(REFUSED)(
  "refuses the arguments %s with a TypeError that names the tool and the path",
  async (args, message) => {
    await using guest = openSandbox();
    const outcome = await guest.run(`await notes.read(${args})`);
    expect(outcome).toMatchObject({ kind: "threw", error: { name: "TypeError", message } });
  },
);

it("sends what JSON can hold: dates as text, the same object twice, undefined left out", async () => {
  await using guest = openSandbox();
  const body = "const o = { a: 1 }; return await notes.read({ at: new Date(0), one: o, two: [o], none: undefined })";
  expect(await guest.value(body)).toEqual({ at: "1970-01-01T00:00:00.000Z", one: { a: 1 }, two: [{ a: 1 }] });
});

it("gives undefined for a tool that is not there, inherited names included", async () => {
  await using guest = openSandbox();
  const body = "return ['nope', 'constructor', '__proto__', 'toString', 'then'].map((name) => typeof notes[name])";
  expect(await guest.value(body)).toEqual(Array(5).fill("undefined"));
});

it("takes what classes, getters, proxies and toJSON give, null prototypes, -0 and lone surrogates", async () => {
  await using guest = openSandbox();
  const body = `
    class Point { x = 1; #hidden = 2; method() {} get up() { return 3 } }
    const args = { point: new Point(), own: { get a() { return 1 } }, proxy: new Proxy({ p: [1] }, {}), bare: Object.assign(Object.create(null), { b: 1 }),
      custom: { toJSON() { return { c: 1 } } }, zero: -0, lone: "\\ud800x", url: new URL("http://h/"), [Symbol("s")]: 1 };
    return JSON.stringify(await notes.read(args))`;
  expect(JSON.parse(String(await guest.value(body)))).toEqual({
    ...{ point: { x: 1 }, own: { a: 1 }, proxy: { p: [1] }, bare: { b: 1 }, custom: { c: 1 }, zero: 0 },
    ...{ lone: "\ud800x", url: "http://h/" },
  });
});

it("reads each property of the arguments once", async () => {
  await using guest = openSandbox();
  const body = `
    let reads = 0;
    await notes.read({ a: { get b() { reads++; return 1 } }, list: Object.defineProperty([], 0, { get: () => ++reads, enumerable: true }) });
    return reads`;
  expect(await guest.value(body)).toBe(2);
});

it("sends an own __proto__ as data and pollutes nothing on the way", async () => {
  await using guest = openSandbox();
  const args: string[] = [];
  const call = async (made: { args: object }) => {
    args.push(JSON.stringify(made.args));
    return { kind: "value", json: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}' } as const;
  };
  const body = `const reply = await notes.read(JSON.parse('{"__proto__":{"polluted":1}}'));
    return [Object.keys(reply), {}.polluted === undefined, Object.getPrototypeOf(reply) === Object.prototype]`;
  expect(await guest.value(body, { call })).toEqual([["__proto__", "constructor"], true, true]);
  expect(args).toEqual(['{"__proto__":{"polluted":1}}']);
  expect({}).not.toHaveProperty("polluted");
});

it("sends as many levels as the limit says, and fails the call at one more", async () => {
  await using guest = openSandbox();
  const nest = (levels: number) =>
    `let a = {}; for (let i = 1; i < ${levels}; i++) a = i % 2 ? { a } : { a: [a] }; return await notes.read(a)`;
  const flat = (levels: number) =>
    `let a = {}; for (let i = 1; i < ${levels}; i++) a = { a }; return await notes.read(a)`;
  const limits = { nesting: 20 };
  const call = async () => ({ kind: "value" }) as const;
  expect(await guest.run(flat(20), { limits, call })).toMatchObject({ kind: "returned" });
  expect(await guest.run(flat(21), { limits, call })).toMatchObject({
    error: { name: "TypeError", message: expect.stringContaining("is nested more than 20 levels deep") },
  });
  const few = { nesting: 3 };
  expect(await guest.run(flat(3), { limits: few, call })).toMatchObject({ kind: "returned" });
  expect(await guest.run(flat(4), { limits: few, call })).toMatchObject({ error: { name: "TypeError" } });
  expect(await guest.run(nest(100_000), { call })).toMatchObject({ kind: "threw" });
});
