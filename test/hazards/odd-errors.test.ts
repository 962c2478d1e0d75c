import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

const ODD = [
  ["null", "throw null"],
  ["undefined", "throw undefined"],
  ["a symbol", "throw Symbol('s')"],
  ["a BigInt", "throw 5n"],
  ["a function", "throw () => {}"],
  ["a proxy whose traps throw", "throw new Proxy({}, new Proxy({}, { get() { throw new Error('trap') } }))"],
  ["a revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy"],
  ["a proxy of an error", "throw new Proxy(new Error('inner'), {})"],
  ["an object without a prototype", "throw Object.create(null)"],
  [
    "an error whose getters throw",
    "throw Object.defineProperties(new Error(), { name: { get() { throw 1 } }, message: { get() { throw null } }, stack: { get() { throw new Error() } } })",
  ],
  [
    "an error whose members are no texts",
    "throw Object.assign(new Error(), { name: 1n, message: Symbol('m'), stack: {} })",
  ],
  ["an error that is its own cause", "const e = new Error('e'); e.cause = e; throw e"],
  ["an error with toJSON", "throw Object.assign(new Error(), { toJSON() { throw new Error() } })"],
  ["an error with a foreign prototype", "throw Object.setPrototypeOf(new Error('x'), null)"],
  ["a promise", "throw Promise.reject(new Error('inner'))"],
  ["an iterator without end", "throw (function* () { for (;;) yield 1 })()"],
  [
    "what Symbol.hasInstance makes an error",
    "Object.defineProperty(Error, Symbol.hasInstance, { value: () => true }); throw { name: { toString() { throw 1 } } }",
  ],
] as const;

describe.each(ENGINES)("a snippet that throws, on %s,", (engine) => {
  it.each(ODD)("%s, has thrown, and its error is plain data", async (_, body) => {
    const outcome = await meet(engine, body);
    expect(outcome).toMatchObject({ kind: "threw", error: { name: expect.any(String), message: expect.any(String) } });
    expect(structuredClone(outcome)).toEqual(outcome);
  });

  it.each(ODD)("%s, out of a timer, goes on", async (_, body) => {
    const outcome = await meet(engine, `setTimeout(() => { ${body} }, 0); await sleep(5); return 1`);
    expect(outcome).toMatchObject({ kind: "returned", json: "1" });
    expect(outcome.warnings[0]).toMatch(/^Nothing caught what a callback threw/);
  });

  it("an error with a made-up stack, shows no more than frames of its own file", async () => {
    const body =
      "throw Object.assign(new Error('x'), { stack: 'Error\\n    at /etc/passwd:1:1\\n    at f (snippet.ts:1:1)\\n    at nami:guest:1:1' })";
    const outcome = await meet(engine, body);
    expect(outcome).toMatchObject({ kind: "threw", error: { stack: "at f (snippet.ts:1:1)" } });
  });

  it("what the engine says at a time-out, has thrown or warns, and keeps its result", async () => {
    const message = "Script execution timed out.";
    expect(await meet(engine, `throw new Error(${JSON.stringify(message)})`)).toMatchObject({ kind: "threw" });
    const body = `Promise.reject(new Error(${JSON.stringify(message)})); return 1`;
    expect(await meet(engine, body)).toMatchObject({ kind: "returned", json: "1" });
  });

  it("data that are nested deeper than a result may be, hands over the rest", async () => {
    const body =
      "let d = {}, x = d; for (let i = 0; i < 3000; i++) x = x.a = {}; throw Object.assign(new Error('x'), { d })";
    const outcome = await meet(engine, body);
    expect(outcome).toMatchObject({ kind: "threw", error: { name: "Error", message: expect.stringMatching(/^x/) } });
    expect(outcome).not.toHaveProperty("error.data");
  });
});
