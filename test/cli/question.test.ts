import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { allLines, answerFrom, questionText, ruleOf } from "../../src/cli/question.ts";
import { textWidth } from "../../src/cli/text-width.ts";
import type { PendingCall, Question } from "../../src/gate/ask.ts";
import { deepFreeze } from "../../src/gate/canonical.ts";

const [closeTicket] = buildCatalog([
  {
    name: "tickets",
    tools: [{ name: "close_ticket", description: "Closes a ticket.\nMore.", inputSchema: { type: "object" } }],
  },
]).tools;
if (!closeTicket) throw new Error("no tool");
const tool = closeTicket;

function question(argsOf: readonly Record<string, unknown>[], more: Partial<Question> = {}): Question {
  const calls = argsOf.map(
    (args, at): PendingCall => ({ sequence: at + 1, tool, args, shown: args, effect: "unknown", hash: "h" }),
  );
  const [first] = calls;
  if (!first) throw new Error("no call");
  return deepFreeze({ ...first, run: "r", calls, waiting: calls.length - 1, made: 0, ...more });
}

const wide = { columns: 100, rows: 40 };
const narrow = { columns: 40, rows: 24 };

describe("a question", () => {
  it("says why it is asked although a rule allows it", () => {
    const reason = "rules[0] tickets.*: its cap of 2 a run is reached\u001b[2J";
    const text = questionText(question([{ id: 1 }], { reason }), wide);
    expect(text).toMatch(/asked because of rules\[0\] tickets\.\*: its cap of 2 a run is reached\\/);
  });

  it("about one call shows it in full", () => {
    const text = questionText(
      question([{ id: 1, path: "a" }], {
        effect: "destroys",
        line: { number: 3, text: "await tickets.close_ticket({ id, path })" },
        made: 2,
        destination: { path: "a" },
        rule: { tool: "tickets.close_ticket", decision: "allow", definition: "d1" },
      }),
      wide,
    );
    expect(text).toBe(`
nami: the snippet wants to call tickets.close_ticket  (call 1, 2 made in this run)
  The server says: may destroy or overwrite. Closes a ticket.
  line 3 of the snippet: await tickets.close_ticket({ id, path })
  {
    "id": 1,
    "path": "a"
  }
Allow?
  y = this call
  a = every tickets.close_ticket in this run
  d = every tickets.close_ticket in this run with exactly {"path":"a"}
  ! = always (a rule; you see it first)
  s = no, and stop the run
  n = no (default): `);
  });

  it("about many calls is a table of what differs", () => {
    const text = questionText(question([9, 10].map((id) => ({ id, title: `日本${id}`, reason: "old" }))), wide);
    expect(text).toContain(`  all: reason = "old"
  call  id  title
  1     9   "日本9"
  2     10  "日本10"
`);
    expect(text).toContain("2 calls that wait");
    expect(text).toMatch(/n = no to all 2 \(default\): $/);
  });

  it("keeps to a narrow window and loses nothing in it", () => {
    const long = "日本語 ".repeat(30);
    const asked = question([1, 2].map((id) => ({ id, text: `${id} ${long}` })));
    const text = questionText(asked, narrow);
    for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(40);
    const all = allLines(asked, 40);
    for (const line of all) expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(all.join("")).toContain(`2 ${long}`);
  });

  it("says how many lines it does not show, and has them all for reading", () => {
    const asked = question(Array.from({ length: 200 }, (_, id) => ({ id })));
    expect(questionText(asked, narrow)).toContain("… 192 MORE LINES NOT SHOWN: v = view");
    expect(allLines(asked, 40)).toHaveLength(201);
  });

  it("shows nothing that could steer the terminal or lie about order", () => {
    const evil = "\u001b[2J\u202e\u0007\r\n  n = no (default): y";
    const asked = question([{ [evil]: evil, "\ta": 1 }, { [evil]: 2 }], {
      line: { number: 1, text: evil },
      destination: { path: evil },
    });
    const texts = [questionText(asked, wide), questionText(question([{ [evil]: evil }]), wide), ...allLines(asked, 99)];
    for (const text of texts) {
      expect(text).not.toMatch(/[\u001b\u202e\u0007\r\t]/);
      expect(text.split("\n").filter((line) => line.startsWith("  n = no (default): y"))).toEqual([]);
    }
  });

  it("shows what is masked, not what is sent", () => {
    const asked = question([{ key: "hunter22" }]);
    const [call] = asked.calls;
    if (!call) throw new Error("no call");
    const masked = { ...asked, calls: [{ ...call, shown: { key: "[secret]" } }] };
    expect(questionText({ ...masked, tool: call.tool }, wide)).toContain('"key": "[secret]"');
  });
});

describe("a line that is typed", () => {
  const one = question([{ id: 1 }]);
  const many = question([{ id: 1 }, { id: 2 }, { id: 3 }], {
    destination: { id: 1 },
    rule: { tool: "t.t", decision: "allow", definition: "d1" },
    destinationRule: { tool: "t.t", decision: "allow", when: { id: { is: 1 } }, definition: "d1" },
  });
  it.each([
    ["", "deny", "deny-waiting"],
    ["n", "deny", "deny-waiting"],
    ["Y", "once", "once"],
    ["w", undefined, "waiting"],
    ["a", "tool", "tool"],
    ["d", undefined, "destination"],
    ["!", undefined, "always"],
    ["!d", undefined, "always-destination"],
    ["s", "stop", "stop"],
    ["v", "view", "view"],
    ["2", undefined, { kind: "calls", allow: [2] }],
    ["1, 2-3", undefined, { kind: "calls", allow: [1, 2, 3] }],
    ["4", undefined, undefined],
    ["1 4", undefined, undefined],
    ["yy", undefined, undefined],
  ])("%j is one of the choices that are offered, or none", (line, forOne, forMany) => {
    expect(answerFrom(line, one)).toEqual(forOne);
    expect(answerFrom(line, many)).toEqual(forMany);
  });

  it("that writes a rule shows exactly that rule", () => {
    expect(ruleOf(many, "always")).toBe('{"tool":"t.t","decision":"allow","definition":"d1"}');
    expect(ruleOf(many, "always-destination")).toBe(
      '{"tool":"t.t","decision":"allow","when":{"id":{"is":1}},"definition":"d1"}',
    );
    expect(ruleOf(many, "tool")).toBeUndefined();
  });
});
