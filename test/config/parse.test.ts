import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { readSource } from "../../src/config/source.ts";

const parse = (text: string, environment: Record<string, string> = {}) =>
  parseConfig(readSource(text, "mcp.json"), environment);

/** The message for the one server in a configuration. */
const problemOf = (entry: string): string | undefined =>
  parse(`{\n  "servers": {\n    "s": ${entry}\n  }\n}`).problems[0]?.message;

describe("a configuration", () => {
  it("has servers with what the file says and defaults for the rest", () => {
    const { servers, problems } = parse(
      '{"servers": {"a": {"command": "x", "args": ["1"], "env": {"K": "v"}, "cwd": "/d", "safe_tools": ["t"]}, "b": {"command": "y"}}}',
    );
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      { name: "a", command: "x", args: ["1"], env: { K: "v" }, cwd: "/d", safeTools: ["t"], startTimeoutMs: 30_000 },
      { name: "b", command: "y", args: [], env: {}, safeTools: [], startTimeoutMs: 30_000 },
    ]);
  });

  it("may set limits of runs and how the sandbox runs, each with its place", () => {
    const { limits, sandbox } = parse(
      '{"limits": {"calls": 5,\n"wallMs": 100},\n"sandbox": {"engine": "quickjs", "wrap": ["firejail"]}}',
    );
    expect(limits).toEqual([
      { name: "calls", value: 5, place: "mcp.json:1: limits.calls" },
      { name: "wallMs", value: 100, place: "mcp.json:2: limits.wallMs" },
    ]);
    expect(sandbox).toEqual({ engine: "quickjs", wrap: ["firejail"] });
    expect(parse('{"sandbox": {"wrap": "bwrap"}}').sandbox).toEqual({ wrap: "bwrap" });
    expect(parse("{}")).toMatchObject({ limits: [], sandbox: {} });
  });

  it("may have comments, trailing commas and a byte-order mark, and may be empty", () => {
    expect(parse('\ufeff{ // mine\n "servers": {"a": {"command": "x",},}, }').servers).toHaveLength(1);
    expect(parse("").servers).toEqual([]);
    expect(parse("{}").servers).toEqual([]);
  });

  it("takes server names that are special in JavaScript as names", () => {
    const { servers } = parse('{"servers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}');
    expect(servers.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  });

  it.each([
    ['{"servers": [\n}', "mcp.json:2: not valid JSON: value expected."],
    [
      '{"servers": {"a": {"command": "x"},\n"a": {"command": "y"}}}',
      'mcp.json:2: "a" is there twice. Rename or remove one.',
    ],
    ["[]", 'mcp.json:1: the top level must be an object: { "servers": { … } }.'],
    ['{"mcpServers": {}}', 'mcp.json:1: mcpServers: unknown key "mcpServers". Rename it to "servers".'],
    ['{"limits": {"calls": "5"}}', "mcp.json:1: limits.calls: must be a number."],
    ['{"limits": 5}', 'mcp.json:1: limits: must be an object: { "calls": 2000 }.'],
    ['{"sandbox": {"engin": "x"}}', 'mcp.json:1: sandbox: unknown key "engin". Known keys: engine, wrap.'],
    ['{"sandbox": {"engine": "v8"}}', 'mcp.json:1: sandbox: "engine" must be "auto", "isolated-vm" or "quickjs".'],
    ['{"theme": 1}', 'mcp.json:1: theme: unknown key "theme". Known keys: servers, limits, sandbox, rules.'],
    ['{"servers": []}', 'mcp.json:1: servers: must be an object: { "name": { "command": … } }.'],
  ])("that is wrong as a whole is refused: %s", (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
  });

  it.each([
    [
      '{"comand": "x"}',
      "servers.s.comand: unknown key. Known keys: command, args, env, cwd, safe_tools, start_timeout.",
    ],
    ['{"command": "x", "safeTools": []}', 'servers.s.safeTools: unknown key. Did you mean "safe_tools"?'],
    ['{"command": "x", "arg": []}', 'servers.s.arg: unknown key. Did you mean "args"?'],
    ['{"args": []}', "servers.s.command: missing: name the program that starts the server."],
    ['{"command": ""}', "servers.s.command: must not be empty."],
    ['{"command": 1}', "servers.s.command: must be a text (expected string, received number)."],
    ['{"command": "x", "args": ["a", 2]}', "servers.s.args.1: must be a text (expected string, received number)."],
    ['{"command": "x", "env": {"A": 1}}', "servers.s.env.A: must be a text (expected string, received number)."],
    ["[]", "servers.s: must be an object (expected object, received array)."],
    [
      '{"url": "https://x"}',
      'servers.s.url: servers over HTTP ("url") are not supported; this version starts servers by "command".',
    ],
  ])("says file, line, key and the way out for a wrong entry: %s", (entry, message) => {
    expect(problemOf(entry)).toBe(`mcp.json:3: ${message}`);
  });

  it("loses only the entry that is wrong", () => {
    const { servers, problems } = parse('{"servers": {"bad": {}, "good": {"command": "x"}}}');
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ server }) => server)).toEqual(["bad"]);
  });

  it("takes variables from the environment, with defaults, in every text of an entry", () => {
    const { servers } = parse(
      '{"servers": {"a": {"command": "${A}/x", "args": ["${NONE:-d}", "$A", "${EMPTY:-e}"], "env": {"T": "${A}${A}"}, "cwd": "${A}"}}}',
      { A: "1", EMPTY: "" },
    );
    expect(servers[0]).toMatchObject({ command: "1/x", args: ["d", "$A", "e"], env: { T: "11" }, cwd: "1" });
  });

  it("fails a server whose variable is not set rather than sending the literal", () => {
    const { servers, problems } = parse('{"servers": {"a": {"command": "x", "env": {"T": "Bearer ${TOKEN}"}}}}');
    expect(servers).toEqual([]);
    expect(problems[0]?.message).toBe(
      "mcp.json:1: servers.a.env.T: environment variable TOKEN is not set. Set it, or give a default: ${TOKEN:-value}.",
    );
  });
});

