import type { Diagnostic } from "./diagnostic.ts";
import { frame } from "./frame.ts";
import { SHOWN_ERRORS, SHOWN_HINTS } from "./limits.ts";

/**
 * The message for the model about a snippet that was not run: what to do, then each error with its line, the quoted
 * code and the real signature, which is shown once. Notes follow, since they may explain an error.
 */
export function report(diagnostics: readonly Diagnostic[], source: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const shown = errors.slice(0, SHOWN_ERRORS);
  const count = errors.length === 1 ? "an error" : `${errors.length} errors`;
  const parts = [`Nothing was executed: the snippet has ${count}. Correct it and send all of it again.`];
  const signatures = new Set<string>();
  for (const error of shown) {
    const fresh = (error.signatures ?? []).filter((signature) => !signatures.has(signature));
    for (const signature of fresh) signatures.add(signature);
    const extra = [...(error.hint === undefined ? [] : [error.hint]), ...fresh].map((line) => `  ${line}`);
    parts.push([`line ${error.line}: ${error.message}`, frame(source, error, error.length ?? 1), ...extra].join("\n"));
  }
  if (errors.length > shown.length) parts.push(`${errors.length - shown.length} more errors are not shown.`);
  const hints = hintsOf(diagnostics).map((hint) => `Note, ${hint}`);
  return [...parts, ...(hints.length > 0 ? [hints.join("\n")] : [])].join("\n\n");
}

/** The notes among diagnostics, as lines of text. */
export function hintsOf(diagnostics: readonly Diagnostic[]): string[] {
  const notes = diagnostics.filter(({ severity }) => severity === "note");
  return notes.slice(0, SHOWN_HINTS).map(({ line, message }) => `line ${line}: ${message}`);
}
