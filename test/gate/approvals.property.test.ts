import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { createApprovals } from "../../src/gate/approvals.ts";
import type { Answer, Question } from "../../src/gate/ask.ts";
import { canonicalJson } from "../../src/gate/canonical.ts";
import { createGrants, destinationOf } from "../../src/gate/grants.ts";

const tools = buildCatalog([
  { name: "s", tools: ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } })) },
]).tools;

/** What a person, or a broken asker, does with one question. */
const behaviour = fc.record({
  answer: fc.oneof(
    fc.constantFrom<Answer>("once", "waiting", "tool", "destination", "always", "always-destination"),
    fc.constantFrom<unknown>("deny", "deny-waiting", "stop", "later", "YES", true, 1, null, {}, { kind: "calls" }),
    fc.array(fc.integer({ min: 1, max: 12 })).map((allow) => ({ kind: "calls", allow })),
  ),
  does: fc.constantFrom("answers", "throws", "rejects", "answers late"),
});

const calls = fc.array(
  fc.record({
    tool: fc.nat({ max: tools.length - 1 }),
    args: fc.dictionary(fc.constantFrom("path", "to", "n", "__proto__"), fc.constantFrom("x", "y", "\u001b[2J", 1)),
    delay: fc.constantFrom(0, 0, 15, 40),
    abortsAfter: fc.option(fc.constantFrom(0, 5, 20, 45), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe("approvals", () => {
  it("let no call through that nobody allowed, whatever is answered, when and how", async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.array(behaviour, { maxLength: 6 }), async (wanted, behaviours) => {
        const left = [...behaviours];
        const allowed = new Set<number>();
        const grants: ((call: { tool: unknown; args: Record<string, unknown> }) => boolean)[] = [];
        /** What the answer really allows: a model of its own, as simple as can be. */
        const note = (question: Question, answer: unknown): void => {
          const { tool, calls: shown, sequence } = question;
          if (answer === "once") allowed.add(sequence);
          if (answer === "waiting") for (const call of shown) if (call.tool === tool) allowed.add(call.sequence);
          if (answer === "tool" || answer === "always") grants.push((call) => call.tool === tool);
          const destination = destinationOf(question.args);
          if ((answer === "destination" || answer === "always-destination") && destination)
            grants.push(
              (call) => call.tool === tool && canonicalJson(destinationOf(call.args)) === canonicalJson(destination),
            );
          if (typeof answer === "object" && answer !== null && "allow" in answer && Array.isArray(answer.allow))
            for (const call of shown) if (answer.allow.includes(call.sequence)) allowed.add(call.sequence);
        };
        const approvals = createApprovals({
          run: "r",
          always: createGrants(),
          writeRule: async () => {},
          redactValue: (value) => value,
          made: () => 0,
          onStop: () => {},
          onProblem: () => {},
          ask: async (question) => {
            const { answer, does } = left.shift() ?? { answer: "deny", does: "answers" };
            if (does === "throws") throw new Error("broken");
            if (does === "rejects") return await Promise.reject(new Error("broken"));
            if (does === "answers late") await pause(25);
            note(question, answer);
            // JavaScript may answer anything.
            return answer as Answer;
          },
        });
        const settled = await Promise.all(
          wanted.map(async ({ tool: index, args, delay, abortsAfter }, at) => {
            const tool = tools[index];
            if (!tool) throw new Error("no tool");
            const ending = new AbortController();
            if (delay > 0) await pause(delay);
            if (abortsAfter !== undefined) setTimeout(() => ending.abort(), abortsAfter);
            const approval = await approvals.request({ sequence: at + 1, tool, args }, ending.signal);
            return { tool, args, sequence: at + 1, approval };
          }),
        );
        for (const { approval, ...call } of settled)
          if (approval.kind === "allowed")
            expect(allowed.has(call.sequence) || grants.some((grant) => grant(call))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
