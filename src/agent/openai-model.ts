import { setTimeout as wait } from "node:timers/promises";
import OpenAI, { APIError, type ClientOptions } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { messageOf, NamiError } from "../errors.ts";
import type { Model, ModelRequest, ModelTurn } from "./model.ts";
import { toOpenAiMessages, toOpenAiTools } from "./openai-format.ts";
import { addChunk, completeCalls, startTurn, type TurnAssembly } from "./turn-assembly.ts";

/** Where a model is served, and what unlocks it. */
export interface OpenAiModelOptions {
  /** May be empty when `baseUrl` names another endpoint than OpenAI's: local servers ask for none. */
  readonly apiKey: string | undefined;
  /** Any endpoint that speaks Chat Completions, up to and with `/v1`. OpenAI's own by default. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** How often the `openai` package repeats a request that ended in 408, 409, 429, 5xx or no connection. 4 by default. */
  readonly maxRetries?: number | undefined;
}

const OPENAI_URL = "https://api.openai.com/v1";

/** With the package's backoff, which doubles from 0.5 s to 8 s and obeys `Retry-After`, this waits up to about 8 s. */
const REQUEST_RETRIES = 4;

/** How often a turn is asked for anew after its stream broke, and the pause before. */
const STREAM_RETRIES = 2;
const STREAM_RETRY_MS = 500;

/**
 * A model behind an OpenAI-compatible Chat Completions endpoint, streamed. Failures become `MODEL_FAILED` with the endpoint's
 * host, status and words; the key never shows in them. Throws `USAGE` when there is no key for OpenAI, or no valid URL.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const baseURL = options.baseUrl || OPENAI_URL;
  if (!URL.canParse(baseURL)) throw new NamiError("USAGE", `OPENAI_BASE_URL is not a URL: ${baseURL}`);
  if (!options.apiKey && baseURL === OPENAI_URL) {
    throw new NamiError("USAGE", "No key for the model: set OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint.");
  }
  const endpoint: Endpoint = { host: new URL(baseURL).host, apiKey: options.apiKey };
  const client = new OpenAI({
    // The package insists on a key; endpoints that need none ignore it.
    apiKey: options.apiKey || "none",
    baseURL,
    maxRetries: options.maxRetries ?? REQUEST_RETRIES,
    // What went wrong is in the exception; the package's own log would mix into our output.
    logLevel: "off",
  } satisfies ClientOptions);

  return {
    async respond(request) {
      const body = toBody(options.model, request);
      for (let attempt = 0; ; attempt++) {
        const turn = startTurn();
        const stream = await open(client, body, request.signal, endpoint);
        const broken = await readStream(stream, turn, request);
        if (broken === undefined) return completeTurn(turn);
        if (attempt === STREAM_RETRIES) {
          throw failure(endpoint, `the answer broke off ${attempt + 1} times, at last: ${broken}`);
        }
        request.onRetry(clean(endpoint, broken));
        await wait(STREAM_RETRY_MS, undefined, { signal: request.signal });
      }
    },
  };
}

interface Endpoint {
  readonly host: string;
  readonly apiKey: string | undefined;
}

type ChunkStream = Awaited<ReturnType<typeof open>>;

function toBody(model: string, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: toOpenAiMessages(request.messages),
    tools: toOpenAiTools(request.tools),
    ...(request.toolUse === "none" && { tool_choice: "none" }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

async function open(
  client: OpenAI,
  body: ChatCompletionCreateParamsStreaming,
  signal: AbortSignal,
  endpoint: Endpoint,
) {
  try {
    return await client.chat.completions.create(body, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw failure(endpoint, describe(error));
  }
}

/**
 * Reads a stream to its end. Returns what broke it, or undefined when the turn is complete: an endpoint has said why it
 * stopped, or has sent the token counts that come last. The package ends a stream quietly when the signal fires.
 */
async function readStream(stream: ChunkStream, turn: TurnAssembly, request: ModelRequest): Promise<string | undefined> {
  let broken = "the connection closed before the answer was complete";
  try {
    for await (const chunk of stream) {
      const text = addChunk(turn, chunk);
      if (text !== "") request.onText(text);
    }
  } catch (error) {
    broken = describe(error);
  }
  request.signal.throwIfAborted();
  return turn.finish === undefined && turn.usage === undefined ? broken : undefined;
}

function completeTurn(turn: TurnAssembly): ModelTurn {
  return {
    text: turn.text,
    toolCalls: completeCalls(turn),
    finish: turn.finish ?? "unknown",
    ...(turn.usage && { usage: turn.usage }),
  };
}

/** An error in words, with the innermost cause, which is where the network says what happened (`ECONNREFUSED …`). */
function describe(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const words = innermost === error ? messageOf(error) : `${messageOf(error)} (${messageOf(innermost)})`;
  return error instanceof APIError && error.status === 401 ? `${words} — check the key in OPENAI_API_KEY` : words;
}

/** No `cause`: the package's exceptions may quote the key, and so does what they hold. */
function failure(endpoint: Endpoint, words: string): NamiError {
  return new NamiError("MODEL_FAILED", `The model's endpoint ${endpoint.host} failed: ${clean(endpoint, words)}`);
}

function clean(endpoint: Endpoint, words: string): string {
  // A shorter key is a placeholder of a local endpoint, and stands in ordinary words.
  return endpoint.apiKey && endpoint.apiKey.length >= 6 ? words.replaceAll(endpoint.apiKey, "[secret]") : words;
}