describe("the secrets of a configuration", () => {
  const secretsOf = (entry: string): readonly string[] =>
    parse(`{"servers": {"a": ${entry}}}`, { MY_PASSWORD: "from-the-environment" }).secrets;

  it.each([
    ['{"command": "x", "env": {"API_KEY": "hunter22"}}', "hunter22"],
    ['{"command": "x", "env": {"githubToken": "hunter22"}}', "hunter22"],
    ['{"command": "x", "env": {"SETTING": "sk_a1b2c3d4e5f6a7b8c9d0e1"}}', "sk_a1b2c3d4e5f6a7b8c9d0e1"],
    ['{"command": "x", "env": {"DATABASE_URL": "postgres://u:pa55word@host/db"}}', "pa55word"],
    ['{"command": "x", "env": {"HEADERS": "{\\"Authorization\\": \\"Bearer hunter22\\"}"}}', "hunter22"],
    ['{"command": "x", "args": ["--token", "letmein1"]}', "letmein1"],
    ['{"command": "x", "args": ["--api-key=letmein2"]}', "letmein2"],
    ['{"command": "x", "args": ["mysql://u:hunter33@h/d"]}', "hunter33"],
    ['{"command": "x", "args": ["--header", "Authorization: Bearer abcdef123"]}', "abcdef123"],
    ['{"command": "x", "args": ["PRIVATE-TOKEN: hunter44"]}', "hunter44"],
    ['{"command": "x", "args": ["https://h/mcp?a=1&api_key=hunter55"]}', "hunter55"],
    ['{"command": "x", "args": ["https://h/mcp?api_key=hunter55&region=eu"]}', "hunter55"],
    ['{"command": "x", "args": ["--url", "https://h/mcp?apiKey=hunter55"]}', "hunter55"],
    ['{"command": "x", "args": ["https://h/cb#access_token=hunter55"]}', "hunter55"],
    ['{"command": "x", "env": {"JSON": "{\\"url\\": \\"https://h/?token=hunter55\\"}"}}', "hunter55"],
    ['{"command": "x", "env": {"SQL": "Server=x;User=y;Password=hunter55;"}}', "hunter55"],
    ['{"command": "x", "args": ["--header=X-Api-Key: hunter55"]}', "hunter55"],
    ['{"command": "x", "args": ["${MY_PASSWORD}"]}', "from-the-environment"],
    ['{"command": "x", "args": ["--header=X: ${MY_PASSWORD}"]}', "from-the-environment"],
  ])("include what looks like one: %s", (entry, secret) => {
    expect(secretsOf(entry)).toContain(secret);
  });

  it("do not include ordinary settings, which would make output unreadable", () => {
    const env = {
      LOG_LEVEL: "error",
      PORT: "3000",
      USE_AUTH: "true",
      AUTHOR: "somebody",
      PWD: "/home/me",
      DB: "sales-2026-11-report.csv",
      CACHE_KEY_PREFIX: "orders",
      MODEL: "claude-sonnet-4-5-20250929",
      HOME_URL: "https://example.test/a?page=2",
    };
    const args = [
      "/home/me/files",
      "--verbose",
      "--key-format",
      "short-one",
      "--no-auth",
      "/srv/data",
      "--primary-key",
      "user_id",
      "--use-token",
      "--verbose-mode",
      "@scope/server-name@2026.8.31",
    ];
    expect(secretsOf(JSON.stringify({ command: "x", args, env }))).toEqual([]);
  });
});
