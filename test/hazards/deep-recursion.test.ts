import { describe, expect, it } from "vitest";
import { ENGINES, meet, SOON } from "./stand.ts";

const DEEP = [
  ["a function that calls itself", "(function f() { f() })()"],
  ["a getter that reads itself", "const o = { get a() { return this.a } }; o.a"],
  ["a proxy of itself", "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x"],
  ["JSON text nested too deeply", "JSON.parse('['.repeat(5e6) + ']'.repeat(5e6))"],
  ["a regular expression nested too deeply", "new RegExp('('.repeat(1e6) + ')'.repeat(1e6))"],
  ["code nested too deeply", "(0, eval)('['.repeat(1e6))"],
  ["a result nested too deeply", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a"],
  ["an argument nested too deeply", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; await notes.read({ a })"],
  [
    "a printed value nested too deeply",
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; console.log(a); throw new Error('end')",
  ],
  [
    "a structuredClone nested too deeply",
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; structuredClone(a); throw new Error('end')",
  ],
  [
    "a chain of prototypes",
    "let a = {}; for (let i = 0; i < 1e5; i++) a = Object.create(a); a.x; throw new Error('end')",
  ],
  ["recursion in catch and finally", "const f = () => { try { f() } catch { f() } finally { f() } }; f()"],
  [
    "bound functions in a row",
    "let f = () => {}; for (let i = 0; i < 1e5; i++) f = f.bind(); f(); throw new Error('end')",
  ],
  ["causes in a row", "let e = new Error(); for (let i = 0; i < 1e5; i++) e = new Error('x', { cause: e }); throw e"],
] as const;

describe.each(ENGINES)("recursion without end, on %s:", (engine) => {
  it.each(DEEP)("%s costs only its run", async (_, body) => {
    const outcome = await meet(engine, body, { limits: { ...SOON, wallMs: 3000 } });
    expect(outcome.kind).toMatch(/^(threw|stopped)$/);
    expect(outcome).not.toHaveProperty("reason", "protocol");
  });

  it("can be caught by the snippet that made it", async () => {
    const body = "const f = () => f(); try { f() } catch (error) { return error instanceof Error }";
    expect(await meet(engine, body)).toMatchObject({ kind: "returned", json: "true" });
  });
});
