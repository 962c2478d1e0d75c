import { afterEach, describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/agent/events.ts";
import { type AgentOptions, runAgent } from "../../src/agent/loop.ts";
import { createOpenAiModel } from "../../src/agent/openai-model.ts";
import { LAST_TURN } from "../../src/agent/prompts.ts";
import { createRedactor } from "../../src/output/redact.ts";
import type { ChatRequest, ModelScript } from "../fixtures/model/script.ts";
import { type ModelServer, startModelServer } from "../fixtures/model/server.ts";

const SECRET = "correct-horse-battery-staple";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Runs an agent against a scripted HTTP endpoint. */
async function run(script: ModelScript, options: Partial<AgentOptions> = {}) {
  server = await startModelServer(script);
  const events: AgentEvent[] = [];
  const executed: string[] = [];
  const result = await runAgent({
    task: "Count the notes.",
    model: createOpenAiModel({ apiKey: "test-key-123456", baseUrl: server.url, model: "scripted" }),
    servers: [{ name: "notes", namespace: "notes", tools: 3 }],
    search: async (query) => `tools for ${query}`,
    execute: async (code) => {
      executed.push(code);
      return { text: `ran: ${code}` };
    },
    maxTurns: 8,
    signal: new AbortController().signal,
    redact: createRedactor([SECRET]),
    emit: (event) => events.push(event),
    ...options,
  });
  return { result, events, executed, requests: server.requests };
}

const execute = (code: string) => ({ name: "execute", arguments: { code } });
const lastContent = (request: ChatRequest): string => request.messages.at(-1)?.content ?? "";
const toolTexts = (request: ChatRequest | undefined): string[] =>
  (request?.messages ?? []).filter((message) => message.role === "tool").map((message) => message.content ?? "");

describe("a conversation", () => {
  test("goes from search to snippet to answer", async () => {
    const { result, executed, requests } = await run([
      { toolCalls: [{ name: "search", arguments: { query: "list notes" } }] },
      { toolCalls: [execute("return (await notes.list({})).length")] },
      { text: "There are 3 notes." },
    ]);
    expect(result).toMatchObject({ kind: "answered", answer: "There are 3 notes.", turns: 3 });
    expect(executed).toEqual(["return (await notes.list({})).length"]);
    expect(toolTexts(requests[2]?.body)).toEqual(["tools for list notes", `ran: ${executed[0]}`]);
    expect(result.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ]);
  });

  test("lets the model correct a snippet that does not type-check", async () => {
    const executed: string[] = [];
    const { result } = await run(
      [
        { toolCalls: [execute("return notes.lst({})")] },
        (request) =>
          lastContent(request).includes("did you mean list?")
            ? { toolCalls: [execute("return notes.list({})")] }
            : { text: "no error seen" },
        { text: "Done." },
      ],
      {
        execute: async (code) => {
          if (code.includes("lst")) return { text: "Property 'lst' does not exist; did you mean list?" };
          executed.push(code);
          return { text: "[]" };
        },
      },
    );
    expect(result.answer).toBe("Done.");
    expect(executed).toEqual(["return notes.list({})"]);
  });

  test("sends the same tools and the same beginning in every request, so that prompts are cached", async () => {
    const { requests } = await run(
      [{ toolCalls: [execute("return 1")] }, { toolCalls: [execute("return 2")] }, { text: "2" }],
      { maxTurns: 3 },
    );
    const bodies = requests.map((request) => request.body);
    expect(new Set(bodies.map((body) => JSON.stringify(body.tools))).size).toBe(1);
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = bodies[index]?.messages ?? [];
      expect(body.messages.slice(0, before.length)).toEqual(before);
    }
  });

  test("sums up the tokens that the endpoint counted", async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 40 } };
    const { result } = await run([
      { toolCalls: [execute("return 1")], usage },
      { text: "1", usage },
    ]);
    expect(result.usage).toEqual({ promptTokens: 100, completionTokens: 10, cachedTokens: 80, estimated: false });
  });

  test("calls the sum estimated when only a part was counted", async () => {
    const { result } = await run([{ toolCalls: [execute("return 1")], usage: null }, { text: "1" }]);
    expect(result.usage.estimated).toBe(true);
  });

  test("estimates the tokens when the endpoint does not count", async () => {
    const { result } = await run([{ text: "There are three notes.", usage: null }]);
    expect(result.usage.estimated).toBe(true);
    expect(result.usage.promptTokens).toBeGreaterThan(300);
    expect(result.usage.completionTokens).toBeGreaterThan(3);
  });

  test("tells when a turn is asked for anew", async () => {
    const { events, result } = await run([{ text: "Wrong start", breakAfter: 2 }, { text: "Three." }]);
    expect(events.map((event) => event.kind)).toContain("turn-retried");
    expect(result).toMatchObject({ answer: "Three.", turns: 1 });
  });

  test("tells what happens as events, in order", async () => {
    const { events } = await run([{ text: "Look", toolCalls: [execute("return 1")] }, { text: "One." }]);
    expect(events.map((event) => event.kind)).toEqual([
      "turn-started",
      "text-delta",
      "turn-ended",
      "tool-requested",
      "tool-answered",
      "turn-started",
      "text-delta",
      "turn-ended",
    ]);
    expect(events[4]).toMatchObject({ turn: 1, name: "execute", text: "ran: return 1" });
  });
});

