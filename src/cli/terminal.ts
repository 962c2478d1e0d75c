import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import type { Answer, Ask, Question } from "../gate/ask.ts";
import type { Progress } from "./progress.ts";
import { allLines, answerFrom, questionText, ruleOf } from "./question.ts";
import { readLine, throwAwayTyped } from "./terminal-keys.ts";
import type { WindowSize } from "./text-width.ts";

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
    const release = progress.hold();
    // Descriptors of their own: the streams close them.
    const screen = new WriteStream(DEVICE === undefined ? 2 : openSync(DEVICE, "r+"));
    const keys = new ReadStream(DEVICE === undefined ? 0 : openSync(DEVICE, "r"));
    // A terminal that is gone ends the input too, and that is a no.
    screen.on("error", () => {});
    keys.on("error", () => {});
    try {
      keys.setEncoding("utf8");
      return await ask(question, { keys, screen, signal });
    } finally {
      keys.destroy();
      screen.destroy();
      release();
    }
  };
}

interface Terminal {
  readonly keys: ReadStream;
  readonly screen: WriteStream;
  readonly signal: AbortSignal;
}

async function ask(question: Question, terminal: Terminal): Promise<Answer> {
  const no: Answer = question.plan ? { kind: "calls", allow: [], others: "deny" } : "deny-waiting";
  let again = "";
  for (;;) {
    const line = await prompt(again === "" ? questionText(question, sizeOf(terminal.screen)) : again, terminal);
    again = "";
    if (line === undefined) return no;
    const answer = answerFrom(line, question);
    if (answer === undefined) {
      again = "Please answer with one of the keys above; n = no (default): ";
    } else if (answer === "view") {
      if (!(await view(question, terminal))) return no;
    } else {
      const rule = ruleOf(question, answer);
      if (rule === undefined) return answer;
      const sure = await prompt(
        `This rule would be written into your configuration, and hold from now on:\n  ${rule}\nWrite it?  yes = write it   anything else = back (default): `,
        terminal,
      );
      if (sure === undefined) return no;
      if (sure.trim().toLowerCase() === "yes") return answer;
    }
  }
}

/** Shows all arguments page by page. False at the end of input. */
async function view(question: Question, terminal: Terminal): Promise<boolean> {
  const { columns, rows } = sizeOf(terminal.screen);
  const lines = allLines(question, columns);
  const page = Math.max(1, rows - 2);
  for (let at = 0; at < lines.length; at += page) {
    const end = Math.min(lines.length, at + page);
    const more = end < lines.length ? "Enter = next page   q = back (default): " : "Enter = back (default): ";
    const line = await prompt(
      `\n${lines.slice(at, end).join("\n")}\n-- ${end} of ${lines.length} lines -- ${more}`,
      terminal,
    );
    if (line === undefined) return false;
    if (line.trim() !== "") return true;
  }
  return true;
}

/** Shows a text and reads a line that was typed after it; undefined at the end of input or of the run. */
async function prompt(text: string, { keys, screen, signal }: Terminal): Promise<string | undefined> {
  await throwAwayTyped(keys);
  if (signal.aborted) return undefined;
  // Reading starts before the text is out, so that no answer to it is missed.
  const line = readLine(keys, signal);
  screen.write(text);
  return await line;
}

/** The window's size; terminals that do not know theirs say 0. */
function sizeOf({ columns, rows }: WriteStream): WindowSize {
  return { columns: Math.max(20, columns || 80), rows: Math.max(10, rows || 24) };
}
