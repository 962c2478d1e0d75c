import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { Tool } from "../../src/catalog/tool.ts";
import { type ApprovalOptions, createApprovals } from "../../src/gate/approvals.ts";
import type { Answer, Ask, Question } from "../../src/gate/ask.ts";
import { createGrants, type WrittenRule } from "../../src/gate/grants.ts";

const schema = { type: "object" };
const tools = buildCatalog([
  {
    name: "s",
    tools: [
      { name: "close", inputSchema: schema },
      { name: "open", inputSchema: schema },
      { name: "drop", inputSchema: schema, annotations: { destructiveHint: true } },
    ],
  },
]).tools;
const named = (name: string): Tool => {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return tool;
};
const [close, open, drop] = [named("close"), named("open"), named("drop")];
const never = new AbortController().signal;

/** An Ask that answers from a list and keeps the questions. */
function scripted(answers: readonly Answer[]): { ask: Ask; questions: Question[]; atOnce: () => number } {
  const questions: Question[] = [];
  const left = [...answers];
  let now = 0;
  let most = 0;
  return {
    questions,
    atOnce: () => most,
    ask: async (question) => {
      questions.push(question);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return left.shift() ?? "deny";
    },
  };
}

const approvalsWith = (ask: Ask | undefined, options: Partial<ApprovalOptions> = {}) =>
  createApprovals({
    run: "r",
    ask,
    always: createGrants(),
    writeRule: async () => {},
    redactValue: (value) => value,
    made: new Map(),
    onStop: () => {},
    onProblem: () => {},
    ...options,
  });

const call = (tool: Tool, sequence: number, args: Record<string, unknown> = { id: sequence }) => ({
  sequence,
  tool,
  args,
});
const sequencesOf = (questions: readonly Question[]) => questions.map(({ calls }) => calls.map((c) => c.sequence));

/** Calls 1 and 2 close "a" and "b", 3 opens, all at once; then 4 closes "a" again and 5 closes "c". */
const TABLE: readonly { answer: unknown; together: string; after: string; questions: number }[] = [
  { answer: "once", together: "allowed denied denied", after: "denied denied", questions: 5 },
  {
    answer: { kind: "calls", allow: [2, 3] },
    together: "denied allowed allowed",
    after: "denied denied",
    questions: 4,
  },
  { answer: "waiting", together: "allowed allowed denied", after: "denied denied", questions: 4 },
  { answer: "tool", together: "allowed allowed denied", after: "allowed allowed", questions: 2 },
  { answer: "destination", together: "allowed denied denied", after: "allowed denied", questions: 4 },
  { answer: "always", together: "allowed allowed denied", after: "allowed allowed", questions: 2 },
  { answer: "always-destination", together: "allowed denied denied", after: "allowed denied", questions: 4 },
  { answer: "deny", together: "denied denied denied", after: "denied denied", questions: 5 },
  { answer: "deny-waiting", together: "denied denied denied", after: "denied denied", questions: 4 },
  { answer: "later", together: "refused denied denied", after: "denied denied", questions: 5 },
  { answer: "stop", together: "denied denied denied", after: "denied denied", questions: 1 },
  { answer: true, together: "denied denied denied", after: "denied denied", questions: 3 },
  { answer: "yes", together: "denied denied denied", after: "denied denied", questions: 3 },
  { answer: { kind: "calls", allow: "123" }, together: "denied denied denied", after: "denied denied", questions: 3 },
  { answer: { kind: "calls", allow: [] }, together: "denied denied denied", after: "denied denied", questions: 3 },
];

describe("an answer", () => {
  it.each(TABLE)("of $answer allows just what it speaks of", async ({ answer, together, after, questions }) => {
    // A program in plain JavaScript may answer anything.
    const { ask, questions: asked, atOnce } = scripted([answer as Answer]);
    const approvals = approvalsWith(ask);
    const first = await Promise.all([
      approvals.request(call(close, 1, { path: "a" }), never),
      approvals.request(call(close, 2, { path: "b" }), never),
      approvals.request(call(open, 3, { path: "a" }), never),
    ]);
    const second = [
      await approvals.request(call(close, 4, { path: "a", more: true }), never),
      await approvals.request(call(close, 5, { path: "c" }), never),
    ];
    expect(first.map(({ kind }) => kind).join(" ")).toBe(together);
    expect(second.map(({ kind }) => kind).join(" ")).toBe(after);
    expect(asked).toHaveLength(questions);
    expect(atOnce()).toBe(1);
  });

  it("for a destination does not cover a call that names one more", async () => {
    const { ask } = scripted(["destination"]);
    const approvals = approvalsWith(ask);
    await approvals.request(call(close, 1, { path: "a" }), never);
    expect(await approvals.request(call(close, 2, { path: "a", to: "x" }), never)).toMatchObject({ kind: "denied" });
  });

  it("for a destination is a no for a call that has none", async () => {
    const { ask } = scripted(["destination"]);
    expect(await approvalsWith(ask).request(call(close, 1, { id: 1 }), never)).toMatchObject({ kind: "denied" });
  });

  it("does not speak of a call that came after its question", async () => {
    const questions: Question[] = [];
    let later: Promise<unknown> | undefined;
    const approvals = approvalsWith(async (question) => {
      questions.push(question);
      later ??= approvals.request(call(close, 2), never);
      return questions.length === 1 ? "waiting" : "deny";
    });
    expect(await approvals.request(call(close, 1), never)).toMatchObject({ kind: "allowed" });
    expect(await later).toMatchObject({ kind: "denied" });
    expect(sequencesOf(questions)).toEqual([[1], [2]]);
  });

  it("speaks of the definition that was shown: another one is asked about again", async () => {
    const tool = { ...close };
    const { ask, questions } = scripted(["tool", "once"]);
    const approvals = approvalsWith(ask);
    await approvals.request(call(tool, 1), never);
    Object.assign(tool, { description: "now does something else" });
    await approvals.request(call(tool, 2), never);
    expect(questions).toHaveLength(2);
  });

  it.each(["once", "waiting", "tool", "always"] as const)(
    "of %s allows nothing when the definition changes while asked",
    async (answer) => {
      const tool = { ...close };
      let asked = 0;
      const approvals = approvalsWith(async () => {
        if (++asked > 1) return "deny";
        Object.assign(tool, { inputSchema: { type: "object", title: "other" } });
        return answer;
      });
      expect(await approvals.request(call(tool, 1), never)).toMatchObject({ kind: "denied" });
      expect(asked).toBe(2);
    },
  );
});

