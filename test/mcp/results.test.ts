import { describe, expect, it } from "vitest";
import { wrapsResult } from "../../src/catalog/wrapped-result.ts";
import { LineReader } from "../../src/mcp/line-reader.ts";
import { repairResult } from "../../src/mcp/repair.ts";
import { readResult } from "../../src/mcp/results.ts";
import { parseLine } from "../../src/mcp/wire.ts";

/** What a snippet gets for a result as it came over the wire. */
const snippetValue = (result: unknown, isWrapped?: boolean): unknown => {
  // Holds as in the transport: what leaves repairResult for tools/call is a CallToolResult.
  const read = readResult(repairResult("tools/call", result) as Parameters<typeof readResult>[0], isWrapped);
  return read.kind === "value" ? read.value : { failed: read.message, data: read.data };
};
const text = (value: string) => ({ type: "text", text: value });

describe("FastMCP's wrapper", () => {
  const wrapped = { content: [], structuredContent: { result: [1] } };
  const marked = { ...wrapped, _meta: { fastmcp: { wrap_result: true } } };

  it("is taken off where the tool's schema is marked, as its type is, whatever the result says of itself", () => {
    expect(snippetValue(wrapped, true)).toEqual([1]);
    expect(snippetValue(marked, false)).toEqual({ result: [1] });
    expect(snippetValue({ content: [], structuredContent: { other: 1 } }, true)).toEqual({ other: 1 });
  });

  it("counts as marked only where there is a result to take out", () => {
    const mark = { "x-fastmcp-wrap-result": true };
    expect(wrapsResult({ ...mark, properties: { result: {} } })).toBe(true);
    expect(wrapsResult({ ...mark, properties: {} })).toBe(false);
    expect(wrapsResult({ properties: { result: {} } })).toBe(false);
    expect(wrapsResult(undefined)).toBeUndefined();
  });
});

describe("a result", () => {
  it.each([
    ["structured content before text", { content: [text("x")], structuredContent: { a: 1 } }, { a: 1 }],
    ["structured content that is a list", { content: [], structuredContent: [1] }, [1]],
    [
      "FastMCP's wrapper",
      { content: [], structuredContent: { result: [1] }, _meta: { fastmcp: { wrap_result: true } } },
      [1],
    ],
    ["an object with a result of its own", { content: [], structuredContent: { result: 1 } }, { result: 1 }],
    ["JSON in a text", { content: [text(' {"a": 1}')] }, { a: 1 }],
    ["text that only looks like JSON", { content: [text("[draft] hello")] }, "[draft] hello"],
    ["a number as text, as the server wrote it", { content: [text("42")] }, "42"],
    ["several blocks", { content: [text("a"), text("[1]")] }, ["a", [1]]],
    ["nothing", { content: [] }, null],
    ["content that is a text", { content: "hello" }, "hello"],
    ["a null beside it", { content: [text("x")], structuredContent: null, isError: null, _meta: null }, "x"],
    [
      "an image",
      { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      { kind: "image", mimeType: "image/png", bytes: 3 },
    ],
    [
      "an image as an address",
      { content: [{ type: "image", data: "data:image/gif;base64,AAAA" }] },
      { kind: "image", mimeType: "image/gif", bytes: 3 },
    ],
    ["unreadable media", { content: [{ type: "image", data: "%%%" }] }, "[image with unreadable data]"],
    ["an unknown block", { content: [{ type: "hologram", x: 1 }] }, { type: "hologram", x: 1 }],
    ["a failure", { content: [text("no such file")], isError: true }, { failed: "no such file", data: "no such file" }],
  ])("of %s", (_what, result, value) => {
    expect(snippetValue(result)).toEqual(value);
  });
});

describe("a line of a server's output", () => {
  const message = { jsonrpc: "2.0", id: 1, result: {} };

  it.each([
    ["a message", JSON.stringify(message), [message]],
    ["a batch", JSON.stringify([message, { ...message, id: 2 }]), [message, { ...message, id: 2 }]],
    ["a banner in front", `Loading... ${JSON.stringify(message)}`, [message]],
    ["a byte-order mark", `\ufeff${JSON.stringify(message)}`, [message]],
    [
      "an error beside null",
      '{"jsonrpc":"2.0","id":1,"result":null,"error":"bad"}',
      [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "bad" } }],
    ],
    ["text", "Server ready", []],
    ["JSON that is no message", '{"level":"info"}', []],
    ["nothing", "  ", []],
  ])("with %s", (_what, line, messages) => {
    expect(parseLine(line).messages).toEqual(messages);
  });
});

describe("the line reader", () => {
  const read = (limit: number, ...chunks: string[]) => {
    const seen: string[] = [];
    const reader = new LineReader(limit, {
      line: (line) => seen.push(line),
      oversized: (head) => seen.push(`too long: ${head}`),
    });
    for (const chunk of chunks) reader.push(Buffer.from(chunk));
    return seen;
  };

  it("joins pieces and splits lines wherever the chunks end", () => {
    expect(read(100, "a", "b\nc", "\n\nd", "\ne")).toEqual(["ab", "c", "", "d"]);
  });

  it("takes a line at the limit, skips one beyond it whole, and goes on", () => {
    expect(read(4, "abcd\n", "abc", "de", "fg\nok\n")).toEqual(["abcd", "too long: abcde", "ok"]);
  });
});
