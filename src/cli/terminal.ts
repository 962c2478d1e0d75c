import { closeSync, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Ask } from "../gate/ask.ts";
import type { Progress } from "./progress.ts";
import { answerFrom, questionText } from "./question.ts";

/** Whether the process has a terminal, and so perhaps a person. */
export function hasTerminal(): boolean {
  if (DEVICE === undefined) return process.stdin.isTTY === true;
  try {
    closeSync(openSync(DEVICE, "r+"));
    return true;
  } catch {
    return false;
  }
}

/** The terminal itself; on Windows, standard input must do. */
const DEVICE = process.platform === "win32" ? undefined : "/dev/tty";

/**
 * Asks on the terminal itself (`/dev/tty`), since standard input may carry the snippet and standard output the value.
 * Undefined when the process has no terminal: then nobody can be asked.
 */
export function terminalAsk(progress: Progress): Ask | undefined {
  if (!hasTerminal()) return undefined;
  return async (question, signal) => {
    const output = DEVICE === undefined ? 2 : openSync(DEVICE, "r+");
    const release = progress.hold();
    try {
      // A descriptor of its own for reading: the stream closes it.
      return await ask(question, signal, DEVICE === undefined ? 0 : openSync(DEVICE, "r"), output);
    } finally {
      if (DEVICE !== undefined) closeSync(output);
      release();
    }
  };
}

/** Milliseconds in which keys typed before the question are thrown away: they cannot be an answer to it. */
const TYPE_AHEAD = 60;

async function ask(question: Parameters<Ask>[0], signal: AbortSignal, input: number, output: number): ReturnType<Ask> {
  const keys = new ReadStream(input);
  try {
    keys.setEncoding("utf8");
    keys.on("data", () => {});
    await new Promise((resolve) => setTimeout(resolve, TYPE_AHEAD));
    keys.removeAllListeners("data");
    writeSync(output, questionText(question));
    for (;;) {
      const line = await readLine(keys, signal);
      const answer = line === undefined ? "deny" : answerFrom(line);
      if (answer !== undefined) return answer;
      writeSync(output, "Please answer y, a or n: ");
    }
  } finally {
    keys.destroy();
  }
}

/** A line without its end, or undefined at the end of input or when the run ends first. */
function readLine(keys: ReadStream, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const settle = (line: string | undefined): void => {
      keys.removeAllListeners();
      signal.removeEventListener("abort", onAbort);
      resolve(line);
    };
    const onAbort = (): void => settle(undefined);
    if (signal.aborted) return settle(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    keys.on("end", () => settle(undefined));
    keys.on("error", () => settle(undefined));
    keys.on("data", (chunk) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end !== -1) settle(text.slice(0, end));
    });
  });
}