describe("several tool calls in one turn", () => {
  test("run searches at once and snippets one after the other, and answer in the order of the calls", async () => {
    const log: string[] = [];
    let searching = 0;
    let bothSearching: () => void = () => {};
    const together = new Promise<void>((resolve) => {
      bothSearching = resolve;
    });
    const { requests } = await run(
      [
        {
          toolCalls: [
            execute("first"),
            { name: "search", arguments: { query: "a" } },
            execute("second"),
            { name: "search", arguments: { query: "b" } },
          ],
        },
        { text: "ok" },
      ],
      {
        search: async (query) => {
          searching++;
          if (searching === 2) bothSearching();
          await together;
          return query;
        },
        execute: async (code) => {
          log.push(`${code} begins`);
          await new Promise((resolve) => setTimeout(resolve, code === "first" ? 30 : 0));
          log.push(`${code} ends`);
          return { text: code };
        },
      },
    );
    expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    expect(toolTexts(requests[1]?.body)).toEqual(["first", "a", "second", "b"]);
  });

  test("end the conversation when an execution throws, and the next snippet does not start", async () => {
    const codes: string[] = [];
    const running = run([{ toolCalls: [execute("first"), execute("second")] }], {
      execute: async (code) => {
        codes.push(code);
        throw new Error("the sandbox is gone");
      },
    });
    await expect(running).rejects.toThrow("the sandbox is gone");
    expect(codes).toEqual(["first"]);
  });
});

describe("what a model gets wrong", () => {
  test.each([
    ["arguments that are no JSON", { name: "execute", arguments: '{"code": "return 1' }, "no valid JSON"],
    ["arguments that are no object", { name: "execute", arguments: '"return 1"' }, "no JSON object"],
    ["a missing argument", { name: "execute", arguments: { script: "return 1" } }, 'execute needs "code"'],
    ["an empty query", { name: "search", arguments: { query: " " } }, 'search needs "query"'],
    ["a tool of a server called directly", { name: "notes.list", arguments: {} }, 'There is no tool "notes.list" here'],
    ["a name from Object's prototype", { name: "constructor", arguments: {} }, 'There is no tool "constructor" here'],
  ])("%s is answered with what to do", async (_, call, message) => {
    const { result, executed, requests } = await run([{ toolCalls: [call] }, { text: "Sorry." }]);
    expect(result.kind).toBe("answered");
    expect(toolTexts(requests[1]?.body)).toEqual([expect.stringContaining(message)]);
    expect(executed).toEqual([]);
  });

  test("broken arguments and names go back to the endpoint in a form that it accepts", async () => {
    const { requests } = await run([{ toolCalls: [{ name: "no te.s", arguments: "{oops" }] }, { text: "ok" }]);
    const sent = requests[1]?.body.messages.find((message) => message.tool_calls)?.tool_calls?.[0];
    expect(sent?.function).toEqual({ name: "no_te_s", arguments: "{}" });
  });

  test("an empty answer is asked for anew", async () => {
    const { result, requests } = await run([{ text: "" }, { text: "Three." }]);
    expect(result).toMatchObject({ kind: "answered", answer: "Three.", turns: 2 });
    expect(lastContent(requests[1]?.body ?? { model: "", messages: [] })).toContain("empty");
  });
});

