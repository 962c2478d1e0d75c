import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const ENDLESS = [
  ["a loop", "while (true) {}"],
  ["a loop after a call", "await notes.read(); while (true) {}"],
  ["a loop in a timer", "await sleep(1); while (true) {}"],
  ["a storm of microtasks", "for (;;) await 0"],
  ["a promise that never settles", "await new Promise(() => {})"],
  ["a slow regular expression", "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ["a thrown error whose stack loops", "throw Object.defineProperty(new Error(), 'stack', { get() { for (;;); } })"],
  ["a result whose toJSON loops", "return { toJSON() { for (;;); } }"],
  ["arguments whose toJSON loops", "await notes.read({ a: { toJSON() { for (;;); } } })"],
  ["a thenable that loops", "return { then() { for (;;); } }"],
  ["native code that V8 does not interrupt", "const holes = []; holes.length = 2 ** 32 - 1; holes.indexOf(1)"],
  ["endless sleeping", "for (;;) await sleep(0)"],
] as const;

it.each(ENDLESS)("stops %s at the deadline, and the next run works", async (_, body) => {
  await using guest = openSandbox();
  expect(await guest.run(body, { limits: { wallMs: 200 } })).toMatchObject({
    kind: "stopped",
    reason: "deadline",
    limit: { name: "wallMs", value: 200 },
  });
  expect(await guest.value("return 1")).toBe(1);
});

it("aborts the signal of a call that is open at the deadline", async () => {
  await using guest = openSandbox();
  const aborted = Promise.withResolvers<unknown>();
  const outcome = await guest.run("await notes.read()", {
    limits: { wallMs: 200 },
    call: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.resolve(signal.reason))),
  });
  expect(outcome).toMatchObject({ kind: "stopped", reason: "deadline", calls: 1 });
  expect(await aborted.promise).toMatchObject({ message: "The run ended before the call was answered." });
});

it("does not abort the signal of a call that was answered", async () => {
  await using guest = openSandbox();
  const signals: AbortSignal[] = [];
  await guest.run("await notes.read()", {
    call: async (_, { signal }) => {
      signals.push(signal);
      return { kind: "value" };
    },
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});
