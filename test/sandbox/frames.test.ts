import { describe, expect, it } from "vitest";
import { parseCallHeads, parseFrame, parseGuestError } from "../../sandbox/frames.ts";

describe("parseFrame", () => {
  it.each([
    { kind: "ready" },
    { kind: "pong", run: 1 },
    { kind: "calls", run: 1, heads: "[]", bodies: "" },
    { kind: "timer", run: 1, id: 1, ms: 0.5 },
    { kind: "logs", run: 1, lines: [{ level: "log", text: "" }], cut: false },
    { kind: "settled", run: 1, result: { kind: "returned", json: undefined }, open: 0, unawaited: 0 },
    { kind: "stopped", run: 1, reason: "memory" },
    { kind: "stopped", run: 1, reason: "cpu", ms: 5 },
  ])("accepts $kind", (frame) => {
    expect(parseFrame(frame)).toEqual(frame);
  });

  it.each([
    undefined,
    null,
    "ready",
    [],
    {},
    { kind: "toString", run: 1 },
    { kind: "pong" },
    { kind: "pong", run: -1 },
    { kind: "pong", run: "1" },
    { kind: "calls", run: 1, heads: [], bodies: "" },
    { kind: "timer", run: 1, id: 1, ms: Number.NaN },
    { kind: "timer", run: 1, id: 1, ms: 2 ** 31 },
    { kind: "logs", run: 1, lines: [{ level: "constructor", text: "" }], cut: false },
    { kind: "logs", run: 1, lines: [{ level: "log", text: 1 }], cut: false },
    { kind: "settled", run: 1, result: { kind: "returned", json: 1 }, open: 0, unawaited: 0 },
    { kind: "settled", run: 1, result: { kind: "threw" }, open: 0, unawaited: 0 },
    { kind: "settled", run: 1, result: { kind: "returned", json: "1" }, open: 0.5, unawaited: 0 },
    { kind: "stopped", run: 1, reason: "calls" },
    { kind: "stopped", run: 1, reason: "cpu" },
  ])("refuses %j", (message) => {
    expect(parseFrame(message)).toBeUndefined();
  });
});

it("refuses heads of calls that are none", () => {
  expect(parseCallHeads("[[0,1,2,3,4],[0,0,0]]")).toEqual([
    { namespace: 0, member: 1, length: 2, line: 3, column: 4 },
    { namespace: 0, member: 0, length: 0 },
  ]);
  for (const text of ["", "{}", "[1]", "[[1]]", '[["0",1,2]]', "[[-1,0,0]]", "[[0,0,1e99]]"]) {
    expect(parseCallHeads(text), text).toBeUndefined();
  }
});

it("keeps only the snippet's frames of an error, and refuses what is no error", () => {
  const stack =
    "\n    at read (snippet.ts:1:2)\n    at main (nami:prelude:1:1)\n    at async snippet.ts:3:4\n    snippet.ts:9:9";
  expect(parseGuestError(JSON.stringify({ name: "E", message: "m", stack, tool: 1 }), "snippet.ts")).toEqual({
    name: "E",
    message: "m",
    stack: "at read (snippet.ts:1:2)\nat async snippet.ts:3:4",
  });
  for (const text of ["", "null", "[]", '{"name":"E"}', '{"name":1,"message":"m"}']) {
    expect(parseGuestError(text, "snippet.ts"), text).toBeUndefined();
  }
});
