import {
  type CallToolResult,
  Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import type { ListedServer, ListedTool } from "../catalog/tool.ts";
import { wrapsResult } from "../catalog/wrapped-result.ts";
import type { ServerConfig } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import { messageOf, NamiError } from "../errors.ts";
import { listedTool } from "./listed-tool.ts";
import { readResult, type ToolResult } from "./results.ts";
import { type StdioDiagnostics, StdioTransport } from "./stdio-transport.ts";

/** Arguments of a call: always a JSON object. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What may bound a call. */
export interface CallOptions {
  /** Aborting tells the server (`notifications/cancelled`) and rejects the call. */
  readonly signal: AbortSignal;
}

/** A live client to one server. Closing it ends the server's process group. */
export interface Connection extends AsyncDisposable {
  readonly server: ListedServer;
  /**
   * Calls a tool by its exact name. A tool's own failure is a value of kind `failed`; everything else that goes wrong
   * (protocol error, timeout, death of the server, cancellation) throws `CALL_FAILED`.
   */
  call(tool: string, args: Arguments, options: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Time without an answer or a progress message after which a call is given up, in milliseconds. */
const CALL_TIMEOUT = 300_000;
/** Time after which a call is given up however much progress it reports, in milliseconds. */
const CALL_TIMEOUT_TOTAL = 3_600_000;
/** Pages of a tool list before it counts as endless. */
const LIST_PAGES = 1000;

const CLIENT_INFO = { name: "nami", version: VERSION };

/**
 * Starts a server and lists its tools. Throws `SERVER_UNREACHABLE` with the server's exit code, the end of its standard error
 * and the way out; nothing of it is left running then. Aborting gives up at once. `redact` masks secrets in the words of the
 * server that messages quote, before they are cut.
 */
export async function connect(config: ServerConfig, signal: AbortSignal, redact = unchanged): Promise<Connection> {
  try {
    return await open(config, "legacy", signal, redact);
  } catch (error) {
    // `initialize` first costs nothing on old servers; a server that speaks only the newer era says so at once.
    if (!(error instanceof NamiError && error.cause instanceof UnsupportedProtocolVersionError)) throw error;
    return await open(config, { pin: "2026-07-28" }, signal, redact);
  }
}

async function open(
  config: ServerConfig,
  era: "legacy" | { readonly pin: string },
  signal: AbortSignal,
  redact: typeof unchanged,
): Promise<Connection> {
  const transport = new StdioTransport({ ...config, redact });
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: era }, listMaxPages: LIST_PAGES });
  // Reports about single odd messages; a failure that matters also rejects the request that it belongs to.
  client.onerror = () => {};
  try {
    const options = { timeout: config.startTimeoutMs, signal };
    await client.connect(transport, options);
    const tools = await listTools(client, options);
    const instructions = client.getInstructions();
    const self = client.getServerVersion();
    const server: ListedServer = {
      name: config.name,
      ...(self && { version: `${self.name} ${self.version}` }),
      tools,
      ...(instructions && { instructions }),
    };
    return {
      server,
      call: (tool, args, options) => callTool(client, transport, server, redact, tool, args, options),
      close: () => client.close().then(() => transport.close()),
      [Symbol.asyncDispose]: () => client.close().then(() => transport.close()),
    };
  } catch (error) {
    if (!signal.aborted && error instanceof Error && "syscall" in error) await transport.settle();
    // What the server has said by now is the reason; closing makes it end, which is none.
    const reason = signal.aborted
      ? `Server "${config.name}" was still starting when it was given up.`
      : explainStart(config, transport.diagnostics(), error, redact);
    await transport.close();
    throw new NamiError("SERVER_UNREACHABLE", reason, { cause: error });
  }
}

function unchanged(text: string): string {
  return text;
}

async function listTools(client: Client, options: RequestOptions): Promise<ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  try {
    const { tools } = await client.listTools(undefined, options);
    return tools.map(listedTool);
  } catch (error) {
    // "Method not found" from a server that announced tools: it has none.
    if (error instanceof ProtocolError && error.code === -32601) return [];
    throw error;
  }
}

