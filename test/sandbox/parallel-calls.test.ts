import { expect, it } from "vitest";
import type { GuestCall, HostCall } from "../../sandbox/index.ts";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

/** Answers after every call that is in flight has had its turn, and counts. */
function counting() {
  const seen: GuestCall[] = [];
  let inFlight = 0;
  let most = 0;
  const call: HostCall = async (made) => {
    seen.push(made);
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inFlight--;
    return { kind: "value", json: String(made.sequence) };
  };
  return { call, seen, most: () => most };
}

it("makes the calls of one Promise.all at the same time", async () => {
  await using guest = openSandbox();
  const { call, most } = counting();
  const body = "return await Promise.all([1, 2, 3, 4, 5].map((n) => notes.read({ n })))";
  expect(await guest.value(body, { call })).toEqual([1, 2, 3, 4, 5]);
  expect(most()).toBe(5);
});

it("lets calls over the limit of 16 in flight wait their turn, in order", async () => {
  await using guest = openSandbox();
  const { call, most, seen } = counting();
  const body =
    "const all = await Promise.all(Array.from({ length: 200 }, (_, n) => notes.read({ n }))); return all.length";
  expect(await guest.value(body, { call })).toBe(200);
  expect(most()).toBe(16);
  expect(seen.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  expect(seen.map(({ args }) => args["n"])).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

it("tells where in the code each call was made", async () => {
  await using guest = openSandbox();
  const { call, seen } = counting();
  await guest.run("\n  await notes.read({ id: 1 });\n    await notes['list-all']();", { call });
  expect(seen).toEqual([
    { sequence: 1, namespace: "notes", member: "read", args: { id: 1 }, line: 2, column: EXPECTED.columns.call },
    { sequence: 2, namespace: "notes", member: "list-all", args: {}, line: 3, column: 28 },
  ]);
});

it("tells the place of the first 100 calls of a turn, and for later ones where the same tool was called last among them", async () => {
  await using guest = openSandbox();
  const { call, seen } = counting();
  const body = `
    const all = [];
    for (let n = 0; n < 50; n++) all.push(notes.read(),
      notes.read());
    all.push(
      notes.read(),
      notes.write());
    await Promise.all(all);
    await notes.read();`;
  await guest.run(body, { call });
  const lines = seen.map(({ line }) => line);
  expect(lines.slice(0, 4)).toEqual([3, 4, 3, 4]);
  expect(lines.slice(98)).toEqual([3, 4, 4, 7, 9]);
});

it("answers with undefined for an empty reply, and fails a call whose reply is no JSON", async () => {
  await using guest = openSandbox();
  expect(await guest.value("return typeof await notes.read()", { call: async () => ({ kind: "value" }) })).toBe(
    "undefined",
  );
  const broken: HostCall = async ({ sequence }) => ({ kind: "value", json: sequence === 1 ? "{" : "2" });
  const body =
    "return (await Promise.allSettled([notes.read(), notes.read()])).map((each) => each.reason?.message ?? each.value)";
  expect(await guest.value(body, { call: broken })).toEqual(["the reply cannot be read as JSON", 2]);
});

it("fails the call if the host rejects", async () => {
  await using guest = openSandbox();
  const call: HostCall = () => Promise.reject(new Error("host bug"));
  expect(await guest.run("await notes.read()", { call })).toMatchObject({
    kind: "threw",
    error: { name: "ToolError", message: "host bug", tool: "notes.read" },
  });
});
