import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const returning = (json: string) => async () => ({ kind: "value", json }) as const;

it("takes a result up to the limit of output bytes, and stops at one more", async () => {
  await using guest = openSandbox();
  const limits = { outputBytes: 10 };
  expect(await guest.run("return 'éééé'", { limits })).toMatchObject({ kind: "returned", json: '"éééé"' });
  for (const over of ["return 'éééé1'", "return 'x'.repeat(1e6)"]) {
    expect(await guest.run(over, { limits })).toMatchObject({
      kind: "stopped",
      reason: "result-size",
      limit: { name: "outputBytes", value: 10 },
    });
  }
  expect(await guest.value("return 1")).toBe(1);
});

it("takes a reply up to the limit of result bytes, and fails the call at one more", async () => {
  await using guest = openSandbox();
  const limits = { resultBytes: 10 };
  expect(await guest.value("return await notes.read()", { limits, call: returning('"éééé"') })).toBe("éééé");
  expect(await guest.run("return await notes.read()", { limits, call: returning('"éééé1"') })).toMatchObject({
    kind: "threw",
    error: { name: "RangeError", tool: "notes.read", message: expect.stringContaining("11 bytes") },
  });
});

it("takes code up to the limit of source bytes, and refuses one more", async () => {
  await using guest = openSandbox();
  const code = "async function __nami__() { return 'é' }";
  const run = { code, filename: "snippet.ts", tools: new Map(), call: returning("1") };
  const sourceBytes = Buffer.byteLength(code);
  expect(await guest.sandbox.run({ ...run, limits: { sourceBytes } })).toMatchObject({ kind: "returned" });
  expect(await guest.sandbox.run({ ...run, limits: { sourceBytes: sourceBytes - 1 } })).toMatchObject({
    kind: "stopped",
    reason: "source-size",
    limit: { name: "sourceBytes", value: sourceBytes - 1 },
  });
});

it("takes arguments up to the limit of argument bytes, and fails the call at one more", async () => {
  await using guest = openSandbox();
  const limits = { argumentBytes: 10 };
  expect(await guest.value("return await notes.read({ a: 'éé' })", { limits: { argumentBytes: 12 } })).toEqual({
    a: "éé",
  });
  expect(await guest.value("return await notes.read({ a: '1234' })", { limits: { argumentBytes: 12 } })).toEqual({
    a: "1234",
  });
  for (const over of ["'éé'", "'12345'"]) {
    expect(await guest.run(`await notes.read({ a: ${over} })`, { limits })).toMatchObject({
      kind: "threw",
      error: { name: "RangeError", message: expect.stringContaining("at most 10 fit") },
    });
  }
});

it("stops a run whose arguments are too much in all", async () => {
  await using guest = openSandbox();
  const limits = { argumentTotalBytes: 24 };
  const calls = (count: number) => `for (let i = 0; i < ${count}; i++) await notes.read({ a: '1234' })`;
  expect(await guest.run(calls(2), { limits })).toMatchObject({ kind: "returned" });
  expect(await guest.run(calls(3), { limits })).toMatchObject({ kind: "stopped", reason: "argument-size" });
});
