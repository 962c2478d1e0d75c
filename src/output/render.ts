import { cutToTokens } from "./cut-text.ts";
import { ERROR_TOKENS, FRAME_TOKENS, LOG_TOKENS, NOTE_TOKENS, VALUE_TOKENS } from "./limits.ts";
import type { Redactor } from "./redact.ts";
import { redactValue } from "./redact-value.ts";
import { type RenderedCall, renderCalls, renderHeldBack } from "./render-calls.ts";
import { fence, inLine, type Section } from "./section.ts";
import { shrink } from "./shrink.ts";
import { countTokens } from "./tokens.ts";

/** What a snippet threw, with its place in the snippet where that is known. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Counted from 1, in the snippet as it was written. */
  readonly line?: number;
  readonly column?: number;
  /** The snippet's lines around the place. */
  readonly frame?: string;
  /** The ref of the tool whose call failed. */
  readonly tool?: string;
  readonly stack?: string;
}

/** How a run ended. */
export type RenderedOutcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: ThrownError }
  | { readonly kind: "stopped"; readonly reason: string; readonly message: string }
  /** Calls that were planned and not allowed; the arguments are redacted. */
  | {
      readonly kind: "planned";
      readonly calls: readonly { readonly sequence: number; readonly ref: string; readonly arguments: unknown }[];
    };

/** All that is known of a finished run. Values, logs and messages are untrusted data. */
export interface RenderInput {
  readonly outcome: RenderedOutcome;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
  /** Whether the sandbox dropped logs before they came here. */
  readonly logsCut: boolean;
  readonly notes: readonly string[];
  readonly calls: readonly RenderedCall[];
  /** For the person: how the calls that were held back can be allowed. */
  readonly howToAllow: readonly string[];
  /** Tokens for the value, `VALUE_TOKENS` by default. Logs, error and notes have limits of their own. */
  readonly budgetTokens?: number;
  readonly redact: Redactor;
}

/** The text of a run for a model. */
export interface Rendered {
  readonly text: string;
  readonly tokens: number;
  /** Whether anything was left out: of the value, the logs, the error or the notes. */
  readonly truncated: boolean;
  /** The returned value alone, for a caller that prints it by itself; absent when the snippet did not return. */
  readonly value?: PrintedValue;
}

/** Renders a finished run for a model: redacted, within its limits, and saying what was cut. Never throws on odd values. */
export async function renderOutput(input: RenderInput): Promise<Rendered> {
  const { outcome, redact } = input;
  const value =
    outcome.kind === "returned"
      ? await printValue(outcome.value, input.budgetTokens ?? VALUE_TOKENS, redact)
      : undefined;
  const sections = [
    value && outcome.kind === "returned"
      ? renderValue(value, typeof outcome.value === "string")
      : await renderEnd(input),
    renderHeldBack(input.calls, input.redact),
    await renderLines("To allow them, the user may do this:", input.howToAllow, input.redact),
    value ? undefined : renderCalls(input.calls, input.redact),
    await renderLogs(input),
    await renderLines("Notes:", input.notes, input.redact),
  ].filter((section) => section !== undefined);
  const text = sections.map((section) => section.text).join("\n\n");
  const truncated = sections.some((section) => section.cut);
  return { text, tokens: await countTokens(text), truncated, ...(value && { value }) };
}

/** How a snippet ended that did not return. */
async function renderEnd({ outcome, redact }: RenderInput): Promise<Section | undefined> {
  switch (outcome.kind) {
    case "returned":
      return undefined;
    case "threw":
      return await renderError(outcome.error, redact);
    case "planned":
      return await renderPlan(outcome.calls, redact);
    case "stopped":
      return await renderMessage(`The snippet was stopped (${outcome.reason})`, outcome.message, redact);
  }
}