describe("the last turn", () => {
  test("is announced, and tools are switched off but still listed", async () => {
    const { result, requests } = await run([{ toolCalls: [execute("return 1")] }, { text: "Half done." }], {
      maxTurns: 2,
    });
    expect(result).toMatchObject({ kind: "answered", answer: "Half done.", turns: 2 });
    expect(requests[0]?.body.tool_choice).toBeUndefined();
    expect(requests[1]?.body.tool_choice).toBe("none");
    expect(requests[1]?.body.tools).toHaveLength(2);
    expect(lastContent(requests[1]?.body ?? { model: "", messages: [] })).toBe(LAST_TURN);
  });

  test("ends as exhausted when the model calls a tool all the same, which is not executed", async () => {
    const { result, executed } = await run(
      [{ toolCalls: [execute("return 1")] }, { text: "One more look.", toolCalls: [execute("return 2")] }],
      { maxTurns: 2 },
    );
    expect(result).toMatchObject({ kind: "turns-exhausted", answer: "One more look.", turns: 2 });
    expect(executed).toEqual(["return 1"]);
  });
});

describe("an interruption", () => {
  test("before the first turn asks the model nothing", async () => {
    const { result, requests } = await run([{ text: "hello" }], { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ kind: "interrupted", answer: "", turns: 0 });
    expect(requests).toHaveLength(0);
  });

  /** Text is shown a few hundred characters behind, so that no part of a secret is. */
  const long = (text: string): string => text.repeat(60);

  test("while the model speaks keeps what it had said", async () => {
    const interrupt = new AbortController();
    const { result } = await run([{ text: long("There are three notes. "), stallAfter: 120 }], {
      signal: interrupt.signal,
      emit: (event) => {
        if (event.kind === "text-delta") interrupt.abort();
      },
    });
    expect(result).toMatchObject({ kind: "interrupted", answer: expect.stringMatching(/^There are three/), turns: 1 });
    expect(result.answer.length).toBeLessThan(long("There are three notes. ").length);
  });

  test("does not keep what was void after a broken stream", async () => {
    const interrupt = new AbortController();
    const { result } = await run(
      [
        { text: long("Wrong start. "), breakAfter: 100 },
        { text: long("Right start. "), stallAfter: 100 },
      ],
      {
        signal: interrupt.signal,
        emit: (event) => {
          if (event.kind === "text-delta" && event.text.includes("Right")) interrupt.abort();
        },
      },
    );
    expect(result).toMatchObject({ kind: "interrupted", answer: expect.stringMatching(/^Right start/) });
    expect(result.answer).not.toContain("Wrong");
  });

  test("while a snippet runs leaves every tool call with an answer", async () => {
    const interrupt = new AbortController();
    const { result, requests } = await run([{ toolCalls: [execute("long"), execute("never")] }, { text: "no" }], {
      signal: interrupt.signal,
      execute: async (_, signal) => {
        interrupt.abort();
        signal.throwIfAborted();
        return { text: "unreachable" };
      },
    });
    expect(result).toMatchObject({ kind: "interrupted", turns: 1 });
    expect(requests).toHaveLength(1);
    const answers = result.messages.filter((message) => message.role === "tool");
    expect(answers.map((message) => message.content)).toEqual([
      expect.stringContaining("may have taken effect"),
      expect.stringContaining("Not started"),
    ]);
  });
});

describe("a secret", () => {
  test("is masked in the answer and in all events, also when it arrives in pieces", async () => {
    const { result, events, executed } = await run(
      [
        {
          toolCalls: [execute(`return ${JSON.stringify(SECRET)}`), { name: "nonsense", arguments: `{"x": "${SECRET}` }],
        },
        { text: `It is ${SECRET}.` },
      ],
      { execute: async (code) => ({ text: code }) },
    );
    expect(result.answer).toBe("It is [secret].");
    expect(JSON.stringify(events)).not.toContain("horse");
    const deltas = events.filter((event) => event.kind === "text-delta").map(({ text }) => text);
    expect(deltas.join("")).toBe("It is [secret].");
    expect(executed).toEqual([]);
  });
});
