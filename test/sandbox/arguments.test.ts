import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const REFUSED = [
  ["'text'", "notes.read takes one object of arguments, not a string."],
  ["[1]", "notes.read takes one object of arguments, not an array."],
  ["null", "notes.read takes one object of arguments, not null."],
  ["new Date(0)", "notes.read takes one object of arguments."],
  ["{ a: { f() {} } }", "notes.read: the argument a.f is a function; only plain JSON values can be sent."],
  ["{ a: [1, 2n] }", "notes.read: the argument a[1] is a BigInt; only plain JSON values can be sent."],
  ["{ 'a b': NaN }", `notes.read: the argument ["a b"] is NaN; only plain JSON values can be sent.`],
  ["{ labels: new Set() }", "notes.read: the argument labels is a Set; only plain JSON values can be sent."],
  [
    "{ later: notes.read() }",
    "notes.read: the argument later is a promise that was not awaited; only plain JSON values can be sent.",
  ],
  [
    "(() => { const a = { x: [{}] }; a.x[0].y = a; return a })()",
    "notes.read: the argument x[0].y contains itself; only plain JSON values can be sent.",
  ],
] as const;

it.each(REFUSED)(
  "refuses the arguments %s with a TypeError that names the tool and the path",
  async (args, message) => {
    await using guest = openSandbox();
    const outcome = await guest.run(`await notes.read(${args})`);
    expect(outcome).toMatchObject({ kind: "threw", error: { name: "TypeError", message } });
  },
);

it("sends what JSON can hold: dates as text, the same object twice, undefined left out", async () => {
  await using guest = openSandbox();
  const body = "const o = { a: 1 }; return await notes.read({ at: new Date(0), one: o, two: [o], none: undefined })";
  expect(await guest.value(body)).toEqual({ at: "1970-01-01T00:00:00.000Z", one: { a: 1 }, two: [{ a: 1 }] });
});

it("gives undefined for a tool that is not there, inherited names included", async () => {
  await using guest = openSandbox();
  const body = "return ['nope', 'constructor', '__proto__', 'toString', 'then'].map((name) => typeof notes[name])";
  expect(await guest.value(body)).toEqual(Array(5).fill("undefined"));
});
