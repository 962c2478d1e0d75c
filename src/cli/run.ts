import type { Command } from "commander";
import type { AgentEvent } from "../agent/events.ts";
import { type AgentResult, runAgent } from "../agent/loop.ts";
import { escapeInvisible } from "../catalog/visible-text.ts";
import { NamiError } from "../errors.ts";
import type { Nami } from "../nami.ts";
import { directDefinitionTokens } from "../run/direct-cost.ts";
import { sumReceipts } from "../run/receipt.ts";
import type { RunResult } from "../run/result.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { openNami } from "./open.ts";
import { addRunOptions, parseCount, type RunFlags } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { definitionsText, receiptText, refusedText } from "./report.ts";

interface RunTaskFlags extends RunFlags {
  readonly model?: string;
  readonly maxTurns: number;
}

/** `nami run`: a model works on a task by writing snippets. The answer goes to standard output, progress to standard error. */
export function runCommand(program: Command, io: Io): void {
  const command = program
    .command("run")
    .description("let a model do a task with your servers, by writing snippets")
    .argument("<task...>", "what to do, in your own words")
    .option("--model <name>", "model (default: NAMI_MODEL)")
    .option("--max-turns <n>", "most answers of the model", parseCount, 20)
    .addHelpText("after", ENVIRONMENT);
  addRunOptions(command).action(async (words: string[], flags: RunTaskFlags) => {
    // Loaded here, so that the other commands do not wait for it.
    const { createOpenAiModel } = await import("../agent/openai-model.ts");
    const model = createOpenAiModel({
      apiKey: process.env["OPENAI_API_KEY"],
      baseUrl: process.env["OPENAI_BASE_URL"],
      model: modelName(flags),
    });
    using progress = createProgress(io.stderr);
    await using nami = await openNami("run", flags, progress, io.signal);
    const runs: RunResult[] = [];
    const spent = { turns: 0, promptTokens: 0, completionTokens: 0, estimated: false };
    const report = reportTurns(progress);
    const answer: Answer = await runAgent({
      task: words.join(" "),
      model,
      servers: nami.catalog.servers.map(({ name, namespace, tools }) => ({ name, namespace, tools: tools.length })),
      maxTurns: flags.maxTurns,
      signal: io.signal,
      redact: nami.redact,
      search: async (query, limit) => nami.search(query, limit),
      execute: async (code, signal) => {
        const result = await nami.execute(code, { signal });
        runs.push(result);
        return result;
      },
      emit: (event) => {
        report(event);
        if (event.kind !== "turn-ended") return;
        spent.turns = event.turn;
        spent.promptTokens += event.usage.promptTokens;
        spent.completionTokens += event.usage.completionTokens;
        spent.estimated ||= event.estimated;
      },
    }).catch((error) => modelFailed(error, spent));
    progress.status("");
    await print(answer, runs, nami, flags, io);
    io.exit(exitCode(answer, runs));
  });
}

const ENVIRONMENT = `
Environment:
  OPENAI_API_KEY   key of the endpoint (local endpoints need none)
  OPENAI_BASE_URL  any endpoint that speaks Chat Completions, up to and with /v1
  NAMI_MODEL       model, when --model is not given

Exit codes: 0 ok, 1 failed, 2 usage, 3 a call was denied (or the run stopped at it), 5 a call needed asking and nobody was there,
124 deadline, 130 interrupted.`;

function modelName(flags: RunTaskFlags): string {
  const name = flags.model ?? process.env["NAMI_MODEL"];
  if (!name) throw new NamiError("USAGE", "Which model? Give --model NAME, or set NAMI_MODEL.");
  return name;
}

/** What came of the conversation; what runs have done before the model failed is told all the same. */
type Answer = Pick<AgentResult, "answer" | "turns" | "usage"> & {
  readonly kind: AgentResult["kind"] | "model-failed";
  readonly error?: string;
};

function modelFailed(error: unknown, { turns, ...usage }: AgentResult["usage"] & { turns: number }): Answer {
  if (!(error instanceof NamiError) || error.code !== "MODEL_FAILED") throw error;
  return { kind: "model-failed", error: error.message, answer: "", turns, usage };
}

/** Turns, snippets and results as they come: the person sees what the model does, on standard error. */
function reportTurns(progress: Progress): (event: AgentEvent) => void {
  return (event) => {
    switch (event.kind) {
      case "turn-started":
        progress.status(`turn ${event.turn}: the model is thinking`);
        break;
      case "turn-retried":
        progress.line(`nami: ${event.reason}; asking again`);
        break;
      case "tool-requested":
        progress.line(requested(event));
        break;
      case "tool-answered":
        progress.line(
          `nami: turn ${event.turn}: ${event.name} answered in ${event.ms} ms, ${event.text.length} characters`,
        );
        break;
      case "text-delta":
      case "turn-ended":
        break;
      default:
        event satisfies never;
    }
  };
}

function requested(event: Extract<AgentEvent, { kind: "tool-requested" }>): string {
  const { turn, name } = event;
  const args = parseArguments(event.arguments);
  if (typeof args["code"] !== "string")
    return `nami: turn ${turn}: ${name} ${escapeInvisible(event.arguments).slice(0, 200)}`;
  const code = escapeInvisible(args["code"].trim());
  return [`nami: turn ${turn}: ${name}`, ...code.split("\n").map((line) => `  | ${line}`)].join("\n");
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function print(
  answer: Answer,
  runs: readonly RunResult[],
  nami: Nami,
  flags: RunTaskFlags,
  io: Io,
): Promise<void> {
  const receipt = sumReceipts(runs.map((run) => run.receipt));
  const definitions = { tools: nami.tools.length, tokens: await directDefinitionTokens(nami.tools) };
  if (flags.json) {
    const { kind, error, turns, usage } = answer;
    io.stdout.write(
      `${JSON.stringify({ kind, answer: answer.answer, error, turns, usage, runs, receipt, definitions }, null, 2)}\n`,
    );
    return;
  }
  if (answer.answer !== "") io.stdout.write(`${answer.answer.trimEnd()}\n`);
  if (answer.error !== undefined) io.stderr.write(`nami: ${answer.error}\n`);
  if (answer.kind === "turns-exhausted") {
    io.stderr.write(`nami: the model used all ${answer.turns} turns. Raise --max-turns, or ask for less.\n`);
  }
  io.stderr.write(refusedText(runs));
  const { promptTokens, completionTokens, estimated } = answer.usage;
  io.stderr.write(
    `receipt: ${answer.turns} turns, ${promptTokens} prompt and ${completionTokens} completion tokens${estimated ? " (estimate)" : ""}\n`,
  );
  io.stderr.write(`${receiptText(receipt)}\n${definitionsText(definitions.tools, definitions.tokens)}\n`);
}

/** The worst that happened in the conversation; a snippet that failed and was corrected does not count. */
function exitCode(answer: Answer, runs: readonly RunResult[]): number {
  if (answer.kind === "interrupted") return EXIT.interrupted;
  const codes = runs.map(exitCodeOf);
  for (const code of [EXIT.denied, EXIT.nobody]) if (codes.includes(code)) return code;
  const last = codes.at(-1);
  if (last === EXIT.deadline) return EXIT.deadline;
  return answer.kind === "answered" ? EXIT.ok : EXIT.failed;
}
