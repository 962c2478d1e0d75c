import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("clones plain data, dates, maps, sets and cycles", async () => {
  await using guest = openSandbox();
  const body = `
    const source = { a: [1, , { b: 2 }], at: new Date(0), map: new Map([[{ k: 1 }, new Set(["x"])]]), e: new TypeError("t") };
    source.self = source;
    const copy = structuredClone(source);
    return [
      copy !== source, copy.self === copy, copy.a[2] !== source.a[2], copy.a[2].b, copy.a.length, 1 in copy.a,
      copy.at.toISOString(), [...copy.map.keys()][0].k, [...copy.map.values()][0].has("x"), copy.e.name, copy.e.message,
    ]`;
  expect(await guest.value(body)).toEqual([
    ...[true, true, true, 2, 3, false],
    ...["1970-01-01T00:00:00.000Z", 1, true, "TypeError", "t"],
  ]);
});

it("refuses functions", async () => {
  await using guest = openSandbox();
  expect(await guest.run("structuredClone({ f() {} })")).toMatchObject({
    kind: "threw",
    error: { name: "DataCloneError" },
  });
});
