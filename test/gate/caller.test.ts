import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCatalog, type Catalog } from "../../src/catalog/catalog.ts";
import type { Ask, Question } from "../../src/gate/ask.ts";
import { openAudit } from "../../src/gate/audit.ts";
import { type CallRequest, createCaller, type GateOptions } from "../../src/gate/caller.ts";
import { createGrants } from "../../src/gate/grants.ts";
import { createRules } from "../../src/gate/rules.ts";
import { type Connection, connect } from "../../src/mcp/connection.ts";
import { createArgumentValidator } from "../../src/sdk/arguments/validate.ts";
import { fixtureServer } from "../fixtures/config.ts";

let folder: string;
let touched: string;
let connection: Connection;
let catalog: Catalog;
const pauses: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nami-gate-"));
  touched = join(folder, "touched");
  await writeFile(touched, "");
  connection = await connect(
    fixtureServer("counting", ["--file", touched], { safeTools: ["echo"] }),
    new AbortController().signal,
  );
  catalog = buildCatalog([connection.server]);
});
afterAll(() => connection.close());

const request = (ref: string, args: Record<string, unknown>, signal = new AbortController().signal): CallRequest => {
  const tool = catalog.find(ref);
  if (!tool) throw new Error(`no ${ref}`);
  const pauseClock = () => {
    pauses.push("pause");
    return async () => {
      pauses.push("resume");
    };
  };
  return { sequence: 1, tool, args, signal, pauseClock, onDecided: () => {} };
};

const audited = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

let files = 0;
/** A gate with its own audit file. */
function gate(options: { ask?: Ask; allow?: string[]; audit?: string } = {}): GateOptions & { file: string } {
  const file = options.audit ?? join(folder, `audit-${++files}.jsonl`);
  return {
    file,
    rules: createRules(catalog, [fixtureServer("counting", [], { safeTools: ["echo"] })], options.allow ?? [], []),
    connections: new Map([["counting", connection]]),
    audit: openAudit(file),
    ask: options.ask,
    always: createGrants(),
    onStop: () => {},
    redactValue: (value) => JSON.parse(JSON.stringify(value).replaceAll("hunter22", "[secret]")),
    validator: createArgumentValidator(),
    onProblem: () => {},
  };
}

describe("arguments that the tool's own schema does not allow", () => {
  it("are neither asked about nor sent, and the audit says so", async () => {
    const options = gate({
      ask: async () => {
        throw new Error("nobody must be asked");
      },
    });
    const outcome = await createCaller("r", options).call(request("counting.slow", { ms: "soon" }));
    expect(outcome).toEqual({
      kind: "not-sent",
      why: "invalid",
      message: 'counting.slow was not called: args.ms must be a number, but is "soon" (string).',
      data: [expect.objectContaining({ path: "args.ms" })],
    });
    expect(await audited(options.file)).toMatchObject([
      { event: "call-decided", tool: "slow", arguments: { ms: "soon" }, decision: "invalid", by: "the tool's schema" },
    ]);
  });

  it("cannot be found where the schema is of no use: the call goes its way, with one note", async () => {
    const problems: string[] = [];
    const options = { ...gate({ ask: async () => "once" }), onProblem: (problem: string) => problems.push(problem) };
    const tool = { ...request("counting.touch", {}).tool, inputSchema: { $ref: "#/nowhere" } };
    const caller = createCaller("r", options);
    for (const n of [1, 2]) {
      expect(await caller.call({ ...request("counting.touch", { n }), tool })).toMatchObject({ kind: "value" });
    }
    expect(problems).toEqual([expect.stringMatching(/^The arguments of counting\.touch were not checked .*: .*\.$/)]);
  });
});

