import { describe, expect, it } from "vitest";
import type { RuleEntry } from "../../../src/config/rules.ts";
import { ruleSet } from "./rule-set.ts";

const SERVERS = { files: ["read", "write", "delete_all"], mail: ["send", "read"] };

const deciding = (entries: RuleEntry[], ref: string, args: object = {}, options = {}): string => {
  const { rules, tool } = ruleSet(SERVERS, entries, options);
  const { kind, rule } = rules.rule(tool(ref), args);
  return `${kind} ${rule}`;
};

describe("the most specific rule decides", () => {
  const allow = (tool: string, more = {}): RuleEntry => ({ tool, decision: "allow", ...more });
  const ask = (tool: string, more = {}): RuleEntry => ({ tool, decision: "ask", ...more });
  const deny = (tool: string, more = {}): RuleEntry => ({ tool, decision: "deny", ...more });

  it.each<[string, RuleEntry[], string, string]>([
    ["nothing said", [], "files.read", "ask default"],
    ["another tool's rule", [allow("files.read")], "files.write", "ask default"],
    ["another server's rule", [allow("mail.*")], "files.read", "ask default"],
    ["a pattern", [allow("files.re*")], "files.read", "allow rules[0] files.re*"],
    ["exact before pattern", [deny("files.*"), allow("files.read")], "files.read", "allow rules[1] files.read"],
    ["exact server before long pattern", [allow("*il*.*read"), deny("files.*")], "files.read", "deny rules[1] files.*"],
    ["more letters first", [deny("files.*"), allow("files.r*")], "files.read", "allow rules[1] files.r*"],
    ["more letters in any server", [deny("*.*"), allow("*.read")], "mail.read", "allow rules[1] *.read"],
    ["the first of two equal ones", [ask("files.read"), deny("files.read")], "files.read", "ask rules[0] files.read"],
    [
      "more conditions first",
      [allow("files.read"), deny("files.read", { when: { path: { under: "/secret" } } })],
      "files.read",
      "deny rules[1] files.read",
    ],
  ])("%s", (_, entries, ref, expected) => {
    expect(deciding(entries, ref, { path: "/secret/a" })).toBe(expected);
  });

  it("with safe_tools as exact names that come after rules of the same tool and before patterns", () => {
    const options = { safe: { files: ["read"] } };
    expect(deciding([deny("files.*")], "files.read", {}, options)).toBe("allow safe_tools");
    expect(deciding([deny("files.read")], "files.read", {}, options)).toBe("deny rules[0] files.read");
  });

  it("and --allow lifts ask, never deny", () => {
    const options = { allow: ["files.read"] };
    expect(deciding([], "files.read", {}, options)).toBe("allow --allow");
    expect(deciding([ask("files.read")], "files.read", {}, options)).toBe("allow --allow");
    expect(deciding([deny("*.*")], "files.read", {}, options)).toBe("deny rules[0] *.*");
  });

  it("an allow only where its conditions surely hold, an ask or deny unless one surely fails", () => {
    const when = { path: { under: "/n" }, size: { below: 9 } };
    const cases: [object, string, string][] = [
      [{ path: "/n/a", size: 1 }, "allow rules[0] files.*", "deny rules[0] files.*"],
      [{ path: "/x/a", size: 1 }, "ask default", "ask default"],
      [{ path: "/n/a", size: 9 }, "ask default", "ask default"],
      [{ path: "n/a", size: 1 }, "ask default", "deny rules[0] files.*"],
      [{ path: "/n/a" }, "ask default", "deny rules[0] files.*"],
      [{ path: "n/a", size: 9 }, "ask default", "ask default"],
      [{}, "ask default", "deny rules[0] files.*"],
    ];
    for (const [args, allowed, denied] of cases) {
      expect(deciding([allow("files.*", { when })], "files.read", args)).toBe(allowed);
      expect(deciding([deny("files.*", { when })], "files.read", args)).toBe(denied);
    }
  });
});

describe("a server's own word", () => {
  const destructive = { name: "wipe", inputSchema: {}, annotations: { destructiveHint: true, readOnlyHint: true } };
  const ruling = (pattern: string, annotated: object = {}) => {
    const { rules, tool } = ruleSet({ s: [{ ...destructive, ...annotated }] }, [{ tool: pattern, decision: "allow" }]);
    return rules.rule(tool("s.wipe"));
  };

  it("takes a destructive tool out of rules with * in the tool's name, and says so", () => {
    const reason = expect.stringContaining("destructive");
    for (const pattern of ["s.*", "s.wip*", "*.*"])
      expect(ruling(pattern)).toEqual({ kind: "ask", rule: `rules[0] ${pattern}`, reason });
    for (const pattern of ["s.wipe", "*.wipe"]) expect(ruling(pattern).kind).toBe("allow");
    expect(ruling("s.*", { annotations: { destructiveHint: false } }).kind).toBe("allow");
  });

  it("never loosens a deny or an ask", () => {
    for (const decision of ["ask", "deny"] as const) {
      const { rules, tool } = ruleSet(
        { s: [{ name: "t", inputSchema: {}, annotations: { readOnlyHint: true, destructiveHint: false } }] },
        [{ tool: "s.*", decision }],
      );
      expect(rules.rule(tool("s.t")).kind).toBe(decision);
    }
  });
});

