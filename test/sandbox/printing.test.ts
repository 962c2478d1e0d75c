import { format as formatNode } from "node:util";
import { expect, it } from "vitest";
import type { LogLine } from "../../sandbox/index.ts";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

const printed = async (body: string): Promise<string[]> => {
  await using guest = openSandbox();
  return (await guest.run(body)).logs.map(({ text }) => text);
};

it("prints about as Node does", async () => {
  expect(
    await printed(`
      console.log("text", 1, -0, null, undefined, true, 5n, Symbol("s"));
      console.log({ a: [1, "it's", { b: new Map([["k", new Set([1])]]) }], "a-b": () => 1, get g() { return 1 } });
      console.log("%s is %d%% of %j", "x", 5, { y: 1 }, "rest");
      console.log([new Date(0), /x/g, [], {}, class A {}, new (class Point { x = 1 })(), new Uint8Array(2)]);
      const loop = {}; loop.loop = loop; console.log(loop);
      console.log({ a: { b: { c: { d: { e: { f: 1 } } } } } });
      console.log(Array.from({ length: 102 }, () => 0).slice(0, 3), Object.create(null), "");
    `),
  ).toEqual([
    "text 1 -0 null undefined true 5n Symbol(s)",
    `{
  a: [ 1, "it's", { b: Map(1) { 'k' => Set(1) { 1 } } } ],
  'a-b': [Function: a-b],
  g: [Getter]
}`,
    `x is 5% of {"y":1} rest`,
    `[
  1970-01-01T00:00:00.000Z,
  /x/g,
  [],
  {},
  [class A],
  Point { x: 1 },
  Uint8Array(2) [ 0, 0 ]
]`,
    "{ loop: [Circular] }",
    "{ a: { b: { c: { d: { e: [Object] } } } } }",
    "[ 0, 0, 0 ] [Object: null prototype] {} ",
  ]);
});

it("prints errors with the snippet's frames and their own properties", async () => {
  expect(await printed(`console.error(Object.assign(new RangeError("far"), { code: 7 }))`)).toEqual([
    `RangeError: far\n    at __nami__ (snippet.ts:1:${EXPECTED.columns.printed}) { code: 7 }`,
  ]);
});

it("prints something for what cannot be read", async () => {
  const proxy = "new Proxy({}, { ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } })";
  expect(await printed(`console.log("a", ${proxy})`)).toEqual(["a [unprintable]"]);
});

it("tells each line as it is printed, with its level", async () => {
  await using guest = openSandbox();
  const lines: LogLine[] = [];
  let before = -1;
  const call = async () => {
    before = lines.length;
    return { kind: "value" } as const;
  };
  await guest.run("console.info('one'); await notes.read(); console.warn('two')", {
    call,
    onLog: (l) => lines.push(l),
  });
  expect(before).toBe(1);
  expect(lines).toEqual([
    { level: "info", text: "one" },
    { level: "warn", text: "two" },
  ]);
});

it("keeps what was printed before a loop that never ends", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run("console.log('here'); while (true) {}", { limits: { wallMs: 200 } });
  expect(outcome).toMatchObject({ kind: "stopped", logs: [{ level: "log", text: "here" }] });
});

it("has the rest of a console", async () => {
  await using guest = openSandbox();
  const body = `
    console.dir({ a: 1 }, { depth: 0 }); console.table([{ a: 1 }]); console.trace("here", 1);
    console.group("head"); console.group(); console.log("in\\nside"); console.groupEnd(); console.groupEnd(); console.groupEnd();
    console.time("t"); console.timeEnd("t"); console.timeEnd("t"); console.count(); console.count("c"); console.count(); console.countReset(); console.count();
    console.assert(true, "fine"); console.assert(false); console.assert(0, "%s is bad", "x"); console.assert(null, { a: 1 });
    return Object.keys(console).every((name) => Object.isFrozen(console[name])) && Object.isFrozen(console);`;
  const outcome = await guest.run(body);
  expect(outcome).toMatchObject({ kind: "returned" });
  expect(outcome.logs).toEqual([
    { level: "log", text: "{ a: 1 }" },
    {
      level: "log",
      text: "┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘",
    },
    { level: "debug", text: `Trace: here 1\n    at __nami__ (snippet.ts:2:${EXPECTED.columns.traced})` },
    { level: "log", text: "head" },
    { level: "log", text: "    in\n    side" },
    { level: "log", text: expect.stringMatching(/^t: \d+ms$/) },
    { level: "warn", text: "No such label 't' for console.timeEnd()" },
    ...["default: 1", "c: 1", "default: 2", "default: 1"].map((text) => ({ level: "log", text })),
    { level: "error", text: "Assertion failed" },
    { level: "error", text: "Assertion failed: x is bad" },
    { level: "error", text: "Assertion failed: { a: 1 }" },
  ]);
});

it("fills in numbers as Node does", async () => {
  await using guest = openSandbox();
  const args = [
    ["%d %i %i %f", 3n, "42.9px", -1.5, "1.5abc"],
    ["%d %d %d", "0x10", {}, -0],
    ["%i %f", {}, []],
  ];
  const print = (list: readonly unknown[]) =>
    list.map((arg) => (typeof arg === "bigint" ? `${arg}n` : Object.is(arg, -0) ? "-0" : JSON.stringify(arg))).join();
  const outcome = await guest.run(args.map((list) => `console.log(${print(list)});`).join(""));
  expect(outcome.logs.map(({ text }) => text)).toEqual(args.map((list) => formatNode(...list)));
});

it("prints a long chain of causes as far as it is read", async () => {
  await using guest = openSandbox();
  const { logs } = await guest.run(
    "let e = new Error('first'); for (let i = 0; i < 2000; i++) e = new Error('m' + i, { cause: e }); console.log(e)",
  );
  expect(logs[0]?.text).toContain("Error: m1999");
  expect(logs[0]?.text).toContain("[cause]: Error: m1998");
});
