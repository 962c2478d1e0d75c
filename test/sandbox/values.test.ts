import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("gives what a snippet returned as JSON text", async () => {
  await using guest = openSandbox();
  expect(await guest.run("return { a: [1, 'é', null] }")).toMatchObject({
    kind: "returned",
    json: '{"a":[1,"é",null]}',
  });
  expect(await guest.run("")).toMatchObject({ kind: "returned", json: undefined, calls: 0, unawaited: 0, logs: [] });
});

it("shows maps, sets, errors, BigInts and cycles in a result rather than losing them", async () => {
  await using guest = openSandbox();
  expect(
    await guest.value(`
      const result = { byName: new Map([["a", 1]]), pairs: new Map([[1, 2]]), set: new Set([3]), big: 5n, e: new TypeError("x") };
      result.self = result;
      result.byName.set("loop", result.byName);
      return result;`),
  ).toEqual({
    byName: { a: 1, loop: "[Circular]" },
    pairs: [[1, 2]],
    set: [3],
    big: "5",
    e: { name: "TypeError", message: "x" },
    self: "[Circular]",
  });
});

it("shows typed arrays and iterators in a result as lists, and an endless one up to a limit", async () => {
  await using guest = openSandbox();
  expect(
    await guest.value(`
      const map = new Map([["a", 1], ["b", 2]]);
      function* count() { yield 1; yield { deep: map.keys() }; }
      return { bytes: new Uint8Array([1, 2]), values: map.values(), doubled: [1, 2].values().map((n) => n * 2), made: count() };`),
  ).toEqual({ bytes: [1, 2], values: [1, 2], doubled: [2, 4], made: [1, { deep: ["a", "b"] }] });
  expect(await guest.value("return (function* () { for (let n = 0; ; n++) yield n })()")).toHaveLength(100_000);
});

it("keeps an own __proto__ of a result as data", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run(`return JSON.parse('{"__proto__":{"polluted":1}}')`);
  expect(outcome).toMatchObject({ json: '{"__proto__":{"polluted":1}}' });
  expect({}).not.toHaveProperty("polluted");
});

it("starts every run in a fresh realm", async () => {
  await using guest = openSandbox();
  await guest.run("globalThis.left = 1; Array.prototype.left = 1;");
  expect(await guest.value("return [typeof left, [].left === undefined]")).toEqual(["undefined", true]);
});