describe("caps", () => {
  const kinds = async (entry: RuleEntry, calls: number, options = {}): Promise<string[]> => {
    const { rules, tool } = ruleSet(SERVERS, [entry], options);
    const run = rules.forRun();
    const rulings = await Promise.all(Array.from({ length: calls }, () => run.rule(tool("files.read"), {})));
    return rulings.map(({ kind, reason }) => (reason === undefined ? kind : `${kind}: ${reason}`));
  };

  it("of a run make ask of allow and deny of ask beyond them, and say which and how many", async () => {
    expect(await kinds({ tool: "files.*", decision: "allow", perRun: 2 }, 4)).toEqual([
      "allow",
      "allow",
      "ask: its cap of 2 a run is reached",
      "ask: its cap of 2 a run is reached",
    ]);
    expect(await kinds({ tool: "files.*", decision: "ask", perRun: 1 }, 2)).toEqual([
      "ask",
      "deny: its cap of 1 a run is reached",
    ]);
  });

  it("of a run begin anew with each run", async () => {
    const { rules, tool } = ruleSet(SERVERS, [{ tool: "files.read", decision: "allow", perRun: 1 }]);
    for (let run = 0; run < 2; run++) expect((await rules.forRun().rule(tool("files.read"), {})).kind).toBe("allow");
  });

  it("of a day hold over runs", async () => {
    let count = 0;
    const options = { days: { take: async () => ++count } };
    expect(await kinds({ tool: "files.*", decision: "allow", perDay: 1 }, 2, options)).toEqual([
      "allow",
      "ask: its cap of 1 a day is reached",
    ]);
    expect(await kinds({ tool: "files.*", decision: "ask", perDay: 1 }, 1, options)).toEqual([
      "deny: its cap of 1 a day is reached",
    ]);
  });

  it("that cannot be counted count as reached", async () => {
    const options = { days: { take: () => Promise.reject(new Error("disk full")) } };
    expect(await kinds({ tool: "files.*", decision: "allow", perDay: 9 }, 1, options)).toEqual([
      "ask: its cap of 9 a day cannot be counted: disk full",
    ]);
  });

  it("are not lifted by --allow", async () => {
    const options = { allow: ["files.read"] };
    expect(await kinds({ tool: "files.*", decision: "ask", perRun: 1 }, 2, options)).toEqual([
      "allow",
      "deny: its cap of 1 a run is reached",
    ]);
    expect((await kinds({ tool: "files.*", decision: "allow", perRun: 1 }, 2, options))[1]).toMatch(/^ask: /);
  });
});

describe("rules that cover no tool", () => {
  const warnings = (tool: string, missing: string[] = []) =>
    ruleSet(SERVERS, [{ tool, decision: "deny" }], { missing }).rules.warnings;

  it("are warned about with the nearest names", () => {
    expect(warnings("files.raed")).toEqual([
      expect.stringMatching(
        /^configuration: rules\.0: no connected server has a tool "files\.raed"\. Did you mean files\.read/,
      ),
    ]);
    expect(warnings("file.*")).toHaveLength(1);
    expect(warnings("files.re*")).toEqual([]);
  });

  it("are not, where the server is not there", () => {
    expect(warnings("gone.read", ["gone"])).toEqual([]);
    expect(warnings("*.nothing", ["gone"])).toEqual([]);
  });
});

it("a rule of one server never covers another server's tool of the same ref", () => {
  const twins = { a: ["x.c"], "a.x": ["c"] };
  const { rules, catalog } = ruleSet(twins, [{ tool: "a*.c", decision: "allow" }]);
  expect(catalog.tools.map((tool) => rules.rule(tool).kind)).toEqual(["ask", "allow"]);
});

it("explain says of each rule that was tried why it does not decide", () => {
  const { rules, tool } = ruleSet(SERVERS, [
    { tool: "files.*", decision: "deny", when: { path: { under: "/secret" } } },
    { tool: "files.read", decision: "allow", when: { path: { under: "/n" } } },
  ]);
  expect(rules.explain(tool("files.read"), { path: "n/a" })).toEqual({
    ruling: {
      kind: "deny",
      rule: "rules[0] files.*",
      reason: "path under /secret: cannot be decided, so that this rule applies to be safe",
    },
    steps: [
      {
        rule: "rules[1] files.read",
        decision: "allow",
        applies: false,
        why: "path under /n: cannot be decided, and an allow must be certain",
      },
      {
        rule: "rules[0] files.*",
        decision: "deny",
        applies: true,
        why: "path under /secret: cannot be decided, so that this rule applies to be safe",
      },
    ],
  });
});
