import { randomBytes } from "node:crypto";
import type { Limits, Outcome, Sandbox } from "../../sandbox/index.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { assignNamespaces } from "../catalog/names.ts";
import type { Tool } from "../catalog/tool.ts";
import { messageOf, NamiError } from "../errors.ts";
import type { SnippetLine } from "../gate/ask.ts";
import { createCaller, type GateOptions } from "../gate/caller.ts";
import { createPlan } from "../gate/plan.ts";
import type { Redactor } from "../output/redact.ts";
import { redactValue } from "../output/redact-value.ts";
import { renderOutput } from "../output/render.ts";
import type { RenderedCall } from "../output/render-calls.ts";
import type { Compiled, Compiler } from "../snippet/compile.ts";
import { answerAsks, type Guide } from "./answer-asks.ts";
import type { Emit } from "./events.ts";
import { createHostCall } from "./host-call.ts";
import { type CallRecord, createJournal } from "./journal.ts";
import { frameOf, relocate, SNIPPET_FILE } from "./locate-error.ts";
import { heldPlan, stoppedByPerson, toRunOutcome } from "./outcome.ts";
import { type PlannedRun, runPlanned } from "./planned.ts";
import { createMeter, type Meter } from "./receipt.ts";
import type { RunResult } from "./result.ts";
import type { Store } from "./store.ts";

/** What a run needs from around it. */
export interface RunOptions {
  readonly catalog: Catalog;
  readonly compiler: Compiler;
  readonly sandbox: Sandbox;
  readonly gate: Omit<GateOptions, "onProblem" | "onStop" | "plan" | "redactValue">;
  /** Masks secrets, and what looks like one, in everything that leaves the run. */
  readonly redact: Redactor;
  /** Masks the configured secrets in results on their way into the isolate, and nothing else. */
  readonly maskSecrets: Redactor;
  readonly limits: Partial<Limits>;
  /** Tells snippets about the tools. */
  readonly guide: Guide;
  /** What snippets keep between runs. */
  readonly store: Store;
  /** Servers that are configured and not there, so that a snippet that needs one is told why. */
  readonly unavailable: readonly { readonly server: string; readonly message: string }[];
  /** Tokens of the text for the model; absent for the default. */
  readonly outputTokens?: number;
  readonly signal: AbortSignal;
  /** Whether calls that would have to be asked about are planned first, and asked about all together. */
  readonly plan: boolean;
  /** The value that stands for a planned call's result. */
  readonly placeholder: (tool: Tool, sequence: number) => unknown;
  /** Shown each successful result, as the snippet gets it. Must not throw. */
  readonly observe: (tool: Tool, see: () => unknown) => void;
  readonly emit: Emit;
}

type Program = Extract<Compiled, { kind: "program" }>;
type Rejected = Extract<Compiled, { kind: "rejected" }>;

/**
 * Runs one snippet from its text to its receipt: normalise, check, run, call through the gate, render. Whatever the
 * snippet does becomes a result; only failures of nami itself throw.
 */
export async function runSnippet(source: string, options: RunOptions): Promise<RunResult> {
  const { compiler, emit } = options;
  const id = `run-${randomBytes(6).toString("hex")}`;
  const meter = createMeter();
  emit({ kind: "run-started", run: id });
  const start = performance.now();
  const compiled = await compiler.compile(source);
  emit({
    kind: "snippet-checked",
    run: id,
    ok: compiled.kind === "program",
    ms: Math.round(performance.now() - start),
  });
  const result =
    compiled.kind === "program"
      ? await runProgram(id, compiled, meter, options)
      : await rejection(id, compiled, meter, source, options);
  emit({ kind: "run-ended", run: id, ok: result.ok });
  return result;
}

async function rejection(
  id: string,
  compiled: Rejected,
  meter: Meter,
  source: string,
  { redact, unavailable }: RunOptions,
): Promise<RunResult> {
  const missing = unavailable.filter(({ server }) => mentions(source, server));
  const notes = missing.map(({ server, message }) => `The server "${server}" is not there. ${message}`);
  const text = redact([compiled.text, ...notes].join("\n\n"));
  return {
    id,
    ok: false,
    outcome: {
      kind: "rejected",
      diagnostics: compiled.diagnostics.map((diagnostic) => ({
        ...diagnostic,
        message: redact(diagnostic.message),
        ...(diagnostic.hint !== undefined && { hint: redact(diagnostic.hint) }),
      })),
    },
    typeCheck: "failed",
    logs: [],
    logsCut: false,
    notes: notes.map(redact),
    calls: [],
    receipt: await meter.receipt([], text),
    text,
    truncated: false,
  };
}

/** Whether a snippet uses the name that the server would have in it. */
function mentions(source: string, server: string): boolean {
  const namespace = assignNamespaces([server]).namespaces.get(server) ?? server;
  return source.split(/[^\p{ID_Continue}$]+/u).includes(namespace);
}

