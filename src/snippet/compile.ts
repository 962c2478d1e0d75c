import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { messageOf } from "../errors.ts";
import { indexCalls } from "./calls.ts";
import { type Checker, createNativeChecker } from "./checker.ts";
import { diagnose, diagnoseSyntax } from "./diagnose.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { removeFences } from "./fences.ts";
import { guestTypes } from "./guest-types.ts";
import { standardLibrary } from "./lib.ts";
import { CHECK_TIMEOUT } from "./limits.ts";
import { tooMuch } from "./nesting.ts";
import { HEAD, type Normalised, normalise, TAIL } from "./normalise.ts";
import { hintsOf, report } from "./report.ts";
import { strip } from "./strip.ts";

export type { Diagnostic } from "./diagnostic.ts";

/** What snippets are compiled against. */
export interface SnippetSdk {
  readonly catalog: Catalog;
  /** Declarations of the servers: text by file name. */
  readonly declarations: ReadonlyMap<string, string>;
  /** A tool's signature on one line, for messages. */
  signature(tool: Tool): string;
}

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
 * A compiler for one SDK: any shape a model writes → type check → JavaScript.
 *
 * @param options.timeoutMs limit of one type check; a snippet whose check takes longer runs unchecked. Default 2000.
 */
export function createCompiler(sdk: SnippetSdk, options: { timeoutMs?: number } = {}): Compiler {
  const checker = createNativeChecker(() => declarationsOf(sdk), options.timeoutMs ?? CHECK_TIMEOUT);
  const close = async (): Promise<void> => await checker[Symbol.asyncDispose]();
  return {
    compile: (source) => compile(source, sdk, checker),
    warm: () => checker.check(`${HEAD}${TAIL}`, async () => {}).catch(() => {}),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** All that the checker sees besides the snippet. Files get names of our own, since a server's may be any text. */
function declarationsOf({ catalog, declarations }: SnippetSdk): Map<string, string> {
  const files = standardLibrary();
  files.set("guest.d.ts", guestTypes(catalog));
  let count = 0;
  for (const text of declarations.values()) files.set(`server-${++count}.d.ts`, text);
  return files;
}

async function compile(answer: string, sdk: SnippetSdk, checker: Checker): Promise<Compiled> {
  const unfenced = removeFences(answer);
  if (unfenced.problem) return rejected([unfenced.problem], unfenced.text);
  const excess = tooMuch(unfenced.text);
  if (excess) return rejected([excess], unfenced.text);
  const normalised = normalise(unfenced.text, sdk.catalog);
  if (normalised.kind === "refused") return rejected(normalised.problems, unfenced.text);
  if (normalised.kind === "syntax") return await rejectSyntax(normalised, unfenced.text, checker);
  const { source } = normalised;
  const verdict = await typeCheck(normalised, sdk, checker);
  if (verdict.diagnostics.some(({ severity }) => severity === "error")) return rejected(verdict.diagnostics, source);
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

type Body = Extract<Normalised, { kind: "body" }>;
type SyntaxProblem = Extract<Normalised, { kind: "syntax" }>;

/** The parser's verdict stands; the checker only has better words for it. */
async function rejectSyntax({ wrapped, problem }: SyntaxProblem, source: string, checker: Checker): Promise<Compiled> {
  const better = await checker
    .check(wrapped.text, async (checked) => diagnoseSyntax(wrapped, source, checked))
    .catch(() => undefined);
  return rejected([better ?? problem], source);
}

async function typeCheck(body: Body, sdk: SnippetSdk, checker: Checker): Promise<Verdict> {
  const { source, checked: text, program, aliases } = body;
  const index = indexCalls(program, sdk.catalog, aliases);
  try {
    const { catalog, signature } = sdk;
    const diagnostics = await checker.check(text.text, (checked) =>
      diagnose(text, { source, catalog, index, checked, signature }),
    );
    return { diagnostics };
  } catch (error) {
    return { diagnostics: [], skipped: messageOf(error) };
  }
}

interface Verdict {
  readonly diagnostics: readonly Diagnostic[];
  /** Why the checker gave no verdict. */
  readonly skipped?: string;
}

function atStart(message: string): Diagnostic {
  return { line: 1, column: 1, severity: "error", code: "syntax", message };
}
