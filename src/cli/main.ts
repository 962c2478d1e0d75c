import { Command, CommanderError } from "commander";

import { VERSION } from "../config/version.ts";
import { messageOf, NamiError } from "../errors.ts";
import { execCommand } from "./exec.ts";
import { EXIT } from "./exit-codes.ts";
import { generateCommand } from "./generate.ts";
import type { Io } from "./io.ts";
import { runCommand } from "./run.ts";
import { toolsCommand } from "./tools.ts";

/** Milliseconds that the first Ctrl-C leaves for ending a run, its calls and the servers. */
const STOPPING = 5000;

/** Runs the command line and ends the process with the command's exit code. */
export async function main(argv: readonly string[]): Promise<never> {
  const interrupt = new AbortController();
  process.on("SIGINT", () => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
    process.stderr.write("\nnami: stopping (Ctrl-C again to stop at once)\n");
    setTimeout(() => process.exit(EXIT.interrupted), STOPPING).unref();
  });
  // A reader such as head may go early: that is its right, and no failure of ours.
  process.stdout.on("error", () => process.exit(EXIT.ok));
  process.once("SIGTERM", () => interrupt.abort());
  let code: number = EXIT.ok;
  const io: Io = {
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupt.signal,
    exit: (wanted) => {
      code = wanted;
    },
  };
  try {
    await createProgram(io).parseAsync([...argv], { from: "user" });
  } catch (error) {
    code = failureCode(error, io);
  }
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

function createProgram(io: Io): Command {
  const program = new Command("nami")
    .description(
      "A model writes TypeScript against a typed SDK of your MCP servers; nami checks it, runs it isolated, and asks.",
    )
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(--help shows the usage)")
    .showSuggestionAfterError();
  execCommand(program, io);
  runCommand(program, io);
  toolsCommand(program, io);
  generateCommand(program, io);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Says what went wrong, unless commander has said it, and gives the exit code. */
function failureCode(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (io.signal.aborted) return EXIT.interrupted;
  io.stderr.write(`nami: ${messageOf(error)}\n`);
  if (!(error instanceof NamiError)) {
    if (error instanceof Error && error.stack) io.stderr.write(`${error.stack}\n`);
    return EXIT.failed;
  }
  return USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.failed;
}

const USAGE_CODES: ReadonlySet<string> = new Set(["USAGE", "CONFIG_INVALID", "TOOL_UNKNOWN"]);

/** Resolves when what was written has left the process: a pipe is written in the background. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
