import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../sandbox/run-snippet.ts";
import { bounded } from "./fuzz-seed.ts";
import { ENGINES } from "./stand.ts";

const VALUES = [
  ...[
    "1",
    "'text'",
    "null",
    "undefined",
    "NaN",
    "-0",
    "5n",
    "[]",
    "{}",
    "() => 1",
    "Symbol('s')",
    "globalThis",
    "notes",
    "/a/g",
  ],
  ...[
    "new Date(NaN)",
    "new Map([[1, 2]])",
    "new Proxy({}, {})",
    "new Error('e')",
    "Promise.resolve(1)",
    "new Uint8Array(4)",
    "'x'.repeat(1e5)",
  ],
  ...[
    'JSON.parse(\'{"__proto__":{"left":1}}\')',
    "{ toJSON() { throw 1 } }",
    "{ get a() { throw new Error('getter') } }",
    "{ then(done) { done(1) } }",
  ],
  ...[
    "(function* () { for (;;) yield 1 })()",
    "Object.create(null)",
    "[[[[]]]]",
    "new Array(1e6)",
    "crypto",
    "new URL('http://h')",
  ],
];

const TAMED = [
  ...[
    "for (const key of Reflect.ownKeys(Array.prototype)) try { delete Array.prototype[key] } catch {}",
    "Object.prototype.toJSON = () => 'bad'",
  ],
  ...[
    "Promise.prototype.then = undefined",
    "JSON.stringify = JSON.parse = null",
    "Object.defineProperty(Object.prototype, '0', { set() {} })",
  ],
  ...[
    "Object.defineProperty = Reflect.apply = undefined",
    "Map.prototype.get = () => 1",
    "String.prototype.slice = () => 'bad'",
    "Array.prototype[Symbol.iterator] = null",
  ],
  ...[
    "Object.freeze(Object.prototype)",
    "globalThis.Promise = globalThis.Error = 1",
    "Error.stackTraceLimit = -1",
    "Symbol.iterator; globalThis.Symbol = 1",
  ],
];

const HOSTILE = [
  ...[
    "for (;;);",
    "for (;;) await 0;",
    "await new Promise(() => {});",
    "(function f() { f() })();",
    "for (let i = 0; ; i++) notes.read({ i });",
  ],
  ...[
    "/^(a+)+$/.test('a'.repeat(40) + 'b');",
    "JSON.parse('['.repeat(5e6));",
    "for (;;) console.log('x'.repeat(1000));",
    "for (;;) setTimeout(() => {}, 1);",
  ],
  ...[
    "const all = []; for (;;) all.push(new Array(1e5).fill(1));",
    "throw null;",
    "await import('node:fs');",
    "for (;;) try { for (;;); } catch {}",
  ],
];

const value = fc.constantFrom(...VALUES);
const call = fc
  .tuple(fc.constantFrom("read", "write", "list-all"), value)
  .map(([name, arg]) => `notes["${name}"]({ a: ${arg} })`);
const leaf = fc.oneof(
  { weight: 6, arbitrary: call.map((made) => `await ${made};`) },
  { weight: 3, arbitrary: call.map((made) => `${made};`) },
  { weight: 4, arbitrary: value.map((one) => `console.log(${one});`) },
  { weight: 2, arbitrary: value.map((one) => `structuredClone(${one});`) },
  { weight: 2, arbitrary: fc.constantFrom(...TAMED).map((patch) => `${patch};`) },
  { weight: 1, arbitrary: value.map((one) => `throw ${one};`) },
  { weight: 2, arbitrary: value.map((one) => `return ${one};`) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 5 }).map((ms) => `await sleep(${ms});`) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);
const { statement } = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 8, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: tie("statement").map((inner) => `try { ${inner} } catch (error) { console.log(error) } finally {}`),
    },
    { weight: 1, arbitrary: tie("statement").map((inner) => `for (let i = 0; i < 3; i++) { ${inner} }`) },
    { weight: 1, arbitrary: tie("statement").map((inner) => `setTimeout(async () => { ${inner} }, 1);`) },
    {
      weight: 1,
      arbitrary: tie("statement").map(
        (inner) => `await Promise.allSettled([(async () => { ${inner} })(), notes.read()]);`,
      ),
    },
    { weight: 1, arbitrary: tie("statement").map((inner) => `(async () => { ${inner} })();`) },
  ),
}));
const program = fc.array(statement, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));

const LIMITS = {
  wallMs: 150,
  calls: 50,
  logLines: 100,
  logBytes: 20_000,
  outputBytes: 200_000,
  argumentTotalBytes: 1e6,
  memoryMb: 32,
};

describe.each(ENGINES)("random programs on %s", (engine) => {
  it("end with an outcome within their limits, and the next run works", async () => {
    await using guest = openSandbox(1, { engine });
    let ran = 0;
    let last: Promise<void> = Promise.resolve();
    const check = async (body: string) => {
      const outcome = await guest.run(body, { limits: LIMITS });
      expect(outcome.kind).toMatch(/^(returned|threw|stopped)$/);
      expect(outcome).not.toHaveProperty("reason", "protocol");
      expect(outcome.calls).toBeLessThanOrEqual(LIMITS.calls);
      expect(outcome.logs.length).toBeLessThanOrEqual(LIMITS.logLines);
      expect(outcome.logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(
        LIMITS.logBytes,
      );
      expect(JSON.stringify(outcome).length).toBeLessThan(1e6);
      expect({}).not.toHaveProperty("left");
      expect(await guest.value("return [await notes.read({ n: 1 }), typeof left]")).toEqual([{ n: 1 }, "undefined"]);
      ran++;
    };
    const property = fc.asyncProperty(program, (body) => {
      last = check(body);
      return last;
    });
    await fc.assert(property, bounded(10_000));
    // What the time limit interrupted must end as well.
    await last;
    console.info(`${ran} programs on ${engine}`);
    expect(ran).toBeGreaterThan(10);
  });
});
