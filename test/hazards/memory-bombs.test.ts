import { describe, expect, it } from "vitest";
import { ENGINES, type Engine, meet } from "./stand.ts";

const BOMBS = [
  ["arrays", "const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))"],
  ["objects", "const all = []; for (;;) all.push({ n: all.length })"],
  ["a map", "const all = new Map(); for (let i = 0; ; i++) all.set(i, { i, text: 'k' + i })"],
  ["a set of texts", "const all = new Set(); for (let i = 0; ; i++) all.add('text ' + i)"],
  ["strings", "const all = []; for (;;) all.push('x'.repeat(1e6 + all.length).split('').join('y'))"],
  ["typed arrays", "const all = []; for (;;) all.push(new Uint8Array(2 ** 21).fill(1))"],
  ["JSON text", "let a = ['x'.repeat(1000)]; for (;;) { a = [a, a]; JSON.stringify(a) }"],
  [
    "a getter that makes more on each read",
    "const o = { get a() { (this.all ??= []).push(new Array(1e4).fill(1)); return 1 } }; for (;;) o.a",
  ],
  [
    "a proxy with endless keys",
    "return new Proxy({}, { ownKeys: () => Array.from({ length: 2 ** 24 }, (_, i) => 'k' + i) })",
  ],
  ["a BigInt that squares itself", "let n = 3n; for (;;) n *= n"],
  ["closures", "let f = () => 1; for (;;) { const g = f; const held = new Array(100).fill(0); f = () => [g, held] }"],
  ["a spread of everything", "let a = [1]; for (;;) a = [...a, ...a]"],
  ["padStart", "const all = []; for (;;) all.push('x'.padStart(2 ** 22, String(all.length)))"],
  [
    "matches of an expression",
    "const text = 'ab'.repeat(2 ** 22); const all = []; for (;;) all.push(text.match(/./g))",
  ],
  ["promises", "const all = []; for (;;) all.push(new Promise(() => {}))"],
  ["one huge array", "return new Array(1e9).fill(1).length"],
] as const;

/** What may come of each: a limit that says so, an error that the snippet gets, or its process dies of it. Never a result. */
const ENDS = /^(memory|deadline|crashed|threw)$/;

describe.each(ENGINES)("a memory bomb, on %s,", (engine) => {
  it.each(BOMBS)("of %s, costs only its run", async (_, body) => {
    expect(await endOf(engine, body)).toMatch(ENDS);
  });

  it("that catches every error, costs only its run", async () => {
    const body = "const all = []; for (;;) try { for (;;) all.push(new Array(1e5).fill(1)) } catch {}";
    expect(await endOf(engine, body)).toMatch(/^(memory|deadline|crashed)$/);
  });

  it("beside a call that is open, says how many calls were made", async () => {
    const body = "await notes.read(); const all = []; for (;;) all.push(new Array(1000).fill(1))";
    expect(await meet(engine, body)).toMatchObject({ kind: "stopped", calls: 1 });
  });
});

async function endOf(engine: Engine, body: string): Promise<string> {
  const outcome = await meet(engine, body, { limits: { wallMs: 10_000 } });
  return outcome.kind === "stopped" ? outcome.reason : outcome.kind;
}
