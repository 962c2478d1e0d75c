import { describe, expect, it } from "vitest";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

const MAKERS = [
  ["eval", (code: string) => `(0, eval)(${JSON.stringify(code)})`],
  ["Function", (code: string) => `Function(${JSON.stringify(`return ${code}`)})()`],
  [
    "the constructor of asynchronous functions",
    (code: string) => `await (async () => {}).constructor(${JSON.stringify(`return ${code}`)})()`,
  ],
  [
    "the constructor of generators",
    (code: string) => `(function* () {}).constructor(${JSON.stringify(`return ${code}`)})().next().value`,
  ],
  [
    "the constructor of one of our functions",
    (code: string) => `notes.read.constructor(${JSON.stringify(`return ${code}`)})()`,
  ],
  [
    "the constructor of the global's getters",
    (code: string) =>
      `Object.getOwnPropertyDescriptor(globalThis, "URL").get.constructor(${JSON.stringify(`return ${code}`)})()`,
  ],
] as const;

const NOT_HERE = "[typeof process, typeof require, typeof module, typeof fetch, typeof Buffer, typeof __filename]";

describe.each(ENGINES)("code made from text, on %s, by", (engine) => {
  it.each(MAKERS)("%s runs in the snippet's own realm and finds nothing else", async (_, make) => {
    const outcome = await meet(engine, `return [${make(NOT_HERE)}, ${make("globalThis")} === globalThis]`);
    expect(outcome).toMatchObject({ json: JSON.stringify([Array(6).fill("undefined"), true]) });
  });

  it.each(MAKERS)("%s is stopped at the deadline like any other", async (_, make) => {
    expect(await meet(engine, make("(() => { for (;;); })()"), { limits: SOON })).toMatchObject(AT_DEADLINE);
  });

  it.each([
    "await import('node:fs')",
    "await import('./worker.js')",
    "await import('data:text/javascript,export default 1')",
    "await import('file:///etc/passwd')",
    "await (0, eval)('import(\"node:fs\")')",
    "await Function('return import(\"isolated-vm\")')()",
  ])("%s is refused", async (code) => {
    expect(await meet(engine, `try { ${code}; return "imported" } catch { return "refused" }`)).toMatchObject({
      json: '"refused"',
    });
  });

  it("code that closes our function and goes on is the snippet's own all the same", async () => {
    const body =
      "return 1 } globalThis.extra = typeof process + typeof send + typeof limits; function more() { return 2";
    expect(await meet(engine, body)).toMatchObject({ kind: "returned", json: "1" });
    expect(await meet(engine, "return typeof extra")).toMatchObject({ json: '"undefined"' });
  });
});
