import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

/** Everything that a snippet can get hold of: globals, what a call gives and throws, and errors of the engine. */
const REACHABLE = `
  const roots = [globalThis, notes.read, console.log, sleep, ToolError, notes.read({}), setTimeout];
  try { await notes.write({}) } catch (error) { roots.push(error) }
  try { null.x } catch (error) { roots.push(error) }
  try { (function f() { f() })() } catch (error) { roots.push(error) }
  try { await import("node:fs") } catch (error) { roots.push(error) }`;

it("reaches no process, no require and no other realm through any constructor", async () => {
  await using guest = openSandbox();
  const body = `${REACHABLE}
    return roots.map((root) => root.constructor.constructor("return typeof process + typeof require + (globalThis === this)")())`;
  const call = async ({ member }: { member: string }) =>
    member === "write"
      ? ({ kind: "error", error: { name: "E", message: "no" } } as const)
      : ({ kind: "value", json: "{}" } as const);
  const values = await guest.value(body, { call });
  expect(new Set(values as string[])).toEqual(new Set(["undefinedundefinedtrue"]));
});

it("finds no object of isolated-vm from anything it can reach", async () => {
  await using guest = openSandbox();
  const body = `${REACHABLE}
    const seen = new Set(), odd = [], queue = [...roots];
    while (queue.length > 0) {
      const item = queue.pop();
      if (item === null || (typeof item !== "object" && typeof item !== "function") || seen.has(item)) continue;
      seen.add(item);
      const name = (() => { try { return String(item.constructor?.name) } catch { return "" } })();
      if (/^(Reference|ExternalCopy|Callback|Isolate|Context|Script|Module|Dereference)$/.test(name)) odd.push(name);
      if (typeof item === "object" && ("derefInto" in item || "applySync" in item || "createContextSync" in item)) odd.push("ivm");
      queue.push(Object.getPrototypeOf(item));
      for (const key of Reflect.ownKeys(item)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(item, key);
        queue.push(value, get, set);
      }
    }
    return { odd, many: seen.size > 500 }`;
  expect(await guest.value(body)).toEqual({ odd: [], many: true });
});

it("shows no function or receiver of ours in stack frames", async () => {
  await using guest = openSandbox();
  const body = `
    const frames = [];
    try { Error.prepareStackTrace = (_, sites) => { frames.push(...sites); return "" } } catch {}
    try { await notes.read({ get a() { new Error().stack; return 1 } }) } catch {}
    let fixed = false;
    try { Object.defineProperty(Error, "prepareStackTrace", { value: 1 }) } catch { fixed = true }
    return [frames.length, fixed]`;
  expect(await guest.value(body)).toEqual([0, true]);
});
