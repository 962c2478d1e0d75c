import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ModelTurn } from "../../src/agent/model.ts";
import { createOpenAiModel } from "../../src/agent/openai-model.ts";
import { AGENT_TOOLS } from "../../src/agent/prompts.ts";
import { NamiError } from "../../src/errors.ts";
import type { ModelScript } from "../fixtures/model/script.ts";
import { type ModelServer, startModelServer } from "../fixtures/model/server.ts";

const KEY = "test-key-123456";
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(script: ModelScript, options: { apiKey?: string; maxRetries?: number; signal?: AbortSignal } = {}) {
  server = await startModelServer(script);
  return askAt(server.url, options);
}

/** One turn. `heard` holds what a listener has on its screen: deltas, void after a retry. */
async function askAt(baseUrl: string, options: { apiKey?: string; maxRetries?: number; signal?: AbortSignal } = {}) {
  const model = createOpenAiModel({ apiKey: KEY, baseUrl, model: "scripted", ...options });
  const retries: string[] = [];
  let heard = "";
  const turn: ModelTurn = await model.respond({
    messages: [{ role: "user", content: "hi" }],
    tools: AGENT_TOOLS,
    toolUse: "auto",
    signal: options.signal ?? new AbortController().signal,
    onText: (delta) => {
      heard += delta;
    },
    onRetry: (reason) => {
      heard = "";
      retries.push(reason);
    },
  });
  return { turn, heard, retries };
}

async function failureOf(promise: Promise<unknown>): Promise<NamiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NamiError);
  // Checked in the line above.
  return error as NamiError;
}

const TWO_CALLS = [
  { id: "call_a", name: "search", arguments: { query: 'äöü "quoted" \\ and 漢字' } },
  { id: "call_b", name: "execute", arguments: { code: "return 1 +\n 2;" } },
];

describe("a streamed answer", () => {
  test("arrives as text in pieces and as a whole", async () => {
    const { turn, heard } = await ask([{ text: "Three notes, 漢字 and 😀 included." }]);
    expect(turn).toEqual({
      text: "Three notes, 漢字 and 😀 included.",
      toolCalls: [],
      finish: "stop",
      usage: { promptTokens: 100, completionTokens: 10 },
    });
    expect(heard).toBe(turn.text);
  });

  test.each([
    "pieces",
    "pieces-no-index",
    "pieces-repeated",
    "whole",
    "no-index",
    "index-zero",
    "no-id",
    "object-arguments",
  ] as const)("holds parallel tool calls of an endpoint that writes them %s", async (dialect) => {
    const { turn } = await ask([{ toolCalls: TWO_CALLS, dialect }]);
    expect(turn.finish).toBe("tool_calls");
    expect(turn.toolCalls.map((call) => call.name)).toEqual(["search", "execute"]);
    expect(turn.toolCalls.map((call) => JSON.parse(call.arguments))).toEqual(TWO_CALLS.map((call) => call.arguments));
    expect(new Set(turn.toolCalls.map((call) => call.id)).size).toBe(2);
    if (dialect !== "no-id") expect(turn.toolCalls.map((call) => call.id)).toEqual(["call_a", "call_b"]);
  });

  test("may hold reasoning, which is no part of the text", async () => {
    const { turn } = await ask([{ reasoning: "Let me think.", text: "Three." }]);
    expect(turn.text).toBe("Three.");
  });

  test("may come without token counts", async () => {
    const { turn } = await ask([{ text: "Three.", usage: null }]);
    expect(turn.usage).toBeUndefined();
    expect(turn.text).toBe("Three.");
  });

  test("may come without a finish reason when the token counts say that it is complete", async () => {
    const { turn, retries } = await ask([{ text: "Three.", finish: null }]);
    expect(turn).toMatchObject({ text: "Three.", finish: "unknown" });
    expect(retries).toEqual([]);
  });
});

