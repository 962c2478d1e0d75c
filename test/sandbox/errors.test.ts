import { expect, it } from "vitest";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

const { columns } = EXPECTED;

it("gives a thrown error with its place, its own data and only the snippet's frames", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run(`
const fail = () => { throw Object.assign(new TypeError("bad"), { code: "E1" }) };
  fail();`);
  expect(outcome).toMatchObject({
    kind: "threw",
    error: {
      name: "TypeError",
      message: "bad",
      data: { code: "E1" },
      stack: `at fail (snippet.ts:2:${columns.thrown})\nat __nami__ (snippet.ts:3:${columns.calledFunction})`,
    },
  });
});

it("gives the place of a syntax error", async () => {
  await using guest = openSandbox();
  expect(await guest.run("\n  const = 3")).toMatchObject({
    kind: "threw",
    error: { name: "SyntaxError", message: EXPECTED.syntaxError, stack: "at snippet.ts:2:9" },
  });
});

it("gives a failed call as a ToolError with the tool, the data and the place of the call", async () => {
  await using guest = openSandbox();
  const error = { name: "PermissionError", message: "no", data: { why: [1] } };
  const options = { call: async () => ({ kind: "error", error }) as const };
  expect(await guest.run("\n  await notes.read({})", options)).toMatchObject({
    kind: "threw",
    error: { ...error, data: { why: [1] }, tool: "notes.read", stack: `at __nami__ (snippet.ts:2:${columns.call})` },
  });
  const caught =
    "try { await notes.read({}) } catch (e) { return [e instanceof ToolError, e.name, e.message, e.tool, e.data] }";
  expect(await guest.value(caught, options)).toEqual([true, "PermissionError", "no", "notes.read", { why: [1] }]);
});

it("does not believe an error that only says it came from a call", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run(`throw new ToolError("fake", { tool: "notes.read" })`);
  expect(outcome).toMatchObject({ kind: "threw", error: { message: "fake" } });
  expect(outcome).not.toHaveProperty("error.tool");
});

it("makes an error of whatever is thrown", async () => {
  await using guest = openSandbox();
  expect(await guest.run("throw 'text'")).toMatchObject({ error: { name: "Error", message: "text" } });
  expect(await guest.run("throw { a: 1 }")).toMatchObject({ error: { message: "{ a: 1 }", data: { a: 1 } } });
  expect(await guest.run("throw undefined")).toMatchObject({ error: { message: "undefined" } });
  const proxy = "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })";
  expect(await guest.run(proxy)).toMatchObject({ kind: "threw", error: { message: "An error that cannot be read." } });
});

it("says so if the code has no snippet in it", async () => {
  await using guest = openSandbox();
  const run = { filename: "snippet.ts", tools: new Map(), call: async () => ({ kind: "value" }) as const };
  expect(await guest.sandbox.run({ ...run, code: "1" })).toMatchObject({
    kind: "threw",
    error: { message: "The code declares no function __nami__." },
  });
});

it("lets a snippet extend ToolError", async () => {
  await using guest = openSandbox();
  const body = "class Gone extends ToolError { constructor(m) { super(m); this.name = 'Gone'; } } throw new Gone('x')";
  expect(await guest.run(body)).toMatchObject({ kind: "threw", error: { name: "Gone", message: "x" } });
  expect(await guest.value("return [new ToolError('x').name, String(new ToolError('x'))]")).toEqual([
    "ToolError",
    "ToolError: x",
  ]);
});

it("knows errors whatever a snippet makes of instanceof", async () => {
  await using guest = openSandbox();
  const body = `try { Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } }) } catch {}
    throw new TypeError("boom")`;
  expect(await guest.run(body)).toMatchObject({ kind: "threw", error: { name: "TypeError", message: "boom" } });
});
