import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import crossSpawn from "cross-spawn";
import { LineReader } from "./line-reader.ts";
import { repairResult } from "./repair.ts";
import { parseLine, type RawMessage, type RequestId } from "./wire.ts";

/** How a server program is started. */
export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Masks secrets in what is kept of output that is not protocol, before it is cut. */
  readonly redact?: (text: string) => string;
}

/** What a dead or silent server left behind, for error messages. */
export interface StdioDiagnostics {
  readonly exit: string | undefined;
  /** The end of standard error, at most 4 KB, with secrets masked. */
  readonly stderr: string;
  /** The last lines on standard output that were not protocol. */
  readonly noise: readonly string[];
}

/**
 * Largest message from a server, in bytes. The official transport stops at 10 MB and closes the connection; here a larger
 * message fails only the call that it answers.
 */
const LARGEST_MESSAGE = 64 * 1024 * 1024;
/** Kept from the end of standard error, in characters. */
const STDERR_KEPT = 4096;
/** Milliseconds that a server has for each step of the shutdown: end of input, SIGTERM, SIGKILL. */
const GRACE = 500;

/**
 * MCP over a child process's standard streams, tolerant of what real servers do: text on standard output, batches,
 * fields that are null, messages of many megabytes (read in linear time), standard error that nobody reads. The child
 * gets a process group of its own, and `close()` ends the whole group: `npx` and shells start the real server as a grandchild.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #options: StdioOptions;
  readonly #pending = new Map<RequestId, string>();
  readonly #noise: string[] = [];
  readonly #reader: LineReader;
  #child: ChildProcess | undefined;
  #stderr = "";
  #exit: string | undefined;
  #finished = false;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#reader = new LineReader(LARGEST_MESSAGE, {
      line: (text) => this.#receive(text),
      oversized: (head) => this.#receiveOversized(head),
    });
  }

  /** Starts the program. Rejects when it cannot be started; its later death is `onclose`. */
  start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    const windows = process.platform === "win32";
    // cross-spawn finds npx.cmd on Windows; elsewhere plain spawn gives the group that close() needs.
    const child: ChildProcess = (windows ? crossSpawn : spawn)(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      ...(cwd !== undefined && { cwd }),
      stdio: ["pipe", "pipe", "pipe"],
      detached: !windows,
      windowsHide: true,
    });
    this.#child = child;
    running.add(this);
    child.stdout?.on("data", (chunk: Buffer) => this.#reader.push(chunk));
    // As text, so that a character that two chunks share stays one.
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    // A server that died leaves a broken pipe; its exit tells the story.
    child.stdin?.on("error", () => {});
    // "exit" rather than "close": a grandchild that holds the pipes must not hide the server's death.
    child.once("exit", (code, signal) => {
      this.#exit = signal === null ? `exit code ${code}` : `signal ${signal}`;
      setTimeout(() => this.#finish(), 20);
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.#finish();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#finished || !stdin?.writable) throw new Error(`the server is not running (${this.#exit ?? "closed"})`);
    if ("method" in message && "id" in message) this.#pending.set(message.id, message.method);
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the server as the specification asks (end of input, then SIGTERM, then SIGKILL), with its whole group. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return this.#finish();
    const gone =
      this.#exit === undefined ? new Promise<void>((resolve) => child.once("exit", () => resolve())) : undefined;
    child.stdin?.end();
    if (gone && !(await within(gone, GRACE))) {
      this.#signalGroup("SIGTERM");
      await within(gone, GRACE);
    }
    this.#signalGroup("SIGKILL");
    await (gone && within(gone, GRACE));
    this.#finish();
  }

  /** Waits a moment for the exit of a program that broke off: its broken pipe may be seen first. */
  async settle(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#exit !== undefined) return;
    await within(new Promise<void>((resolve) => child.once("exit", () => resolve())), GRACE);
  }

  /** Ends the whole group now, for the moment when the host itself must go. */
  kill(): void {
    this.#signalGroup("SIGKILL");
  }

  diagnostics(): StdioDiagnostics {
    return { exit: this.#exit, stderr: this.#redact(this.#stderr).trim(), noise: [...this.#noise] };
  }

  #redact(text: string): string {
    return this.#options.redact?.(text) ?? text;
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    running.delete(this);
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.onclose?.();
  }

  #receive(line: string): void {
    const { messages, noise } = parseLine(line);
    if (noise !== undefined) {
      this.#noise.push(this.#redact(noise).slice(0, 200));
      if (this.#noise.length > 5) this.#noise.shift();
    }
    for (const message of messages) this.#deliver(message);
  }

  #deliver(message: RawMessage): void {
    const { id } = message;
    if (id !== undefined && message["method"] === undefined) {
      const key = this.#pending.has(id) ? id : Number(id);
      const method = this.#pending.get(key);
      if (method === undefined) return;
      this.#pending.delete(key);
      if (message.result !== undefined) message.result = repairResult(method, message.result);
      message.id = key;
    }
    // The envelope was checked by parseLine and the result repaired; the client validates the rest by its schemas.
    this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  #receiveOversized(head: string): void {
    // Only where the envelope begins: further in, an id may be the server's data.
    const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[1];
    const error = { code: -32603, message: `the server's answer is larger than ${LARGEST_MESSAGE / 2 ** 20} MB` };
    if (id !== undefined) this.#deliver({ jsonrpc: "2.0", id: Number(id), error });
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }
}

/** Transports whose programs run: a host that exits without closing takes them with it. */
const running = new Set<StdioTransport>();
process.once("exit", () => {
  for (const transport of running) transport.kill();
});

/** Whether a promise settled within so many milliseconds. */
async function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
