import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { Answer, Question } from "../../src/gate/ask.ts";
import { createCaller } from "../../src/gate/caller.ts";
import { canonicalJson } from "../../src/gate/canonical.ts";
import { createGrants, destinationOf } from "../../src/gate/grants.ts";
import { createRules } from "../../src/gate/rules.ts";
import type { Connection } from "../../src/mcp/connection.ts";

const catalog = buildCatalog([
  { name: "s", tools: ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } })) },
]);
const tools = catalog.tools;

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

describe("the gate", () => {
  it("lets no call through that nobody allowed, and sends the others once, whatever is answered, when and how", async () => {
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
        const sent: string[] = [];
        const connection: Connection = {
          server: { name: "s", tools: [] },
          call: async (tool, args) => {
            sent.push(canonicalJson([tool, args]));
            return { kind: "value", value: null, bytes: 4 };
          },
          close: async () => {},
          [Symbol.asyncDispose]: async () => {},
        };
        const caller = createCaller("r", {
          rules: createRules(catalog, [], [], []),
          connections: new Map([["s", connection]]),
          audit: { write: async () => {}, flush: async () => {}, [Symbol.asyncDispose]: async () => {} },
          validator: { check: async () => ({ kind: "valid" }) },
          always: createGrants(),
          writeRule: async () => {},
          redactValue: (value) => value,
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
            const outcome = await caller.call({
              sequence: at + 1,
              tool,
              args,
              signal: ending.signal,
              pauseClock: () => async () => {},
              onDecided: () => {},
            });
            return { tool, args, sequence: at + 1, outcome };
          }),
        );
        const done = settled.filter(({ outcome }) => outcome.kind === "value");
        for (const call of done) expect(allowed.has(call.sequence) || grants.some((grant) => grant(call))).toBe(true);
        expect(sent.sort()).toEqual(done.map(({ tool, args }) => canonicalJson([tool.name, args])).sort());
      }),
      { numRuns: 60 },
    );
  });
});
