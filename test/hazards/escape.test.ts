import { describe, expect, it } from "vitest";
import { ENGINES, meet } from "./stand.ts";

/** Everything that a snippet gets hold of: globals, what calls give and throw, errors of the engine, what callbacks are called with. */
const ROOTS = `
  const roots = [globalThis, notes.read, notes.read({}), console.log, sleep, setTimeout, ToolError, structuredClone, this, arguments];
  const caught = (error) => void roots.push(error);
  await notes.write({ fail: 1 }).catch(caught);
  await import("node:fs").catch(caught);
  try { null.x } catch (error) { caught(error) }
  try { (function f() { f() })() } catch (error) { caught(error) }
  try { structuredClone(() => {}) } catch (error) { caught(error) }
  await new Promise((done) => setTimeout(function () { roots.push(this, arguments); done() }, 0));
  for (const make of [() => new URL("http://h"), () => crypto, () => new AbortController(), () => new TextEncoder().encode("x")]) roots.push(make());`;

const call = async ({ args }: { args: object }) =>
  Object.hasOwn(args, "fail")
    ? ({ kind: "error", error: { name: "E", message: "no", data: {} } } as const)
    : ({ kind: "value", json: '{"n":1}' } as const);

describe.each(ENGINES)("a way out, on %s:", (engine) => {
  it("no chain of constructors leads to another realm", async () => {
    const body = `${ROOTS}
      const ask = "return typeof process + typeof require + (globalThis === this)";
      return [...new Set(roots.map((root) => root?.constructor?.constructor(ask)()).filter((one) => one !== undefined))]`;
    expect(await meet(engine, body, { call })).toMatchObject({ json: '["undefinedundefinedtrue"]' });
  });

  it("no object of the host or of the engine's library is reachable from anything", async () => {
    const body = `${ROOTS}
      const seen = new Set(), odd = [], queue = [...roots];
      while (queue.length > 0) {
        const item = queue.pop();
        if (item === null || (typeof item !== "object" && typeof item !== "function") || seen.has(item)) continue;
        seen.add(item);
        let name = "";
        try { name = String(item.constructor?.name) } catch {}
        if (/^(Reference|ExternalCopy|Callback|Isolate|Context|Script|Module|Dereference|Socket|ChildProcess|Pipe|Control)$/.test(name)) odd.push(name);
        if (typeof item === "object") for (const key of ["derefInto", "applySync", "createContextSync", "mainModule", "binding"]) if (key in item) odd.push(key);
        try { queue.push(Object.getPrototypeOf(item)) } catch {}
        for (const key of Reflect.ownKeys(item)) {
          const { value, get, set } = Object.getOwnPropertyDescriptor(item, key) ?? {};
          queue.push(value, get, set);
        }
      }
      return { odd, many: seen.size > 500 }`;
    expect(await meet(engine, body, { call })).toMatchObject({ json: '{"odd":[],"many":true}' });
  });

  it("no function of ours has a caller, arguments, a prototype or a place for anything of the snippet's", async () => {
    const body = `
      const problems = [];
      for (const f of [notes.read, sleep, setTimeout, console.log, structuredClone]) {
        for (const name of ["caller", "arguments"]) { try { if (f[name]) problems.push(name) } catch {} }
        if (f.prototype !== undefined) problems.push("prototype");
        try { f.left = 1; } catch {}
        if (f.left !== undefined) problems.push("place");
        if (Object.setPrototypeOf && Reflect.setPrototypeOf(f, null)) problems.push("setPrototypeOf");
      }
      return problems`;
    expect(await meet(engine, body)).toMatchObject({ json: "[]" });
  });

  it("the source of our functions and errors shows no closure and no path", async () => {
    const body = `
      const texts = [notes.read, sleep, console.log, ToolError].map(String);
      for (const f of [() => notes.read(1), () => structuredClone(f), () => sleep(Symbol())]) { try { await f() } catch (error) { texts.push(String(error.stack)) } }
      return texts.join("")`;
    const outcome = await meet(engine, body);
    expect(outcome.kind).toBe("returned");
    expect(JSON.stringify(outcome)).not.toMatch(/\/work|\/home|\/root|node_modules|file:|worker\.js|isolate\.js/);
  });

  it("a namespace, the console and the globals of ours cannot be replaced for the code that comes after", async () => {
    const body = `
      "use strict";
      const tries = [() => { notes.read = 1 }, () => { globalThis.notes = 1 }, () => { delete globalThis.notes }, () => { console.log = 1 },
        () => Object.defineProperty(globalThis, "notes", { value: 1 }), () => Object.defineProperty(notes, "read", { value: 1 }), () => { nami.notes = 1 }];
      return tries.map((attempt) => { try { attempt(); return "done" } catch (error) { return error.name } })`;
    // QuickJS lets a fixed property of the global object have another value by defineProperty. It is the snippet's own loss.
    const redefined = engine === "quickjs" ? "done" : "TypeError";
    const expected = ["TypeError", "TypeError", "TypeError", "TypeError", redefined, "TypeError", "TypeError"];
    expect(await meet(engine, body)).toMatchObject({ json: JSON.stringify(expected) });
  });
});