describe("the gate", () => {
  it("runs a tool that safe_tools names, without asking", async () => {
    const ask: Ask = () => Promise.reject(new Error("must not ask"));
    const outcome = await createCaller("r", gate({ ask })).call(request("counting.echo", { a: 1 }));
    expect(outcome).toMatchObject({ kind: "value", value: { a: 1 } });
  });

  it("never lets a refused or denied call reach the server", async () => {
    const before = await readFile(touched, "utf8");
    const refused = await createCaller("r", gate()).call(request("counting.touch", { n: 1 }));
    const denied = await createCaller("r", gate({ ask: async () => "deny" })).call(request("counting.touch", { n: 2 }));
    expect(refused).toMatchObject({ kind: "not-sent", why: "refused" });
    expect(refused).toHaveProperty("message", expect.stringContaining("--allow counting.touch"));
    expect(denied).toMatchObject({ kind: "not-sent", why: "denied" });
    expect(await readFile(touched, "utf8")).toBe(before);
  });

  it("shows a question with the snippet's line, effect, hash and masked arguments, and counts what was made", async () => {
    const questions: Question[] = [];
    const ask: Ask = async (question) => {
      questions.push(question);
      return questions.length > 2 ? "later" : "once";
    };
    const options = gate({ ask });
    const caller = createCaller("r", options);
    const line = { number: 3, text: "counting.touch({ key })" };
    for (const n of [1, 2]) await caller.call({ ...request("counting.touch", { n, key: "hunter22" }), line });
    const later = await caller.call(request("counting.slow", { ms: 1 }));
    expect(questions).toMatchObject([
      { line, shown: { n: 1, key: "[secret]" }, args: { n: 1, key: "hunter22" }, effect: "unknown", made: 0 },
      { made: 1 },
      { made: 0, effect: "reads" },
    ]);
    expect((await audited(options.file))[0]).toMatchObject({ hash: questions[0]?.hash });
    expect(later).toMatchObject({ why: "refused", message: expect.stringContaining("put the decision off") });
  });

  it("sends exactly what was asked about, also when asking tries to change it", async () => {
    const ask: Ask = async ({ args }) => {
      Reflect.set(args, "n", 999);
      Reflect.set(args["deep"] as object, "x", 999);
      return "once";
    };
    await createCaller("r", gate({ ask })).call(request("counting.touch", { n: 7, deep: { x: 1 } }));
    expect(await readFile(touched, "utf8")).toContain('touch {"n":7,"deep":{"x":1}}');
  });

  it("sends nothing for a run that ended while the decision was written down", async () => {
    const before = await readFile(touched, "utf8");
    const ended = new AbortController();
    const options = gate({ allow: ["counting.touch"] });
    const audit = { ...options.audit, write: async () => ended.abort() };
    const caller = createCaller("r", { ...options, audit });
    expect(await caller.call(request("counting.touch", { n: 8 }, ended.signal))).toMatchObject({
      kind: "cancelled",
      message: expect.stringContaining("was not called: the run ended first"),
    });
    expect(await readFile(touched, "utf8")).toBe(before);
  });

  it("stops the run's clock only while it asks", async () => {
    pauses.length = 0;
    await createCaller("r", gate({ ask: async () => "once" })).call(request("counting.touch", { n: 3 }));
    await createCaller("r", gate()).call(request("counting.echo", {}));
    expect(pauses).toEqual(["pause", "resume"]);
  });

  it("tells a tool's failure, a protocol error and a cancelled call apart", async () => {
    const caller = createCaller("r", gate({ allow: ["counting.fail", "counting.protocol_error", "counting.hang"] }));
    expect(await caller.call(request("counting.fail", { message: "no such thing" }))).toMatchObject({
      kind: "tool-error",
      message: "no such thing",
    });
    expect(await caller.call(request("counting.protocol_error", {}))).toMatchObject({ kind: "error" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect(await caller.call(request("counting.hang", {}, stop.signal))).toMatchObject({ kind: "cancelled" });
    await expect.poll(() => readFile(touched, "utf8")).toContain("cancelled hang");
  });

  it("writes decision and outcome to the audit, with secrets masked and a hash of the exact arguments", async () => {
    const options = gate({ ask: async () => "deny" });
    const caller = createCaller("run-1", options);
    await caller.call(request("counting.echo", { b: "hunter22", a: 1 }));
    await caller.call(request("counting.touch", { n: 1 }));
    await options.audit.flush();
    const entries = await audited(options.file);
    expect(entries).toMatchObject([
      {
        event: "call-decided",
        run: "run-1",
        sequence: 1,
        server: "counting",
        tool: "echo",
        arguments: { b: "[secret]", a: 1 },
        decision: "allowed",
        by: "safe_tools",
      },
      { event: "call-finished", tool: "echo", outcome: "ok" },
      { event: "call-decided", tool: "touch", decision: "denied", by: "person" },
    ]);
    expect(entries[0]?.["hash"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("makes no call when the audit cannot be written", async () => {
    const before = await readFile(touched, "utf8");
    const blocked = join(folder, "a-file");
    await writeFile(blocked, "");
    const caller = createCaller("r", gate({ ask: async () => "once", audit: join(blocked, "audit.jsonl") }));
    await expect(caller.call(request("counting.touch", { n: 5 }))).rejects.toMatchObject({ code: "AUDIT_UNWRITABLE" });
    expect(await readFile(touched, "utf8")).toBe(before);
  });
});

describe("rules", () => {
  it("refuse an allowed ref that names no tool, with the nearest names", () => {
    expect(() => createRules(catalog, [], ["counting.tuoch"], [])).toThrow(
      expect.objectContaining({
        code: "TOOL_UNKNOWN",
        message: expect.stringContaining("Did you mean counting.touch"),
      }),
    );
  });

  it("accept mcp__server__tool", () => {
    const rules = createRules(catalog, [], ["mcp__counting__touch"], []);
    expect(rules.rule(request("counting.touch", {}).tool)).toEqual({ kind: "allow", rule: "--allow" });
  });

  it("are of one server's tool, also where another server's has the same ref", () => {
    const twins = buildCatalog([
      { name: "a", tools: [{ name: "b.c", inputSchema: {} }] },
      { name: "a.b", tools: [{ name: "c", inputSchema: {} }] },
    ]);
    const rules = createRules(twins, [fixtureServer("a", [], { safeTools: ["b.c"] })], [], []);
    expect(twins.tools.map((tool) => [tool.server, rules.rule(tool).kind])).toEqual([
      ["a", "allow"],
      ["a.b", "ask"],
    ]);
    expect(() => createRules(twins, [], ["a.b.c"], [])).toThrow(expect.objectContaining({ code: "TOOL_UNKNOWN" }));
  });

  it("never allow by a server's own word: a read-only hint still asks", () => {
    const hinted = buildCatalog([
      { name: "s", tools: [{ name: "t", inputSchema: {}, annotations: { readOnlyHint: true } }] },
    ]).tools[0];
    expect(hinted && createRules(catalog, [], [], []).rule(hinted).kind).toBe("ask");
  });

  it("warn about a name in safe_tools that the server does not have", () => {
    const { warnings } = createRules(catalog, [fixtureServer("counting", [], { safeTools: ["Echo"] })], [], []);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^safe_tools of "counting": no connected server .* "counting\.Echo"\. Did you mean counting\.echo /,
      ),
    ]);
  });
});