async function callTool(
  client: Client,
  transport: StdioTransport,
  { name: server, tools }: ListedServer,
  redact: typeof unchanged,
  tool: string,
  args: Arguments,
  { signal }: CallOptions,
): Promise<ToolResult> {
  const fail = (what: string, cause: unknown): never => {
    throw new NamiError("CALL_FAILED", `${server}.${tool} ${what}`, { cause });
  };
  const before = transport.diagnostics();
  if (before.exit !== undefined) {
    return fail(`was not sent: the server has ended (${lastWords(before)}); start nami again to start it`, undefined);
  }
  let result: CallToolResult;
  try {
    result = await client.callTool(
      { name: tool, arguments: { ...args } },
      {
        signal,
        timeout: CALL_TIMEOUT,
        maxTotalTimeout: CALL_TIMEOUT_TOTAL,
        resetTimeoutOnProgress: true,
        // Without a callback the client asks for no progress, and then progress cannot extend the timeout.
        onprogress: () => {},
      },
    );
  } catch (error) {
    if (signal.aborted) return fail("was cancelled", error);
    if (error instanceof ProtocolError) return fail(`failed: ${error.message} (protocol error ${error.code})`, error);
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      return fail(`gave no answer for ${CALL_TIMEOUT / 1000} s; whether it took effect is unknown`, error);
    }
    const after = transport.diagnostics();
    if (after.exit !== undefined) {
      return fail(
        `failed: the server ended during the call (${lastWords(after)}); whether it took effect is unknown`,
        error,
      );
    }
    return fail(`failed: ${messageOf(error)}`, error);
  }
  const declared = tools.find(({ name }) => name === tool)?.outputSchema;
  return readResult(result, wrapsResult(declared), redact);
}

function explainStart(
  config: ServerConfig,
  diagnostics: StdioDiagnostics,
  error: unknown,
  redact: typeof unchanged,
): string {
  const start = `Server "${config.name}" did not start`;
  if (error instanceof Error && "code" in error && error.code === "ENOENT") {
    const folder = config.cwd === undefined ? "" : ` or the folder "${config.cwd}"`;
    return `${start}: the program "${config.command}"${folder} was not found. Check "command" in its configuration, or install the program.`;
  }
  const said = lastWords(diagnostics);
  const why = explainFailure(config, diagnostics, error, redact);
  return `${start}: ${why}${said ? ` (${said})` : ""}. Try its command in a terminal: ${[config.command, ...config.args].join(" ")}`;
}

function explainFailure(
  { startTimeoutMs }: ServerConfig,
  { exit }: StdioDiagnostics,
  error: unknown,
  redact: typeof unchanged,
): string {
  if (exit !== undefined) return "it ended before it answered";
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return `it did not answer within ${startTimeoutMs / 1000} s; raise "start_timeout" if it needs longer`;
  }
  if (error instanceof Error && "syscall" in error && String(error.syscall).startsWith("spawn")) {
    return `it could not be started: ${error.message}`;
  }
  // A server's own words, on one line: they must not look like lines of ours.
  return redact(messageOf(error)).replace(/\s+/g, " ").slice(0, 400);
}

/** Exit, last lines of standard error and stray output of a server, as far as there are any. */
function lastWords({ exit, stderr, noise }: StdioDiagnostics): string {
  const parts: string[] = [];
  if (exit !== undefined) parts.push(exit);
  if (stderr !== "")
    parts.push(
      `standard error: ${stderr
        .split(/[\r\n]+/)
        .slice(-3)
        .join(" / ")
        .slice(-400)}`,
    );
  const lastNoise = noise.at(-1);
  if (lastNoise !== undefined) {
    parts.push(`standard output had text that is not protocol: ${JSON.stringify(lastNoise)}`);
  }
  return parts.join("; ");
}
