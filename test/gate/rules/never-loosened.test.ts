import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCatalog } from "../../../src/catalog/catalog.ts";
import { parseConfig } from "../../../src/config/parse.ts";
import type { RuleEntry } from "../../../src/config/rules.ts";
import { objectSource } from "../../../src/config/source.ts";
import type { Ask } from "../../../src/gate/ask.ts";
import { type Audit, openAudit } from "../../../src/gate/audit.ts";
import { type Caller, createCaller } from "../../../src/gate/caller.ts";
import { createGrants } from "../../../src/gate/grants.ts";
import { openDayCounts } from "../../../src/gate/rules/day-counts.ts";
import { createRules } from "../../../src/gate/rules.ts";
import { type Connection, connect } from "../../../src/mcp/connection.ts";
import { createArgumentValidator } from "../../../src/sdk/arguments/validate.ts";
import { fixtureServer } from "../../fixtures/config.ts";

let folder: string;
let touched: string;
let connection: Connection;
let audit: Audit;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nami-rules-"));
  touched = join(folder, "touched");
  audit = openAudit(join(folder, "audit.jsonl"));
  connection = await connect(fixtureServer("counting", ["--file", touched]), new AbortController().signal);
});
beforeEach(() => writeFile(touched, ""));
afterAll(async () => {
  await connection.close();
  await audit[Symbol.asyncDispose]();
});

/** The arguments of every call that reached the server. */
const reached = async (): Promise<unknown[]> =>
  (await readFile(touched, "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("touch "))
    .map((line) => JSON.parse(line.slice("touch ".length)));

/** A gate with these rules before the real server, and what calls its `touch`. */
function gate(rules: readonly RuleEntry[], { ask }: { ask?: Ask } = {}) {
  const catalog = buildCatalog([connection.server]);
  const config = parseConfig(objectSource({ servers: { counting: { command: "x" } }, rules }), {});
  const caller = createCaller("r", {
    rules: createRules(catalog, config.servers, [], [], {
      rules: config.rules,
      days: openDayCounts(join(folder, "days")),
    }),
    connections: new Map([["counting", connection]]),
    audit,
    validator: createArgumentValidator(),
    ask,
    always: createGrants(),
    onStop: () => {},
    redactValue: (value) => value,
    onProblem: () => {},
  });
  const tool = catalog.find("counting.touch");
  if (tool === undefined) throw new Error("no touch");
  return (args: Record<string, unknown>): ReturnType<Caller["call"]> =>
    caller.call({
      sequence: 1,
      tool,
      args,
      signal: new AbortController().signal,
      pauseClock: () => async () => {},
      onDecided: () => {},
    });
}

const names = fc.constantFrom("path", "n", "__proto__", "constructor", "toString", "files", "Path", "path\0");
const paths = fc
  .array(fc.constantFrom("/", "n", "..", ".", "//", "N", "~", "\\", "\0", "%2e", "file:", "x", "\u202e", " "), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));
const values = fc.oneof(
  paths,
  fc.constantFrom("/n/a", "/n", "/n/b/c"),
  fc.integer({ min: -9, max: 9 }),
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.constant("/n/".padEnd(200_000, "x")),
);
const hostile = fc.dictionary(names, values, { maxKeys: 5 });

describe("whatever a call's arguments are", () => {
  it("a deny stays a denial that names its rule, also where somebody would say yes, and reaches no server", async () => {
    const call = gate(
      [
        { tool: "*.*", decision: "allow" },
        { tool: "counting.*", decision: "allow" },
        { tool: "counting.touch", decision: "deny" },
      ],
      { ask: async () => "tool" },
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (args) => {
        expect(await call(args)).toMatchObject({
          kind: "not-sent",
          why: "denied",
          message: expect.stringContaining("a rule of the user forbids it (rules[2] counting.touch)"),
        });
      }),
      { numRuns: 150 },
    );
    expect(await reached()).toEqual([]);
    expect(await readFile(join(folder, "audit.jsonl"), "utf8")).toContain('"by":"rules[2] counting.touch"');
  });

  it("an ask that nobody or a broken person answers reaches no server, in any order of calls", async () => {
    const asks: (Ask | undefined)[] = [
      undefined,
      async () => "deny",
      () => Promise.reject(new Error("broken")),
      () => {
        throw new Error("broken");
      },
    ];
    for (const ask of asks) {
      const call = gate([{ tool: "counting.*", decision: "ask" }], { ...(ask && { ask }) });
      await fc.assert(
        fc.asyncProperty(fc.array(hostile, { maxLength: 6 }), async (calls) => {
          for (const outcome of await Promise.all(calls.map(call))) expect(outcome.kind).toBe("not-sent");
        }),
        { numRuns: 25 },
      );
    }
    expect(await reached()).toEqual([]);
  });

  it("an allow with conditions lets through only what surely meets them", async () => {
    const when = { path: { under: "/n" }, n: { atMost: 5 } };
    const call = gate([{ tool: "counting.touch", decision: "allow", when }]);
    await fc.assert(
      fc.asyncProperty(hostile, async (args) => void (await call(args))),
      { numRuns: 300 },
    );
    await call({ path: "/n/a", n: 5 });
    const sent = await reached();
    expect(sent).toContainEqual({ path: "/n/a", n: 5 });
    for (const args of sent) {
      expect(args).toMatchObject({ path: expect.stringMatching(/^\/n(\/|$)/), n: expect.any(Number) });
      const { path, n } = args as { path: string; n: number };
      expect(n <= 5 && !path.split("/").includes("..")).toBe(true);
    }
  });

  it("a deny with conditions lets through only what surely fails them", async () => {
    const call = gate([
      { tool: "*.*", decision: "allow" },
      { tool: "counting.touch", decision: "deny", when: { path: { under: "/n" } } },
    ]);
    await fc.assert(
      fc.asyncProperty(hostile, async (args) => void (await call(args))),
      { numRuns: 300 },
    );
    await call({ path: "/elsewhere" });
    const sent = await reached();
    expect(sent).toContainEqual({ path: "/elsewhere" });
    for (const args of sent) {
      const { path } = args as { path: string };
      expect(path).toEqual(expect.stringMatching(/^\//));
      expect(path.split(/[/\\]/)[1]?.toLowerCase()).not.toBe("n");
      expect(path).not.toContain("..");
    }
  });

  it("parallel calls do not overshoot a cap", async () => {
    const rules: RuleEntry[] = [{ tool: "counting.touch", decision: "allow", perRun: 7, perDay: 10 }];
    const runs = [gate(rules), gate(rules)];
    await Promise.all(runs.flatMap((call) => Array.from({ length: 20 }, (_, n) => call({ n }))));
    expect(await reached()).toHaveLength(10);
  });
});
