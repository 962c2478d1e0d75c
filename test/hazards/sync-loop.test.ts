import { describe, expect, it } from "vitest";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

const LOOPS = [
  ["at once", "while (true) {}"],
  ["after a call", "await notes.read(); while (true) {}"],
  ["in a timer", "setTimeout(() => { for (;;); }, 1); await sleep(60_000)"],
  ["while the code is evaluated", "} while (true) {} {"],
  ["in a getter of what it returns", "return { get a() { for (;;); } }"],
  ["in toJSON of an argument", "await notes.read({ a: { toJSON() { for (;;); } } })"],
  ["in the stack of what it throws", "throw Object.defineProperty(new Error(), 'stack', { get() { for (;;); } })"],
  ["in the message of what it throws", "throw { get message() { for (;;); } }"],
  ["in a thenable that it returns", "return { then() { for (;;); } }"],
  [
    "in what it prints",
    "console.log({ get [Symbol.toStringTag]() { for (;;); } }, { toString() { for (;;); } }); for (;;);",
  ],
  ["in finally, over and over", "for (;;) try { for (;;); } catch {} finally { for (;;); }"],
  ["in native code that is not interrupted", "const holes = []; holes.length = 2 ** 32 - 1; holes.indexOf(1)"],
  [
    "in a sort that never agrees",
    "const a = Array.from({ length: 1e6 }, () => 0); for (;;) a.sort(() => Math.random() - 0.5)",
  ],
] as const;

describe.each(ENGINES)("a loop, on %s,", (engine) => {
  it.each(LOOPS)("%s, is stopped at the deadline", async (_, body) => {
    expect(await meet(engine, body, { limits: SOON })).toMatchObject(AT_DEADLINE);
  });
});
