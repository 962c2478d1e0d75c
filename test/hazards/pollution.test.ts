import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

const OUTWARDS = [
  ["an own __proto__ in an argument", `await notes.read(JSON.parse('{"__proto__":{"left":1},"a":1}'))`],
  ["an own __proto__ in the result", `return JSON.parse('{"__proto__":{"left":1}}')`],
  ["constructor.prototype in an argument", `await notes.read({ constructor: { prototype: { left: 1 } } })`],
  [
    "an own __proto__ in the data of an error",
    `throw Object.assign(new Error(), { data: JSON.parse('{"__proto__":{"left":1}}') })`,
  ],
  ["a printed __proto__", `console.log(JSON.parse('{"__proto__":{"left":1}}'))`],
  [
    "patches of every prototype",
    "for (const o of [Object, Array, String, Function, Promise, Map]) o.prototype.left = 1; return {}",
  ],
  ["a toJSON on every object", "Object.prototype.toJSON = () => 'bad'; return { a: await notes.read({ n: 1 }) }"],
  ["a property of the global", "globalThis.left = 1; return 1"],
] as const;

describe.each(ENGINES)("pollution, on %s:", (engine) => {
  it.each(OUTWARDS)("%s stays in its run", async (_, body) => {
    const outcome = await meet(engine, body);
    expect(outcome.kind).toMatch(/^(returned|threw)$/);
    expect({}).not.toHaveProperty("left");
    expect([]).not.toHaveProperty("left");
  });

  it("an argument's own __proto__ reaches the host as an own member", async () => {
    let args: object = {};
    const call = async (made: { args: object }) => {
      args = made.args;
      return { kind: "value" } as const;
    };
    await meet(engine, `await notes.read(JSON.parse('{"__proto__":{"left":1}}'))`, {
      call: (made) =>
        Object.hasOwn(made.args, "n") ? Promise.resolve({ kind: "value", json: '{"n":1}' }) : call(made),
    }).catch(() => {});
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(args)).toEqual(["__proto__"]);
  });

  it("what stands on the host's prototypes is not seen by the snippet", async () => {
    Object.defineProperty(Object.prototype, "fromHost", { value: 1, configurable: true });
    try {
      expect(await meet(engine, "return typeof ({}).fromHost + typeof globalThis.fromHost")).toMatchObject({
        json: '"undefinedundefined"',
      });
    } finally {
      Reflect.deleteProperty(Object.prototype, "fromHost");
    }
  });
});
