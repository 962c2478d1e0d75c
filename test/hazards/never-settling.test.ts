import { describe, expect, it } from "vitest";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

const ENDLESS = [
  ["a promise that never settles", "await new Promise(() => {})"],
  ["a thenable that never answers", "await { then() {} }"],
  ["sleeping for ever", "for (;;) await sleep(1)"],
  ["an interval", "setInterval(() => {}, 1); await new Promise(() => {})"],
  ["an asynchronous generator", "async function* on() { for (;;) yield await 0 } for await (const _ of on()) {}"],
  [
    "one that waits between its values",
    "async function* on() { for (;;) { await sleep(1); yield 1 } } for await (const _ of on()) {}",
  ],
  [
    "one that does not stop at return",
    "async function* on() { try { yield 1 } finally { await new Promise(() => {}) } } const one = on(); await one.next(); await one.return()",
  ],
  [
    "Array.fromAsync of one",
    "async function* on() { for (;;) yield new Promise(() => {}) } return await Array.fromAsync(on())",
  ],
  [
    "a lock that two sides hold",
    "let a, b; a = (async () => { await 0; await b })(); b = (async () => { await a })(); await b",
  ],
] as const;

describe.each(ENGINES)("what never ends, on %s:", (engine) => {
  it.each(ENDLESS)("%s is stopped at the deadline", async (_, body) => {
    expect(await meet(engine, body, { limits: SOON })).toMatchObject(AT_DEADLINE);
  });

  it("an endless generator that is returned is shown up to a limit", async () => {
    const outcome = await meet(engine, "return (function* () { for (let n = 0; ; n++) yield n })()");
    expect(outcome).toMatchObject({ kind: "returned", json: expect.stringMatching(/,99999\]$/) });
  });
});
