import { Command, CommanderError } from "commander";
import { VERSION } from "../config/version.ts";
import { messageOf, NamiError } from "../errors.ts";
import { auditCommand } from "./audit.ts";
import { execCommand } from "./exec.ts";
import { EXIT } from "./exit-codes.ts";
import { generateCommand } from "./generate.ts";
import type { Io } from "./io.ts";
import { openOutput } from "./output.ts";
import { policyCommand } from "./policy.ts";
import { runCommand } from "./run.ts";
import { toolsCommand } from "./tools.ts";

/** Milliseconds that the first Ctrl-C leaves for ending a run, its calls and the servers. */
const STOPPING = 5000;

/** Runs the command line and ends the process with the command's exit code. */
export async function main(argv: readonly string[]): Promise<never> {
  const interrupt = new AbortController();
  const stdout = openOutput(process.stdout);
  const stderr = openOutput(process.stderr);
  // A closed terminal and a polite kill count as Ctrl-C. The servers' process groups outlive a plain death of ours, so that
  // every way out leads through process.exit, where they are ended.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
      interrupt.abort();
      stderr.write("\nnami: stopping (again to stop at once)\n");
      setTimeout(() => process.exit(EXIT.interrupted), STOPPING).unref();
    });
  }
  let code: number = EXIT.ok;
  const io: Io = {
    stdout,
    stderr,
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
  const lost = await stdout.flushed();
  if (lost !== undefined) {
    stderr.write(`nami: the output could not be written: ${lost}\n`);
    code ||= EXIT.failed;
  }
  await stderr.flushed();
  process.exit(code);
}

function createProgram(io: Io): Command {
  const program = new Command("nami")
    .description(
      "A model writes TypeScript against a typed SDK of your MCP servers; nami checks it, runs it isolated, and asks.",
    )
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: io.stdout.write, writeErr: io.stderr.write })
    .showHelpAfterError("(--help shows the usage)")
    .showSuggestionAfterError();
  execCommand(program, io);
  runCommand(program, io);
  toolsCommand(program, io);
  generateCommand(program, io);
  policyCommand(program, io);
  auditCommand(program, io);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
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
