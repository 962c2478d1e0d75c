import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

const TRICKS = [
  ["species of arrays", "Object.defineProperty(Array, Symbol.species, { get() { throw new Error('patched') } })"],
  ["species of promises", "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('patched') } })"],
  ["conversion of everything", "Object.prototype[Symbol.toPrimitive] = () => { throw new Error('patched') }"],
  ["iteration of arrays", "Array.prototype[Symbol.iterator] = function* () { yield 'bad' }"],
  ["iteration of texts", "String.prototype[Symbol.iterator] = () => { throw new Error('patched') }"],
  [
    "instanceof",
    // Of errors and promises it cannot be replaced.
    "for (const C of [Error, Promise, Object]) try { Object.defineProperty(C, Symbol.hasInstance, { value: () => false }) } catch {}",
  ],
  ["tags", "Object.defineProperty(Object.prototype, Symbol.toStringTag, { get() { throw new Error('patched') } })"],
  ["unscopables", "Array.prototype[Symbol.unscopables] = new Proxy({}, { get() { throw new Error('patched') } })"],
  ["concatenation", "Object.prototype[Symbol.isConcatSpreadable] = true"],
  [
    "matching",
    "for (const s of ['match', 'replace', 'split', 'search']) RegExp.prototype[Symbol[s]] = () => { throw new Error('patched') }",
  ],
  [
    "Symbol itself",
    "for (const name of Reflect.ownKeys(Symbol)) try { Symbol[name] = 1 } catch {} globalThis.Symbol = null",
  ],
] as const;

const WORK = `
  const reply = await notes.read({ a: 1, b: ["x"] });
  await sleep(1);
  return reply;`;

describe.each(ENGINES)("a snippet that patches, on %s,", (engine) => {
  it.each(TRICKS)("%s, is served as ever", async (_, patch) => {
    expect(await meet(engine, `${patch};${WORK}`)).toMatchObject({
      kind: "returned",
      json: '{"a":1,"b":["x"]}',
      calls: 1,
    });
  });

  it("nothing but registers symbols, shares none with another run", async () => {
    await meet(engine, "globalThis[Symbol.for('left')] = 1; Object.prototype[Symbol.for('left')] = 1");
    expect(Reflect.has(globalThis, Symbol.for("left"))).toBe(false);
    expect(await meet(engine, "return typeof globalThis[Symbol.for('left')]")).toMatchObject({ json: '"undefined"' });
  });
});