async function renderPlan(
  calls: Extract<RenderedOutcome, { kind: "planned" }>["calls"],
  redact: Redactor,
): Promise<Section> {
  const lines = calls.map(
    ({ sequence, ref, arguments: args }) => `#${sequence} ${ref} ${JSON.stringify(redactValue(args, redact))}`,
  );
  const { text, cutCharacters } = await cutToTokens(redact(lines.join("\n")), VALUE_TOKENS);
  const count = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  return {
    text: `The plan has ${count}, and none was made. The rest of the snippet ran with placeholders for their results:\n${fence(text)}`,
    cut: cutCharacters > 0,
  };
}

/** A value as it is printed: text for a string, compact JSON for the rest, nothing for `undefined`. */
export interface PrintedValue {
  readonly text: string | undefined;
  /** What was left out and how to get it; absent when nothing was. */
  readonly cut?: string;
}

/** Prints a value within a token budget: redacted, and valid JSON unless it is a string. */
async function printValue(value: unknown, budget: number, redact: Redactor): Promise<PrintedValue> {
  const redacted = redactValue(value, redact);
  if (redacted === undefined) return { text: undefined };
  if (typeof redacted === "string") {
    const { text, cutCharacters } = await cutToTokens(redacted, budget);
    if (cutCharacters === 0) return { text };
    const cut = `The text was cut to fit ${budget} tokens: ${cutCharacters} of ${redacted.length} characters are missing. To see the rest, return less: filter or slice in the snippet.`;
    return { text, cut };
  }
  const { json, cut } = await shrink(redacted, budget);
  return { text: json, ...(cut !== undefined && { cut }) };
}

/** A string that is the whole value is shown as text: quoting it would only cost tokens. */
function renderValue({ text, cut }: PrintedValue, isText: boolean): Section {
  if (text === undefined) {
    return { text: "The snippet ended without a value. End it with `return …` to see a result.", cut: false };
  }
  if (text === "") return { text: "The snippet returned an empty string.", cut: false };
  const shown = isText ? `Returned text:\n${fence(text)}` : `Returned:\n${text}`;
  return { text: cut === undefined ? shown : `${shown}\n${cut}`, cut: cut !== undefined };
}

async function renderError(error: ThrownError, redact: Redactor): Promise<Section> {
  const where = error.line === undefined ? "" : ` at line ${error.line}${error.column ? `:${error.column}` : ""}`;
  const during = error.tool === undefined ? "" : ` in a call of ${inLine(redact(error.tool))}`;
  const main = await renderMessage(`The snippet failed${where}${during}`, `${error.name}: ${error.message}`, redact);
  const place = error.frame ?? error.stack;
  if (place === undefined) return main;
  const shown = await cutToTokens(redact(place), FRAME_TOKENS);
  return { text: `${main.text}\n${fence(shown.text)}`, cut: main.cut || shown.cutCharacters > 0 };
}

/** A message after words of ours; one of several lines is fenced. */
async function renderMessage(lead: string, message: string, redact: Redactor): Promise<Section> {
  const { text, cutCharacters } = await cutToTokens(redact(message), ERROR_TOKENS);
  return { text: text.includes("\n") ? `${lead}:\n${fence(text)}` : `${lead}: ${text}`, cut: cutCharacters > 0 };
}

async function renderLogs({ logs, logsCut, redact }: RenderInput): Promise<Section | undefined> {
  if (logs.length === 0) return undefined;
  const lines = logs.map(({ level, text }) => (level === "log" ? text : `${level}: ${text}`));
  const { text, cutCharacters } = await cutToTokens(redact(lines.join("\n")), LOG_TOKENS);
  const cut = logsCut || cutCharacters > 0;
  return { text: `Logs${cut ? " (cut; log less, return data)" : ""}:\n${fence(text)}`, cut };
}

async function renderLines(title: string, lines: readonly string[], redact: Redactor): Promise<Section | undefined> {
  if (lines.length === 0) return undefined;
  const list = lines.map((line) => `- ${redact(line).replaceAll("\n", "\n  ")}`).join("\n");
  const { text, cutCharacters } = await cutToTokens(list, NOTE_TOKENS);
  return { text: `${title}\n${text}`, cut: cutCharacters > 0 };
}
