import { readFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { messageOf, NamiError } from "../errors.ts";
import type { RunResult } from "../run/result.ts";
import { exitCodeOf } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { openNami } from "./open.ts";
import { addRunOptions, type RunFlags } from "./options.ts";
import { createProgress } from "./progress.ts";
import { receiptText, refusedText } from "./report.ts";

interface ExecFlags extends RunFlags {
  readonly eval?: string;
}

/** `nami exec`: runs a snippet with no model. Its value goes to standard output, everything else to standard error. */
export function execCommand(program: Command, io: Io): void {
  const command = program
    .command("exec")
    .description("check and run a TypeScript snippet against your servers, with no model")
    .argument("[file]", "file with the snippet, or - for standard input")
    .option("-e, --eval <code>", "the snippet itself")
    .addHelpText("after", EXAMPLES);
  addRunOptions(command).action(async (file: string | undefined, flags: ExecFlags) => {
    const source = await readSnippet(file, flags.eval, io.signal);
    using progress = createProgress(io.stderr);
    await using nami = await openNami("exec", flags, progress, io.signal);
    const result = await nami.execute(source, { signal: io.signal });
    progress.status("");
    if (flags.json) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else print(result, io);
    io.exit(exitCodeOf(result));
  });
}

const EXAMPLES = `
Examples:
  nami exec -e 'return await files.list_directory({ path: "/tmp" })'
  nami exec report.ts --allow tickets.close_ticket --timeout 2m
  cat snippet.ts | nami exec - --json

Exit codes: 0 ok, 1 failed, 2 usage, 3 a call was denied (or the run stopped at it), 5 a call needed asking and nobody was there,
124 deadline, 130 interrupted.`;

async function readSnippet(file: string | undefined, code: string | undefined, signal: AbortSignal): Promise<string> {
  if (code !== undefined && file !== undefined)
    throw new NamiError("USAGE", "Give either a file or -e CODE, not both.");
  if (code !== undefined) return code;
  if (file === undefined)
    throw new NamiError("USAGE", "Nothing to run: give a file, - for standard input, or -e CODE.");
  if (file === "-") return await readAll(addAbortSignal(signal, process.stdin));
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new NamiError("USAGE", `Cannot read the snippet ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

/** A value alone on standard output, so that it can be piped; the rest beside it. */
function print(result: RunResult, io: Io): void {
  for (const { level, text } of result.logs) io.stderr.write(`${level === "log" ? "" : `${level}: `}${text}\n`);
  if (result.outcome.kind === "returned") {
    if (result.valueText !== undefined) io.stdout.write(`${result.valueText}\n`);
    for (const note of result.notes) io.stderr.write(`note: ${note}\n`);
    io.stderr.write(refusedText([result]));
  } else {
    io.stderr.write(`${result.text}\n`);
  }
  io.stderr.write(`${receiptText(result.receipt)}\n`);
}
