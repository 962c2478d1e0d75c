import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { Tool } from "../../src/catalog/tool.ts";
import { createApprovals } from "../../src/gate/approvals.ts";
import type { Answer, Ask, Question } from "../../src/gate/ask.ts";

const schema = { type: "object" };
const [close, open] = buildCatalog([
  {
    name: "s",
    tools: [
      { name: "close", inputSchema: schema },
      { name: "open", inputSchema: schema },
    ],
  },
]).tools as readonly [Tool, Tool];
const never = new AbortController().signal;

/** An Ask that answers from a list and keeps the questions. */
function scripted(answers: Answer[]): { ask: Ask; questions: Question[]; atOnce: () => number } {
  const questions: Question[] = [];
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
      return answers.shift() ?? "deny";
    },
  };
}

const request = (tool: Tool, sequence: number) => ({ run: "r", sequence, tool, args: { id: sequence } });

describe("approvals", () => {
  it("put calls that wait to the person one after the other, and say how many more wait", async () => {
    const { ask, questions, atOnce } = scripted(["once", "deny", "once"]);
    const approvals = createApprovals(ask);
    const kinds = await Promise.all([1, 2, 3].map((n) => approvals.request(request(close, n), never)));
    expect(kinds.map(({ kind }) => kind)).toEqual(["allowed", "denied", "allowed"]);
    expect(questions.map(({ sequence, waiting }) => [sequence, waiting])).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
    ]);
    expect(atOnce()).toBe(1);
  });

  it("for a whole tool settle the calls behind it, and no other tool", async () => {
    const { ask, questions } = scripted(["tool", "deny"]);
    const approvals = createApprovals(ask);
    const kinds = await Promise.all([
      ...[1, 2, 3].map((n) => approvals.request(request(close, n), never)),
      approvals.request(request(open, 4), never),
    ]);
    expect(kinds.map(({ kind }) => kind)).toEqual(["allowed", "allowed", "allowed", "denied"]);
    expect(questions.map(({ sequence }) => sequence)).toEqual([1, 4]);
  });

  it("end with the run: another run asks again", async () => {
    const { ask, questions } = scripted(["tool", "tool"]);
    await createApprovals(ask).request(request(close, 1), never);
    await createApprovals(ask).request(request(close, 1), never);
    expect(questions).toHaveLength(2);
  });

  it("are refused when nobody is there", async () => {
    expect(await createApprovals(undefined).request(request(close, 1), never)).toMatchObject({ kind: "refused" });
  });

  it("are a no when asking fails or the answer is none of the known ones", async () => {
    const fails: Ask = async () => {
      throw new Error("window closed");
    };
    // A program in plain JavaScript may answer anything.
    const odd = (async () => true) as unknown as Ask;
    expect(await createApprovals(fails).request(request(close, 1), never)).toMatchObject({ kind: "denied" });
    expect(await createApprovals(odd).request(request(close, 1), never)).toMatchObject({ kind: "denied" });
  });

  it("that come after the end of the run count for nothing", async () => {
    const ended = new AbortController();
    const late: Ask = async () => {
      ended.abort();
      return "tool";
    };
    const approvals = createApprovals(late);
    expect(await approvals.request(request(close, 1), ended.signal)).toMatchObject({ kind: "cancelled" });
    expect(await approvals.request(request(close, 2), ended.signal)).toMatchObject({ kind: "cancelled" });
  });
});
