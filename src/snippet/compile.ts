import type { Diagnostic } from "./diagnostic.ts";
import { removeFences } from "./fences.ts";
import { CHECK_TIMEOUT } from "./limits.ts";
import { tooMuch } from "./nesting.ts";
import { normalise } from "./normalise.ts";
import { isError } from "./observed.ts";
import { hintsOf, report } from "./report.ts";
import { strip } from "./strip.ts";
import { createTypeCheck, type SnippetSdk, type TypeCheck } from "./type-check.ts";

export type { Diagnostic } from "./diagnostic.ts";
export type { SnippetSdk } from "./type-check.ts";

/** Compiles snippets. Holds a process of the type checker, so it must be closed. */
export interface Compiler extends AsyncDisposable {
  /** Never throws because of the snippet, nor because the checker failed. */
  compile(source: string): Promise<Compiled>;
  /** Starts the checker ahead of the first snippet. Does not throw: a checker that cannot start is only skipped. */
  warm(): Promise<void>;
  /** Ends the checker's process and waits until it is gone. */
  close(): Promise<void>;
}

/** A snippet ready to run, or the reasons why it was not. */
export type Compiled =
  | {
      readonly kind: "program";
      /** JavaScript: `async function __nami__() {…}`. */
      readonly code: string;
      /** What was changed in the snippet. */
      readonly notes: readonly string[];
      /** What the checker had doubts about: worth showing when the run throws. */
      readonly hints: readonly string[];
      readonly typeCheck: "passed" | "skipped";
      readonly typeCheckReason?: string;
      /** From a place in `code` to the author's text; both count from 1. Nothing for code that is not the author's. */
      locate(line: number, column: number): { line: number; column: number } | undefined;
      /** The author's text without fences: what lines and columns refer to. */
      readonly source: string;
    }
  | {
      readonly kind: "rejected";
      readonly diagnostics: readonly Diagnostic[];
      /** The message for the model. */
      readonly text: string;
    };

/**
 * A compiler: any shape a model writes → type check → JavaScript.
 *
 * @param sdk what to compile against. Asked for each snippet: what changed in it counts from the next one on.
 * @param options.timeoutMs limit of one type check; a snippet whose check takes longer runs unchecked. Default 2000.
 */
export function createCompiler(sdk: () => SnippetSdk, options: { timeoutMs?: number } = {}): Compiler {
  const types = createTypeCheck(options.timeoutMs ?? CHECK_TIMEOUT);
  const close = async (): Promise<void> => await types[Symbol.asyncDispose]();
  return {
    compile: (source) => compile(source, sdk(), types),
    warm: () => types.warm(sdk()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function compile(answer: string, sdk: SnippetSdk, types: TypeCheck): Promise<Compiled> {
  const unfenced = removeFences(answer);
  if (unfenced.problem) return rejected([unfenced.problem], unfenced.text);
  const excess = tooMuch(unfenced.text);
  if (excess) return rejected([excess], unfenced.text);
  const normalised = normalise(unfenced.text, sdk.catalog);
  if (normalised.kind === "refused") return rejected(normalised.problems, unfenced.text);
  if (normalised.kind === "syntax") {
    // The parser's verdict stands; the checker only has better words for it.
    const better = await types.explainSyntax(normalised.wrapped, unfenced.text, sdk);
    return rejected([better ?? normalised.problem], unfenced.text);
  }
  const { source } = normalised;
  const verdict = await types.check(normalised, sdk);
  if (verdict.diagnostics.some(isError)) return rejected(verdict.diagnostics, source);
  const stripped = strip(normalised.runnable, source);
  if ("error" in stripped) return rejected([atStart(stripped.error)], source);
  return {
    kind: "program",
    ...stripped,
    notes: unfenced.note === undefined ? normalised.notes : [unfenced.note, ...normalised.notes],
    hints: hintsOf(verdict.diagnostics),
    typeCheck: verdict.skipped === undefined ? "passed" : "skipped",
    ...(verdict.skipped !== undefined && { typeCheckReason: verdict.skipped }),
    source,
  };
}

function rejected(diagnostics: readonly Diagnostic[], source: string): Compiled {
  return { kind: "rejected", diagnostics, text: report(diagnostics, source) };
}

function atStart(message: string): Diagnostic {
  return { line: 1, column: 1, severity: "error", code: "syntax", message };
}
