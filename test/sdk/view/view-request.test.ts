import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import { findRequest } from "../../../src/sdk/view/view-request.ts";

const tools = (...names: string[]) => names.map((name) => ({ name, inputSchema: {} }));
const catalog = buildCatalog([
  { name: "github", tools: tools("create_issue", "get", "get args", "get args.body", "a/b.c", "odd-name") },
  { name: "my server", tools: tools("x") },
  { name: "a", tools: tools("b.c") },
  { name: "a.b", tools: tools("c") },
]);
const ask = (query: string) => {
  const request = findRequest(query, catalog);
  return request && { refs: request.tools.map(({ server, name }) => `${server}|${name}`), path: request.path };
};

describe("a request for a tool", () => {
  test.each([
    ["github.create_issue", "github|create_issue", undefined],
    ["  github.create_issue ", "github|create_issue", undefined],
    ["mcp__github__create_issue", "github|create_issue", undefined],
    ["github.create_issue args.body.fields[]", "github|create_issue", "args.body.fields[]"],
    ["github.create_issue   result", "github|create_issue", "result"],
    ["mcp__github__create_issue args", "github|create_issue", "args"],
    ['github.a/b.c args["x args.y"]', "github|a/b.c", 'args["x args.y"]'],
    ['github["odd-name"] args.x', "github|odd-name", "args.x"],
    ["my server.x args.y", "my server|x", "args.y"],
    ["my_server.x", "my server|x", undefined],
  ])("is read from %s", (query, ref, path) => {
    expect(ask(query)).toEqual({ refs: [ref], path });
  });

  test("goes to the longest name that fits", () => {
    expect(ask("github.get args.body")).toEqual({ refs: ["github|get args.body"], path: undefined });
    expect(ask("github.get args args.body")).toEqual({ refs: ["github|get args"], path: "args.body" });
    expect(ask("github.get args.title")).toEqual({ refs: ["github|get"], path: "args.title" });
  });

  test("means all tools of the same ref", () => {
    expect(ask("a.b.c args.x")).toEqual({ refs: ["a|b.c", "a.b|c"], path: "args.x" });
  });

  test.each([
    "",
    "create issue",
    "github",
    "github.create_issu",
    "github.create_issue body",
    "github.create_issue argues",
  ])("is not in %j", (query) => {
    expect(ask(query)).toBeUndefined();
  });
});
