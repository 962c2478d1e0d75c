import { expect, it } from "vitest";
import type { GuestAsk, GuestCall, HostAsk } from "../../sandbox/index.ts";
import { openSandbox } from "./run-snippet.ts";

/** Answers every ask with itself. */
const echoAsk: HostAsk = async (ask) => ({ kind: "value", json: JSON.stringify(ask) });

it("asks the host, with plain arguments, and is no call of a tool", async () => {
  await using guest = openSandbox();
  const calls: GuestCall[] = [];
  const outcome = await guest.run(
    `const { store } = nami;
    return await Promise.all([
      nami.search("issues"), nami.search("issues", 3), nami.describe("notes.read"),
      store.get("a"), store.set("a", { list: [1, null], at: new Date(0) }), store.delete("a"), store.keys(), notes.read({}),
    ])`,
    {
      ask: echoAsk,
      call: async (call) => {
        calls.push(call);
        return { kind: "value", json: "1" };
      },
    },
  );
  const asks: GuestAsk[] = [
    { kind: "search", query: "issues" },
    { kind: "search", query: "issues", limit: 3 },
    { kind: "describe", ref: "notes.read" },
    { kind: "get", key: "a" },
    { kind: "set", key: "a", value: { list: [1, null], at: "1970-01-01T00:00:00.000Z" } },
    { kind: "delete", key: "a" },
    { kind: "keys" },
  ];
  expect(outcome).toMatchObject({ kind: "returned", calls: 1 });
  expect(outcome.kind === "returned" && JSON.parse(outcome.json ?? "")).toEqual([...asks, 1]);
  expect(calls).toMatchObject([{ namespace: "notes", member: "read", sequence: 8 }]);
});

it("prints with nami.log as with console.log", async () => {
  await using guest = openSandbox();
  expect((await guest.run("nami.log('a', { b: 1 })")).logs).toEqual([{ level: "log", text: "a { b: 1 }" }]);
});

it("rejects what cannot be asked, in the guest or for want of a host that answers", async () => {
  await using guest = openSandbox();
  const failing: readonly (readonly [code: string, message: string])[] = [
    ["nami.search()", "nami.search needs a string."],
    ["nami.describe({})", "nami.describe needs a string."],
    ["nami.store.get(1)", "nami.store.get needs a string."],
    ["nami.store.set('a')", "nami.store.set needs a value; nami.store.delete takes one away."],
    [
      "nami.store.set('a', { f() {} })",
      "nami.store.set: the argument value.f is a function; only plain JSON values can be sent.",
    ],
    ["nami.search('a', 'many')", "nami.search was given wrong arguments."],
    ["nami.store.set('a', 'x'.repeat(100))", "at most 100 fit"],
  ];
  for (const [code, message] of failing) {
    const body = `return await ${code}.catch((error) => error.message)`;
    expect(await guest.value(body, { ask: echoAsk, limits: { argumentBytes: 100 } }), code).toContain(message);
  }
  expect(await guest.value("return await nami.store.keys().catch((error) => error.message)")).toBe(
    "nami answers no questions here.",
  );
});

it("hands over an error of the host, and the size limit of results", async () => {
  await using guest = openSandbox();
  const ask: HostAsk = async (asked) => {
    if (asked.kind === "keys") throw new Error("broken");
    return asked.kind === "get"
      ? { kind: "value", json: JSON.stringify("x".repeat(100)) }
      : { kind: "error", error: { name: "RangeError", message: "full" } };
  };
  const tell = (code: string) => `await ${code}.catch((error) => error.name + ": " + error.message)`;
  const body = `return [${tell("nami.store.set('a', 1)")}, ${tell("nami.store.keys()")}, ${tell("nami.store.get('a')")}]`;
  expect(await guest.value(body, { ask, limits: { resultBytes: 50 } })).toEqual([
    "RangeError: full",
    "ToolError: broken",
    expect.stringContaining("a snippet can take 50"),
  ]);
});

it("makes asks wait their turn beside calls", async () => {
  await using guest = openSandbox();
  let open = 0;
  let most = 0;
  const ask: HostAsk = async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    open--;
    return { kind: "value", json: "1" };
  };
  await guest.value("await Promise.all(Array.from({ length: 9 }, () => nami.store.keys()))", {
    ask,
    limits: { inFlight: 3 },
  });
  expect(most).toBe(3);
});

it("plays asks back", async () => {
  await using guest = openSandbox();
  const body = "return [await nami.search('a'), await notes.read({}), await nami.store.get('k')]";
  const first = await guest.run(body, {
    ask: async () => ({ kind: "value", json: String(Math.random()) }),
    record: true,
  });
  const { recording: replay } = first;
  if (replay === undefined) throw new Error("Nothing was recorded.");
  const again = await guest.run(body, { replay, ask: () => Promise.reject(new Error("An ask was made.")) });
  expect(again).toMatchObject({ kind: "returned", json: first.kind === "returned" ? first.json : "" });
  expect(await guest.run(body.replace("'k'", "'other'"), { replay })).toMatchObject({
    reason: "diverged",
    message: expect.stringContaining('call 3, nami.store.get({"key":"other"})'),
  });
});

it("is not disturbed by what a snippet does to built-ins", async () => {
  await using guest = openSandbox();
  const body = `
    Array.prototype[0] = "inherited";
    Object.prototype.limit = 7;
    Promise.prototype.then = () => { throw new Error("patched") };
    Promise.resolve = JSON.parse = Object.keys = undefined;
    const found = await nami.search("a");
    try { await nami.search() } catch (error) { return found.query + found.kind + Object.hasOwn(found, "limit") + error.message }`;
  expect(await guest.value(body, { ask: echoAsk })).toBe("asearchfalsenami.search needs a string.");
});