async function runProgram(id: string, program: Program, meter: Meter, options: RunOptions): Promise<RunResult> {
  const { catalog, gate, redact, maskSecrets, emit } = options;
  const journal = createJournal();
  const plan = options.plan ? createPlan() : undefined;
  const problems: string[] = [];
  const halt = new AbortController();
  let stoppedAt: Tool | undefined;
  const caller = createCaller(id, {
    ...gate,
    ...(plan && { plan }),
    onStop: (tool) => {
      stoppedAt = tool;
      // After the turn in which the denied calls are written down.
      setImmediate(() => halt.abort());
    },
    redactValue: (value) => redactValue(value, redact),
    onProblem: (problem) => problems.push(problem),
  });
  const { observe, placeholder, store } = options;
  const lineAt = (line: number, column: number) => snippetLine(program, line, column);
  const hostCall = createHostCall({
    ...{ run: id, catalog, caller, journal, meter, redact, maskSecrets, observe, emit, lineAt, placeholder },
  });
  const signal = AbortSignal.any([options.signal, halt.signal]);
  const attempt: PlannedRun["attempt"] = async (ownStore, more) => {
    const outcome = await runInSandbox(options.sandbox, {
      code: program.code,
      filename: SNIPPET_FILE,
      tools: new Map(catalog.servers.map(({ namespace, tools }) => [namespace, tools.map(({ member }) => member)])),
      limits: options.limits,
      signal,
      call: hostCall.call,
      ask: answerAsks(options.guide, ownStore, maskSecrets),
      onLog: (line) =>
        emit({ kind: "line-logged", run: id, line: { ...line, text: redact(relocate(line.text, program)) } }),
      ...more,
    });
    await hostCall.settled();
    return outcome;
  };
  const {
    outcome: ended,
    held,
    notes: planNotes,
  } = plan
    ? await runPlanned({ run: id, plan, caller, journal, store, signal, emit, attempt })
    : { outcome: await attempt(store, {}), notes: [] };
  await gate.audit.flush();
  const logs = ended.logs.map((line) => ({ ...line, text: relocate(line.text, program) }));
  const calls = journal.calls();
  const outcome =
    stoppedAt && !options.signal.aborted
      ? stoppedByPerson(stoppedAt)
      : held
        ? heldPlan(ended, held, options.signal.aborted, redact)
        : toRunOutcome(ended, program, redact);
  const notes = [
    ...program.notes,
    ...typeCheckNote(program),
    ...callNotes(ended),
    ...ended.warnings,
    ...planNotes,
    ...problems,
  ];
  const hints = outcome.kind === "threw" ? program.hints : [];
  const rendered = await renderOutput({
    outcome: outcome.kind === "threw" ? { ...outcome, error: withFrame(outcome.error, program, redact) } : outcome,
    logs,
    logsCut: ended.logsCut,
    notes: [...notes, ...hints],
    calls: calls.flatMap(renderedCall),
    howToAllow: howToAllow(calls),
    redact,
    ...(options.outputTokens !== undefined && { budgetTokens: options.outputTokens }),
  });
  return {
    id,
    ok: outcome.kind === "returned" && calls.every(wasSettled),
    outcome,
    typeCheck: program.typeCheck,
    logs: logs.map((line) => ({ ...line, text: redact(line.text) })),
    logsCut: ended.logsCut,
    notes: [...notes, ...hints, ...(rendered.value?.cut === undefined ? [] : [rendered.value.cut])].map(redact),
    calls,
    receipt: await meter.receipt(calls, rendered.text),
    text: rendered.text,
    ...(rendered.value?.text !== undefined && { valueText: rendered.value.text }),
    truncated: rendered.truncated,
  };
}

async function runInSandbox(sandbox: Sandbox, run: Parameters<Sandbox["run"]>[0]): Promise<Outcome> {
  try {
    return await sandbox.run(run);
  } catch (error) {
    throw new NamiError("SANDBOX_UNAVAILABLE", `The snippet was not run: ${messageOf(error)}`, { cause: error });
  }
}

/** The author's line at a place of the code that runs. */
function snippetLine(program: Program, line: number, column: number): SnippetLine | undefined {
  const place = program.locate(line, column);
  const text = place && program.source.split("\n")[place.line - 1];
  return place === undefined || text === undefined ? undefined : { number: place.line, text: text.trim() };
}

function withFrame<T extends Parameters<typeof frameOf>[0]>(
  error: T,
  program: Program,
  redact: Redactor,
): T & { frame?: string } {
  const frame = frameOf(error, program.source, redact);
  return frame === undefined ? error : { ...error, frame };
}

function typeCheckNote(program: Program): string[] {
  if (program.typeCheck === "passed") return [];
  return [`The type check was skipped: ${program.typeCheckReason ?? "the checker is not available"}.`];
}

function callNotes({ unawaited }: Outcome): string[] {
  if (unawaited === 0) return [];
  return [
    `${unawaited} call${unawaited === 1 ? " was" : "s were"} not awaited; put \`await\` in front to get results and errors.`,
  ];
}

/** Whether a call came as far as it could by itself: it was sent, or its arguments were wrong and the snippet was told. */
function wasSettled({ decision }: CallRecord): boolean {
  return decision === "allowed" || decision === "invalid";
}

/** A call as a model is told of it; one that is still open when the run ends may have taken effect. */
function renderedCall({ decision, outcome, ...call }: CallRecord): RenderedCall[] {
  if (decision === "pending" || decision === "cancelled" || decision === "invalid" || decision === "planned") return [];
  if (outcome === "pending") return [{ ...call, decision, outcome: "cancelled" }];
  return [{ ...call, decision, outcome: outcome === "tool-error" ? "error" : outcome }];
}

/** What the person can do about calls that nobody could be asked about. */
function howToAllow(calls: readonly CallRecord[]): string[] {
  const ways = calls.flatMap(({ decision, ref, cap }) => {
    if (decision !== "refused") return [];
    return cap === undefined
      ? [`allow it for one command with --allow ${ref}, or for good in safe_tools of its server`]
      : [`raise a cap: ${cap}`];
  });
  return [...new Set(ways)];
}