describe("always", () => {
  it("writes just the rule that was shown, and holds for other runs of the process", async () => {
    const written: WrittenRule[] = [];
    const shared = { always: createGrants(), writeRule: async (rule: WrittenRule) => void written.push(rule) };
    const { ask, questions } = scripted(["always-destination"]);
    await approvalsWith(ask, shared).request(call(close, 1, { path: "a", n: 1 }), never);
    const definition = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(written).toEqual([{ tool: "s.close", decision: "allow", when: { path: { is: "a" } }, definition }]);
    expect(questions[0]?.destinationRule).toEqual(written[0]);
    const other = approvalsWith(undefined, shared);
    expect(await other.request(call(close, 1, { path: "a" }), never)).toMatchObject({ kind: "allowed" });
    expect(await other.request(call(close, 2, { path: "b" }), never)).toMatchObject({ kind: "refused" });
  });

  it("counts as `tool` when the rule cannot be written, and says so", async () => {
    const problems: string[] = [];
    const shared = {
      always: createGrants(),
      writeRule: () => Promise.reject(new Error("read-only file system")),
      onProblem: (problem: string) => void problems.push(problem),
    };
    const { ask } = scripted(["always"]);
    const approvals = approvalsWith(ask, shared);
    expect(await approvals.request(call(close, 1), never)).toMatchObject({ kind: "allowed" });
    expect(await approvals.request(call(close, 2), never)).toMatchObject({ kind: "allowed" });
    expect(problems).toEqual([expect.stringContaining("read-only file system")]);
    expect(await approvalsWith(undefined, shared).request(call(close, 1), never)).toMatchObject({ kind: "refused" });
  });

  it.each([
    { title: "a tool that destroys", tool: drop, options: {} },
    { title: "a process without a file", tool: close, options: { writeRule: undefined } },
    { title: "a name that is a pattern", tool: { ...close, name: "cl*", ref: "s.cl*" }, options: {} },
  ])("is not offered for $title, and answering it is a no", async ({ tool, options }) => {
    const { ask, questions } = scripted(["always"]);
    expect(await approvalsWith(ask, options).request(call(tool, 1), never)).toMatchObject({ kind: "denied" });
    expect(questions[0]?.rule).toBeUndefined();
  });
});

describe("approvals", () => {
  it("ask about 200 calls that come together in one question", async () => {
    const { ask, questions } = scripted(["waiting"]);
    const approvals = approvalsWith(ask);
    const kinds = await Promise.all(
      Array.from({ length: 200 }, (_, n) => approvals.request(call(close, n + 1), never)),
    );
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(["allowed"]));
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ waiting: 199, sequence: 1, args: { id: 1 } });
  });

  it("stop a run once, and let nothing more through", async () => {
    const stops: string[] = [];
    const { ask } = scripted(["stop", "once"]);
    const approvals = approvalsWith(ask, { onStop: ({ ref }) => void stops.push(ref) });
    await Promise.all([approvals.request(call(close, 1), never), approvals.request(call(open, 2), never)]);
    expect(await approvals.request(call(open, 3), never)).toMatchObject({ kind: "denied" });
    expect(stops).toEqual(["s.close"]);
  });

  it("show arguments with secrets masked, and bind to those that are sent", async () => {
    const { ask, questions } = scripted(["once"]);
    const redactValue = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("hunter22", "[secret]"));
    await approvalsWith(ask, { redactValue }).request(call(close, 1, { key: "hunter22" }), never);
    expect(questions[0]).toMatchObject({ shown: { key: "[secret]" }, args: { key: "hunter22" } });
  });

  it("are refused when nobody is there", async () => {
    expect(await approvalsWith(undefined).request(call(close, 1), never)).toMatchObject({ kind: "refused" });
  });

  it("are a no when asking fails, and when the question cannot be made", async () => {
    const fails: Ask = () => Promise.reject(new Error("window closed"));
    const throws: Ask = () => {
      throw new Error("no window");
    };
    for (const ask of [fails, throws])
      expect(await approvalsWith(ask).request(call(close, 1), never)).toMatchObject({ kind: "denied" });
    const redactValue = () => {
      throw new Error("broken");
    };
    const broken = approvalsWith(async () => "once", { redactValue });
    expect(await broken.request(call(close, 1), never)).toMatchObject({ kind: "denied" });
  });

  it("that come after the end of the run count for nothing", async () => {
    const ended = new AbortController();
    const approvals = approvalsWith(async () => {
      if (ended.signal.aborted) return "deny";
      ended.abort();
      return "tool";
    });
    expect(await approvals.request(call(close, 1), ended.signal)).toMatchObject({ kind: "cancelled" });
    expect(await approvals.request(call(close, 2), ended.signal)).toMatchObject({ kind: "cancelled" });
    expect(await approvals.request(call(close, 3), never)).toMatchObject({ kind: "denied" });
  });
});