describe("a failing endpoint", () => {
  test("is asked again after 429, 500 and 503", async () => {
    const { turn } = await ask([
      { status: 429, message: "slow down" },
      { status: 500, message: "oops" },
      { status: 503, message: "busy" },
      { text: "Three." },
    ]);
    expect(turn.text).toBe("Three.");
    expect(server?.requests).toHaveLength(4);
  });

  test("gives up with host, status and words when it does not recover", async () => {
    const error = await failureOf(
      ask(
        [
          { status: 503, message: "out of capacity" },
          { status: 503, message: "out of capacity" },
        ],
        { maxRetries: 1 },
      ),
    );
    expect(error.code).toBe("MODEL_FAILED");
    expect(error.message).toMatch(/^The model's endpoint 127\.0\.0\.1:\d+ failed: 503 out of capacity$/);
  });

  test("that does not know the key says which variable to check, and never shows the key", async () => {
    const error = await failureOf(ask([{ status: 401, message: `Incorrect API key provided: ${KEY}.` }]));
    expect(error.code).toBe("MODEL_FAILED");
    expect(error.message).toContain("401");
    expect(error.message).toContain("OPENAI_API_KEY");
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(KEY);
    expect(server?.requests).toHaveLength(1);
  });

  test("that refuses the request is not asked again", async () => {
    const error = await failureOf(ask([{ status: 400, message: "unknown model" }, { text: "no" }]));
    expect(error.message).toContain("400 unknown model");
    expect(server?.requests).toHaveLength(1);
  });

  test("that nobody listens at is named with the network's words", async () => {
    const free = createServer().listen(0, "127.0.0.1");
    await once(free, "listening");
    const address = free.address();
    const port = typeof address === "object" ? address?.port : undefined;
    free.close();
    await once(free, "close");
    const error = await failureOf(askAt(`http://127.0.0.1:${port}/v1`, { maxRetries: 0 }));
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).toContain("ECONNREFUSED");
  });
});

describe("a stream that breaks midway", () => {
  test.each([
    ["the connection breaks", { text: "There are fo", breakAfter: 2 }],
    ["the stream ends too early", { text: "There are fo", endAfter: 2 }],
    ["a tool call is cut off", { toolCalls: TWO_CALLS, breakAfter: 6 }],
  ])("is asked for anew when %s, and what had arrived is void", async (_, broken) => {
    const { turn, heard, retries } = await ask([broken, { text: "Three." }]);
    expect(turn).toMatchObject({ text: "Three.", toolCalls: [] });
    expect(heard).toBe("Three.");
    expect(retries).toHaveLength(1);
  });

  test("by a chunk that is no JSON is asked for anew, and nothing is printed", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const { turn } = await ask([{ text: "There are fo", garbageAfter: 2 }, { text: "Three." }]);
      expect(turn.text).toBe("Three.");
      expect(printed).not.toHaveBeenCalled();
    } finally {
      printed.mockRestore();
    }
  });

  test("is given up after three attempts", async () => {
    const broken = { text: "There are", breakAfter: 2 };
    const error = await failureOf(ask([broken, broken, broken, { text: "too late" }]));
    expect(error.code).toBe("MODEL_FAILED");
    expect(error.message).toContain("broke off 3 times");
    expect(server?.requests).toHaveLength(3);
  });

  test("after the finish reason is complete all the same", async () => {
    const { turn } = await ask([{ text: "Three.", breakAfter: 3, usage: null }]);
    expect(turn).toMatchObject({ text: "Three.", finish: "stop" });
    expect(server?.requests).toHaveLength(1);
  });
});

describe("a signal", () => {
  test("ends a silent stream with the signal's reason", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const asking = ask([{ text: "Three.", stallAfter: 1 }], { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
  });
});

describe("the key", () => {
  test("is needed for OpenAI's own endpoint", async () => {
    expect(() => createOpenAiModel({ apiKey: "", model: "gpt" })).toThrow(/set OPENAI_API_KEY/);
    expect(() => createOpenAiModel({ apiKey: undefined, baseUrl: "", model: "gpt" })).toThrow(NamiError);
  });

  test("is not needed for another endpoint", async () => {
    const { turn } = await ask([{ text: "Three." }], { apiKey: "" });
    expect(turn.text).toBe("Three.");
    expect(server?.requests[0]?.headers.authorization).toBe("Bearer none");
  });

  test("goes to the endpoint as a bearer token", async () => {
    await ask([{ text: "Three." }]);
    expect(server?.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("does not make up for a base URL that is none", () => {
    expect(() => createOpenAiModel({ apiKey: KEY, baseUrl: "localhost", model: "gpt" })).toThrow(
      /not a URL: localhost/,
    );
  });
});

test("the scripted endpoint also runs as a program, for tests of the command line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nami-model-"));
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify([{ text: "From a file." }]));
  const program = spawn(process.execPath, [join(import.meta.dirname, "../fixtures/model/server.ts"), script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [url] = await once(createInterface(program.stdout), "line");
    expect((await askAt(url)).turn.text).toBe("From a file.");
  } finally {
    program.kill();
    rmSync(folder, { recursive: true });
  }
});
