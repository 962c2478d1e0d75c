import { describe, expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

describe("crypto", () => {
  it("gives random bytes and ids, new ones in each run and each call", async () => {
    await using guest = openSandbox();
    const body = `const bytes = crypto.getRandomValues(new Uint8Array(65536));
      return { ids: [crypto.randomUUID(), crypto.randomUUID()], same: crypto.getRandomValues(bytes) === bytes, kinds: new Set(bytes).size,
        ones: bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0), dice: Math.random() }`;
    const runs = [await guest.value(body), await guest.value(body)] as { [name: string]: number & string[] }[];
    for (const run of runs) {
      for (const id of run["ids"] ?? []) {
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      }
      expect(run).toMatchObject({ same: true, kinds: 256 });
      // 262,144 ones of 524,288 bits are expected, with a deviation of 362.
      expect(Math.abs((run["ones"] ?? 0) - 262_144)).toBeLessThan(3000);
    }
    const [one, two] = runs;
    expect(new Set([...(one?.["ids"] ?? []), ...(two?.["ids"] ?? [])]).size).toBe(4);
    expect(one?.["dice"]).not.toBe(two?.["dice"]);
  });

  it("gives 65,536 bytes at once and refuses one more, and arrays of other things", async () => {
    await using guest = openSandbox();
    const body = `const name = (array) => { try { crypto.getRandomValues(array); return "fine" } catch (error) { return error.name } };
      return [name(new Uint8Array(65536)), name(new Uint8Array(65537)), name(new Uint32Array(16385)), name(new Float64Array(1)), name([1]), name(new BigInt64Array(2))]`;
    expect(await guest.value(body)).toEqual([
      ...["fine", "QuotaExceededError", "QuotaExceededError", "TypeMismatchError", "TypeMismatchError", "fine"],
    ]);
  });

  it("says that there is no crypto.subtle", async () => {
    await using guest = openSandbox();
    expect(await guest.run("crypto.subtle.digest()")).toMatchObject({
      error: { name: "TypeError", message: expect.stringContaining("no crypto.subtle") },
    });
  });
});

it("has a chance between 0 and 1 that is spread evenly", async () => {
  await using guest = openSandbox();
  const body = `const tens = Array(10).fill(0); for (let i = 0; i < 20000; i++) { const r = Math.random(); if (!(r >= 0 && r < 1)) return "out"; tens[Math.floor(r * 10)]++ } return tens`;
  for (const count of (await guest.value(body)) as number[]) expect(Math.abs(count - 2000)).toBeLessThan(300);
});

it("repeats at intervals until that is cleared, also from inside", async () => {
  await using guest = openSandbox();
  const body = `
    const seen = [];
    await new Promise((done) => { const id = setInterval((value) => { seen.push(value); if (seen.length === 3) { clearInterval(id); done() } }, 2, "tick") });
    await sleep(20);
    const other = setInterval(() => seen.push("never"), 5);
    clearInterval(other);
    await sleep(20);
    return seen`;
  expect(await guest.value(body, { limits: { timers: 3 } })).toEqual(["tick", "tick", "tick"]);
});

it("runs microtasks before timers, and reports what they throw", async () => {
  await using guest = openSandbox();
  const body = `const seen = []; setTimeout(() => seen.push("timer"), 0); queueMicrotask(() => seen.push("micro"));
    queueMicrotask(() => { throw new Error("in microtask") }); await null; seen.push("then"); await sleep(10); return seen`;
  const outcome = await guest.run(body);
  expect(outcome).toMatchObject({
    json: '["micro","then","timer"]',
    warnings: [expect.stringContaining("in microtask")],
  });
});

it("tells the time of the run, never backwards", async () => {
  await using guest = openSandbox();
  const body = `const a = performance.now(); Date.now = () => 0; await sleep(30); const b = performance.now(); return [a >= 0 && a < 30000, b - a >= 25, performance.timeOrigin > 1e12]`;
  expect(await guest.value(body)).toEqual([true, true, true]);
});

const HEAVY = [
  ["a URL of ten million letters", "new URL('http://h/' + 'a'.repeat(1e7)).href.length", 10_000_009],
  [
    "a URL that is none, of ten million letters",
    "(() => { try { new URL('a'.repeat(1e7)) } catch (e) { return e.input.length } })()",
    201,
  ],
  ["a host of ten million letters", "URL.canParse('http://' + 'ä'.repeat(1e6))", false],
  ["7.5 MB of base64", "atob('QUJD'.repeat(2.5e6)).length", 7_500_000],
  ["5 MB of bytes", "new TextDecoder().decode(new TextEncoder().encode('é'.repeat(2.5e6))).length", 2_500_000],
] as const;

it.each(HEAVY)("takes %s within the limits, or is stopped by them", async (_, expression, expected) => {
  await using guest = openSandbox();
  const outcome = await guest.run(`return ${expression}`, { limits: { wallMs: 20_000 } });
  if (outcome.kind === "stopped") expect(["memory", "deadline", "crashed"]).toContain(outcome.reason);
  else expect(outcome).toMatchObject({ kind: "returned", json: JSON.stringify(expected) });
  expect(await guest.value("return 1")).toBe(1);
});

const PATCHES = [
  "for (const name of Reflect.ownKeys(Array.prototype)) if (name !== 'constructor' && name !== 'length') { try { Array.prototype[name] = () => { throw new Error('patched') } } catch {} }",
  "for (const name of ['slice', 'indexOf', 'includes', 'charCodeAt', 'codePointAt', 'toLowerCase', 'normalize', 'startsWith', 'repeat', 'replace', 'split']) String.prototype[name] = () => { throw new Error('patched') }; String.prototype[Symbol.iterator] = null",
  "RegExp.prototype.exec = RegExp.prototype.test = RegExp.prototype[Symbol.replace] = () => { throw new Error('patched') }",
  "JSON.parse = JSON.stringify = Object.defineProperty = Object.keys = Reflect.apply = () => { throw new Error('patched') }; globalThis.eval = 1",
  "Promise.prototype.then = () => { throw new Error('patched') }; Promise.resolve = 1; Math.floor = Math.min = Math.max = () => NaN; Date.now = () => NaN",
  "for (let i = 0; i < 40; i++) { Object.defineProperty(Array.prototype, i, { set() { throw new Error('patched') } }); Object.defineProperty(Object.prototype, i, { set() { throw new Error('patched') }, get() {} }) }",
  "Object.prototype.get = Object.prototype.set = () => 'bad'; Object.prototype.value = 'bad'; Object.prototype.fatal = Object.prototype.ignoreBOM = false",
  "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('patched') }",
  "const P = Object.getPrototypeOf(Uint8Array.prototype); for (const name of ['length', 'byteLength', 'byteOffset', 'buffer']) Object.defineProperty(P, name, { get() { throw new Error('patched') } }); P.set = P.subarray = P.fill = null; Uint8Array.prototype.constructor = 1",
  "for (const name of ['get', 'set', 'has', 'delete', 'forEach']) Map.prototype[name] = () => { throw new Error('patched') }; globalThis.Map = globalThis.Uint8Array = globalThis.Error = 1",
];

it.each(PATCHES)("has globals of its own that work after %s", async (patch) => {
  await using guest = openSandbox();
  const body = `const bytes = new Uint8Array([0xc3, 0xa9]); const later = (x) => x;
    ${patch};
    const u = new URL("../x y?a=1&b=%20#f", "http://USER@Münch.de:80/p/q/r"); u.searchParams.append("c", "d e"); u.searchParams.sort();
    const controller = new AbortController(); let heard = 0; controller.signal.addEventListener("abort", () => { heard++ }); controller.abort();
    const random = crypto.getRandomValues(bytes) === bytes && crypto.randomUUID().length === 36 && Math.random() < 1;
    const copy = structuredClone({ a: { b: 5 } });
    console.table({ a: { b: 1 } }); console.count(); console.group(); console.log("%s", 1);
    const text = new TextDecoder().decode(new TextEncoder().encode("é"));
    return u.href + "|" + text + "|" + atob("aGk=") + btoa("hi") + "|" + heard + random + copy.a.b + (performance.now() >= 0) + controller.signal.reason.name`;
  const outcome = await guest.run(body);
  expect(outcome).toMatchObject({ kind: "returned" });
  expect(outcome.kind === "returned" && outcome.json).toBe(
    JSON.stringify("http://USER@xn--mnch-0ra.de/p/x%20y?a=1&b=+&c=d+e#f|é|hiaGk=|1true5trueAbortError"),
  );
  expect(outcome.logs).toHaveLength(3);
});
