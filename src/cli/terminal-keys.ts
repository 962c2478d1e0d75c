import type { ReadStream } from "node:tty";

/** Milliseconds in which what was typed before is thrown away. */
const TYPE_AHEAD = 60;
const CTRL_C = "\u0003";

/**
 * Throws away what was typed before now, also a line that was begun: it cannot be an answer to what is shown next. In raw
 * mode, since else the terminal keeps a begun line back. A Ctrl-C in it is an interrupt all the same.
 */
export async function throwAwayTyped(keys: ReadStream): Promise<void> {
  const onData = (chunk: string): void => {
    if (chunk.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
  };
  keys.setRawMode(true);
  keys.on("data", onData);
  await new Promise((resolve) => setTimeout(resolve, TYPE_AHEAD));
  keys.off("data", onData);
  keys.setRawMode(false);
}

/** A line without its end, or undefined at the end of input or when the run ends first. */
export function readLine(keys: ReadStream, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const settle = (line: string | undefined): void => {
      keys.off("end", onEnd).off("error", onEnd).off("close", onEnd).off("data", onData);
      signal.removeEventListener("abort", onEnd);
      resolve(line);
    };
    const onEnd = (): void => settle(undefined);
    const onData = (chunk: string): void => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end !== -1) settle(text.slice(0, end));
    };
    if (signal.aborted || keys.destroyed || keys.readableEnded) return resolve(undefined);
    signal.addEventListener("abort", onEnd, { once: true });
    keys.on("end", onEnd).on("error", onEnd).on("close", onEnd).on("data", onData);
  });
}
