import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

const GONE = ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"];

/** Ways that lead to a built-in whose global is gone. */
const ROUNDABOUT = [
  ["through eval", (name: string) => `(0, eval)("typeof ${name}")`],
  ["through Function", (name: string) => `Function("return typeof ${name}")()`],
  [
    "through the global's own properties",
    (name: string) => `typeof Object.getOwnPropertyDescriptor(globalThis, "${name}")?.value`,
  ],
  ["through Reflect", (name: string) => `typeof Reflect.get(globalThis, "${name}")`],
] as const;

describe.each(ENGINES)("memory and threads, on %s:", (engine) => {
  it.each(ROUNDABOUT)("none of what shares memory or watches the collector is there %s", async (_, typeOf) => {
    const outcome = await meet(engine, `return [${GONE.map(typeOf).join()}]`);
    expect(outcome).toMatchObject({ json: JSON.stringify(GONE.map(() => "undefined")) });
  });

  it("no buffer can be shared, resized or transferred", async () => {
    const body = `
      const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 20 });
      return ["resize", "transfer", "transferToFixedLength", "grow"].map((name) => typeof buffer[name]);`;
    expect(await meet(engine, body)).toMatchObject({ json: '["undefined","undefined","undefined","undefined"]' });
  });

  it("structuredClone shares nothing: a clone is a copy", async () => {
    const body = "const a = new Uint8Array(2), b = structuredClone(a); b[0] = 1; return a[0]";
    expect(await meet(engine, body)).toMatchObject({ json: "0" });
  });

  it("nothing tells when the collector ran", async () => {
    const body = "return [typeof gc, typeof WeakRef, typeof FinalizationRegistry, Object.keys(performance)]";
    expect(await meet(engine, body)).toMatchObject({
      kind: "returned",
      json: expect.stringMatching(/^\["undefined","undefined","undefined",/),
    });
  });

  it("cleaning up with dispose methods that loop or throw costs only the run", async () => {
    const body =
      "const o = { [Symbol.dispose ?? 'd']() { throw new Error('in dispose') } }; o[Symbol.dispose ?? 'd']()";
    expect(await meet(engine, body)).toMatchObject({ kind: "threw", error: { message: "in dispose" } });
  });
});
