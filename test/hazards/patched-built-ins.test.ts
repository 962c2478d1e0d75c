import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

/** Replaces every method of a built-in by one that throws, but for those that the language itself needs to run this code. */
const breaking = (expression: string) => `
  for (const owner of [${expression}]) for (const key of Reflect.ownKeys(owner)) {
    const { value, configurable } = Object.getOwnPropertyDescriptor(owner, key);
    // QuickJS itself calls concat for every template.
    if (key === "concat" && owner === String.prototype && TEMPLATES_CONCAT) continue;
    if (typeof value === "function" && configurable && key !== "constructor") broken.push([owner, key]);
  }`;

const GROUPS = [
  ["JSON and Math", "JSON, Math"],
  ["arrays", "Array.prototype, Array"],
  ["texts", "String.prototype, String"],
  ["maps and sets", "Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype"],
  ["promises", "Promise.prototype, Promise"],
  ["functions", "Function.prototype"],
  ["regular expressions", "RegExp.prototype"],
  ["numbers, BigInts and dates", "Number.prototype, Number, BigInt.prototype, Date.prototype, Date"],
  ["typed arrays", "Object.getPrototypeOf(Uint8Array).prototype, Uint8Array, ArrayBuffer.prototype"],
  ["Reflect and Object", "Reflect, Object, Object.prototype"],
] as const;

describe.each(ENGINES)("a snippet that breaks every method, on %s,", (engine) => {
  it.each(GROUPS)("of %s, is served as ever", async (_, owners) => {
    const body = `
      const TEMPLATES_CONCAT = ${engine === "quickjs"};
      const broken = [];
      ${breaking(owners)}
      const define = Object.defineProperty;
      for (let i = 0, length = broken.length; i < length; i++)
        define(broken[i][0], broken[i][1], { value() { throw "broken" }, configurable: true, writable: true });
      const reply = await notes.read({ a: 1, b: ["x"] });
      console.log("printed", 1);
      await sleep(1);
      let name;
      try { await notes.write({ fail: 1 }) } catch (error) { name = error.name }
      return { reply, name };`;
    const outcome = await meet(engine, body, {
      call: async ({ args }) =>
        Object.hasOwn(args, "fail")
          ? { kind: "error", error: { name: "Refused", message: "no" } }
          : { kind: "value", json: JSON.stringify(args) },
    });
    expect(outcome).toMatchObject({
      kind: "returned",
      json: '{"reply":{"a":1,"b":["x"]},"name":"Refused"}',
      logs: [{ text: "printed 1" }],
    });
  });

  it("replaces globals that we use, is served as ever", async () => {
    const body = `
      for (const name of ["JSON", "Promise", "Map", "WeakMap", "Object", "Reflect", "Error", "TypeError", "String", "Number", "Array"]) globalThis[name] = undefined;
      return await notes.read({ a: [1] })`;
    expect(await meet(engine, body)).toMatchObject({ kind: "returned", json: '{"a":[1]}' });
  });
});
