import { expect, it } from "vitest";
import { createStore, STORE_BYTES, STORE_KEYS } from "../../src/run/store.ts";

it("keeps JSON by key, in the order in which keys came", () => {
  const store = createStore();
  store.set("b", "1");
  store.set("__proto__", "2");
  store.set("b", "3");
  expect([store.keys(), store.get("b"), store.get("__proto__"), store.get("constructor")]).toEqual([
    ["b", "__proto__"],
    "3",
    "2",
    undefined,
  ]);
  expect([store.delete("b"), store.delete("b"), store.keys()]).toEqual([true, false, ["__proto__"]]);
});

it("takes as many keys as it may, and no more", () => {
  const store = createStore();
  for (let i = 0; i < STORE_KEYS; i++) store.set(`key ${i}`, "1");
  store.set("key 0", "2");
  expect(() => store.set("one more", "1")).toThrow("The store has 1000 keys");
  store.delete("key 7");
  store.set("one more", "1");
  expect(store.keys()).toHaveLength(STORE_KEYS);
});

it("takes as many bytes as it may, and no more; what a key had stays", () => {
  const store = createStore();
  store.set("é", "x".repeat(STORE_BYTES - 2));
  expect(() => store.set("a", "")).toThrow("at most 10485760 fit");
  expect(() => store.set("é", "x".repeat(STORE_BYTES - 1))).toThrow("would have 10485761 bytes");
  expect(store.get("é")).toHaveLength(STORE_BYTES - 2);
  store.set("é", "1");
  store.set("a", "x".repeat(STORE_BYTES - 4));
  store.delete("a");
  store.set("b", "x".repeat(STORE_BYTES - 4));
});
