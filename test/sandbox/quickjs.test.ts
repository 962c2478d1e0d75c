import { expect, it } from "vitest";
import { findEngine } from "../../sandbox/find-engine.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import { loadQuickJs } from "../../sandbox/quickjs.ts";
import { openSandbox } from "./run-snippet.ts";

const open = () => openSandbox(1, { engine: "quickjs" });

it("runs a snippet with calls, timers and printing, line by line as on isolated-vm", async () => {
  await using guest = open();
  const body = `
    const replies = await Promise.all([1, 2, 3].map((id) => notes.read({ id })));
    await sleep(1);
    console.log("%s replies", replies.length, { last: replies.at(-1) });
    return replies;`;
  expect(await guest.run(body)).toMatchObject({
    kind: "returned",
    json: '[{"id":1},{"id":2},{"id":3}]',
    calls: 3,
    logs: [{ level: "log", text: "3 replies { last: { id: 3 } }" }],
  });
});

const HAZARDS = [
  ["a loop", "while (true) {}", "deadline"],
  ["a storm of microtasks", "for (;;) await 0", "deadline"],
  ["a loop in a timer", "await sleep(1); while (true) {}", "deadline"],
  ["a loop that catches its interruption", "for (;;) try { for (;;); } catch {} finally { for (;;); }", "deadline"],
  ["a promise that never settles", "await new Promise(() => {})", "deadline"],
  ["a slow regular expression", "/^(a+)+$/.test('a'.repeat(40) + 'b')", "deadline"],
  ["native code that is not interrupted", "const a = []; a.length = 2 ** 32 - 1; a.indexOf(1)", "deadline"],
  ["too many small objects", "const all = []; for (;;) all.push({ n: all.length })", "memory"],
  ["long strings", "const all = []; for (;;) all.push('x'.repeat(1e6 + all.length))", "memory"],
] as const;

it.each(HAZARDS)("stops %s, and the next run works", async (_, body, reason) => {
  await using guest = open();
  const wallMs = reason === "deadline" ? 300 : 30_000;
  expect(await guest.run(body, { limits: { wallMs } })).toMatchObject({ kind: "stopped", reason });
  expect(await guest.value("return 1")).toBe(1);
});

it("lets a snippet catch a stack that is too deep", async () => {
  await using guest = open();
  const bodies = [
    "(function f() { f() })()",
    "JSON.parse('['.repeat(5e6))",
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a)",
  ];
  for (const body of bodies) {
    expect(await guest.value(`try { ${body} } catch (error) { return error.message }`)).toBe("stack overflow");
  }
});

it("has the language of the type check, but for Intl", async () => {
  await using guest = open();
  const body = `return {
    iterators: [1, 2].values().map((n) => n * 2).toArray(), sets: [...new Set([1]).union(new Set([2]))],
    groups: Object.keys(Object.groupBy([1, 2], (n) => (n > 1 ? "b" : "a"))), resolvers: typeof Promise.withResolvers,
    promises: typeof Promise.try, async: await Array.fromAsync([1, Promise.resolve(2)], (n) => n + 1),
    asyncLike: await Array.fromAsync({ length: 2, 0: 1, 1: Promise.resolve(3) }),
    v: /[\\p{L}--[a-z]]/v.test("A"), names: "b".match(/(?<n>a)|(?<n>b)/).groups.n, flags: /(?i:a)/.test("A"),
    escaped: typeof RegExp.escape, formed: "a".isWellFormed(), sorted: [2, 1].toSorted(), errors: Error.isError?.(new Error()),
  }`;
  expect(await guest.value(body)).toEqual({
    iterators: [2, 4],
    sets: [1, 2],
    groups: ["a", "b"],
    resolvers: "function",
    promises: "function",
    async: [2, 3],
    asyncLike: [1, 3],
    v: true,
    names: "b",
    flags: true,
    escaped: "function",
    formed: true,
    sorted: [1, 2],
    errors: true,
  });
});

it("keeps text whole on its way in and out, but for NUL, which is shown", async () => {
  await using guest = open();
  const text = "é😀\u2028\ufeff";
  expect(await guest.value(`return (await notes.read({ text: ${JSON.stringify(text)} })).text + "\\0\\ud800"`)).toBe(
    `${text}\0\ud800`,
  );
  expect((await guest.run('console.log("a\\0b")')).logs).toEqual([{ level: "log", text: "a\u2400b" }]);
});

it("starts each run with a memory of its own", async () => {
  await using guest = open();
  await guest.run("globalThis.left = 1; Array.prototype.left = 1; JSON.stringify = null");
  expect(await guest.value("return [typeof left, [].left === undefined, typeof JSON.stringify]")).toEqual([
    "undefined",
    true,
    "function",
  ]);
});

it("shows no path of the host in a stack, though frames of our own code in it", async () => {
  await using guest = open();
  const body = `
    const stacks = [];
    for (const f of [() => new URL("x"), () => structuredClone(f), () => null.x, () => notes.read(1), () => import("node:fs")]) {
      try { await f() } catch (error) { stacks.push(error.stack) }
    }
    return stacks.join("")`;
  const places = String(await guest.value(body)).match(/\((.*?)\)/g) ?? [];
  expect(places.length).toBeGreaterThan(5);
  expect(
    places.filter((place) => !/^\((snippet\.ts:\d+:\d+|nami:guest:\d+:\d+|<input>:\d+:\d+|native)\)$/.test(place)),
  ).toEqual([]);
});

it("is stopped by the engine itself, before the host has to kill the process", async () => {
  const engine = loadQuickJs(findEngine("quickjs"));
  const stop = async (body: string, left: number, memoryMb: number) => {
    const guest = await engine.create(memoryMb, () => true);
    const options = { filename: "snippet.ts", tools: [], limits: DEFAULT_LIMITS, seed: "00".repeat(32), startedAt: 0 };
    return guest.start(`async function __nami__() {${body}}`, options, left);
  };
  const long = "for (let i = 0; i < 2e8; i++);";
  expect(await stop(long, 100, 128)).toEqual({ kind: "stopped", reason: "deadline" });
  expect(await stop(`await 0; ${long}`, 100, 128)).toEqual({ kind: "stopped", reason: "deadline" });
  expect(await stop("const all = []; for (;;) all.push([all.length])", 30_000, 16)).toEqual({
    kind: "stopped",
    reason: "memory",
  });
});
