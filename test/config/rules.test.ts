import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { readSource } from "../../src/config/source.ts";

const SERVERS = '"servers": {"files": {"command": "x"}, "a.b": {"command": "y"}, "a.b.c": {"command": "z"}}';
const parse = (rule: string) => parseConfig(readSource(`{${SERVERS},\n"rules": [\n${rule}]}`, "mcp.json"), {}).rules;

describe("rules in the configuration", () => {
  it("are read with their place, both parts of their pattern, conditions and caps", () => {
    const rule =
      '{"tool": "files.r*", "decision": "allow", "when": {"path": {"under": "/n/"}, "files[].n": {"above": 1, "is": 2}}, "perRun": 3, "perDay": 4}';
    expect(parse(rule)).toEqual([
      {
        index: 0,
        place: "mcp.json:3: rules.0",
        pattern: "files.r*",
        server: "files",
        tool: "r*",
        decision: "allow",
        conditions: [
          { argument: "path", steps: ["path"], test: { kind: "under", folder: "/n" } },
          { argument: "files[].n", steps: ["files", "[]", "n"], test: { kind: "above", limit: 1 } },
          { argument: "files[].n", steps: ["files", "[]", "n"], test: { kind: "in", values: [2] } },
        ],
        perRun: 3,
        perDay: 4,
      },
    ]);
  });

  it.each([
    ["a.b.t", "a.b", "t"],
    ["*.t.u", "*", "t.u"],
    ["other.t", "other", "t"],
  ])("find the server's name in %s", (pattern, server, tool) => {
    expect(parse(`{"tool": "${pattern}", "decision": "ask"}`)).toMatchObject([{ server, tool }]);
  });

  it.each([
    ["5", 'mcp.json:3: rules.0: must be an object: { "tool": "files.read_*", "decision": "allow" }.'],
    ['{"tool": "files.*"}', 'mcp.json:3: rules.0.decision: must be "allow", "ask" or "deny".'],
    ['{"tool": "files.*", "decision": "Deny"}', 'must be "allow", "ask" or "deny".'],
    ['{"decision": "deny"}', 'rules.0.tool: must be a text: "server.tool"'],
    ['{"tool": "files", "decision": "deny"}', '"files" must be "server.tool"; every tool of a server is "files.*".'],
    ['{"tool": "*", "decision": "deny"}', 'every tool of a server is "*.*".'],
    ['{"tool": ".x", "decision": "deny"}', 'must be "server.tool"'],
    ['{"tool": "files.**", "decision": "deny"}', 'must not have blanks or "**"'],
    ['{"tool": "a.b.c.d", "decision": "deny"}', "could be of the servers a.b and a.b.c. Rename one of them."],
    [
      '{"tool": "files.*", "decision": "deny",\n"whn": {}}',
      'mcp.json:4: rules.0.whn: unknown key "whn". Known keys: tool,',
    ],
    ['{"tool": "files.*", "decision": "deny", "perRun": 1}', '"perRun" has no meaning with "deny"'],
    ['{"tool": "files.*", "decision": "ask", "perDay": 0}', "must be a whole number of calls, 1 or more."],
    ['{"tool": "files.*", "decision": "ask", "when": []}', "rules.0.when: must be an object"],
    ['{"tool": "files.*", "decision": "ask", "when": {}}', "rules.0.when: must name an argument."],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {}}}', "rules.0.when.p: must have a condition. Known"],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": "x"}}', "rules.0.when.p: must be an object of conditions."],
    ['{"tool": "files.*", "decision": "ask", "when": {"p..q": {"is": 1}}}', "is not the path of an argument."],
    ['{"tool": "files.*", "decision": "ask", "when": {"p[0]": {"is": 1}}}', "is not the path of an argument."],
    [
      '{"tool": "files.*", "decision": "ask", "when": {"p":\n{"undr": "/n"}}}',
      'mcp.json:4: rules.0.when.p.undr: unknown condition "undr". Known conditions: under, in, is,',
    ],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"under": "n"}}}', "must be the absolute path of a folder"],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"under": "/n/../x"}}}', 'without ".."'],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"in": []}}}', "must be a list of texts"],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"is": {}}}}', "must be a text, a number"],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"below": "5"}}}', "must be a number."],
    ['{"tool": "files.*", "decision": "ask", "when": {"p": {"matches": ""}}}', "must be a text in which *"],
  ])("that are wrong are refused: %s", (rule, message) => {
    expect(() => parse(rule)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(message) }),
    );
  });
});
