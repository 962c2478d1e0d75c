import { expect, it } from "vitest";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

const THROWERS = [
  "new URL('x')",
  "atob('*')",
  "structuredClone(() => {})",
  "structuredClone({ get a() { throw new Error('in getter') } })",
  "new TextDecoder('x')",
  "crypto.getRandomValues(1)",
  "AbortSignal.timeout(-1)",
  "new AbortSignal()",
  "setTimeout(1)",
  "queueMicrotask(1)",
  "new URLSearchParams([1])",
  "AbortSignal.abort().throwIfAborted()",
  "await notes.read(1)",
  "await notes.read({ get a() { throw new Error('in getter') } })",
  "await notes.read({ f() {} })",
  "await notes.write({})",
  "await notes.read({}, { signal: 1 })",
  "await import('node:fs')",
  "null.x",
  "(function f() { f() })()",
];

it.skipIf(!EXPECTED.formatsStacks)(
  "shows no file, path or frame of ours in any stack that a snippet can see",
  async () => {
    await using guest = openSandbox();
    const body = `
    const stacks = [];
    for (const limit of [10, 1000]) {
      Error.stackTraceLimit = limit;
      ${THROWERS.map((one) => `try { ${one}; stacks.push("did not throw: " + ${JSON.stringify(one)}) } catch (error) { stacks.push(error.stack, String(error)) }`).join("\n")}
      const own = {}; Error.captureStackTrace(own); stacks.push(own.stack);
      const target = new EventTarget(); target.addEventListener("x", () => stacks.push(new Error("listener").stack)); target.dispatchEvent(new Event("x"));
      await new Promise((done) => setTimeout(() => { stacks.push(new Error("timer").stack); done() }, 0));
      await notes.read({}).then(() => stacks.push(new Error("after").stack));
      try { Error.prepareStackTrace(new Error("x"), [{}]) } catch (error) { stacks.push(error.stack) }
    }
    console.trace("traced");
    return stacks`;
    const call = async ({ member }: { member: string }) =>
      member === "write"
        ? ({ kind: "error", error: { name: "E", message: "no" } } as const)
        : ({ kind: "value" } as const);
    const outcome = await guest.run(body, { call });
    const text = JSON.stringify(outcome);
    expect(outcome).toMatchObject({ kind: "returned" });
    for (const ours of ["nami:", "file:", "/work", "node_modules", "isolated-vm", "worker.js", "did not throw"])
      expect(text).not.toContain(ours);
    expect(text.match(/snippet\.ts:\d+:\d+/g)?.length).toBeGreaterThan(THROWERS.length);
  },
);

it.skipIf(!EXPECTED.formatsStacks)("lets nobody take the formatting of stacks over", async () => {
  await using guest = openSandbox();
  const body = `const tries = [() => { Error.prepareStackTrace = () => "mine" }, () => delete Error.prepareStackTrace, () => Object.defineProperty(Error, "prepareStackTrace", { value: () => "mine" })];
    return tries.map((run) => { try { run() } catch {} return new Error("x").stack.startsWith("Error: x\\n    at ") })`;
  expect(await guest.value(body)).toEqual([true, true, true]);
});

it.skipIf(!EXPECTED.formatsStacks)("writes the heading of a stack as the engine does", async () => {
  await using guest = openSandbox();
  const body = `class Odd extends Error { name = "Odd" } const e = new Error("m"); e.message = "later"; const bare = {}; Error.captureStackTrace(bare);
    return [new TypeError("m"), new Error(""), new Odd("o"), e, Object.assign(new Error("x"), { name: "" })].map((one) => one.stack.split("\\n")[0]).concat(bare.stack.split("\\n")[0])`;
  expect(await guest.value(body)).toEqual(["TypeError: m", "Error", "Odd: o", "Error: later", "x", "Error"]);
});
