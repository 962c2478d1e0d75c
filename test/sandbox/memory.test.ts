import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const BOMBS = [
  ["arrays", "const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))"],
  ["a map", "const all = new Map(); for (let i = 0; ; i++) all.set(i, { i, text: 'k' + i })"],
  [
    "strings",
    "let s = 'x'.repeat(1024); const all = []; for (;;) { s += s; s.charCodeAt(5); all.push(s); if (s.length > 5e8) s = 'y'.repeat(1024) }",
  ],
  ["one huge array", "new Array(1e9).fill().length"],
] as const;

it.each(BOMBS)("stops a snippet that fills the memory with %s, and the next run works", async (_, body) => {
  await using guest = openSandbox();
  const outcome = await guest.run(body);
  expect(outcome.kind).toBe("stopped");
  expect(outcome).toHaveProperty("reason", expect.stringMatching(/^(memory|crashed)$/));
  expect(await guest.value("return 1")).toBe(1);
});

it("stops or refuses typed arrays beyond the limit", async () => {
  await using guest = openSandbox();
  const body = "const all = []; for (;;) { const bytes = new Uint8Array(2 ** 21).fill(1); all.push(bytes) }";
  const outcome = await guest.run(body);
  expect(outcome.kind).not.toBe("returned");
  expect(await guest.value("return 1")).toBe(1);
});

it("has no buffers that grow past the heap limit", async () => {
  await using guest = openSandbox();
  const body =
    "return ['resize', 'transfer', 'transferToFixedLength'].map((name) => typeof ArrayBuffer.prototype[name])";
  expect(await guest.value(body)).toEqual(["undefined", "undefined", "undefined"]);
});

it("gives a run the heap that it asks for", async () => {
  await using guest = openSandbox();
  // With a spare isolate that has the usual heap.
  await guest.sandbox.ready();
  const body = "const all = []; for (let i = 0; i < 40; i++) all.push(new Array(131072).fill(i)); return all.length";
  expect(await guest.run(body, { limits: { memoryMb: 16 } })).toMatchObject({ kind: "stopped" });
  expect(await guest.value(body)).toBe(40);
});
