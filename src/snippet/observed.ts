import type { Diagnostic } from "./diagnostic.ts";

/**
 * Joins what was found with observed types and what was found without them. What is an error only with observed types, which
 * tell of earlier results and not of this one, becomes a note. What is an error in both stays one, in the words that were
 * found with them when both speak of the same.
 */
export function softenObserved(observed: readonly Diagnostic[], certain: readonly Diagnostic[]): Diagnostic[] {
  const certainErrors = certain.filter(isError);
  const isCertain = (error: Diagnostic): boolean => certainErrors.some((other) => isSame(error, other));
  const softened = observed.flatMap((diagnostic) => {
    if (!isError(diagnostic) || isCertain(diagnostic)) return [diagnostic];
    return certainErrors.some((other) => isAtSamePlace(diagnostic, other)) ? [] : [toNote(diagnostic)];
  });
  const added = certainErrors.filter((error) => !observed.some((other) => isError(other) && isSame(error, other)));
  return [...softened, ...added].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Whether a diagnostic stops the snippet. */
export const isError = ({ severity }: Diagnostic): boolean => severity === "error";

function toNote({ message, ...rest }: Diagnostic): Diagnostic {
  return {
    ...rest,
    severity: "note",
    message: `${message} (Observed in earlier results; it may be there all the same.)`,
  };
}

const isAtSamePlace = (one: Diagnostic, other: Diagnostic): boolean =>
  one.line === other.line && one.column === other.column;

const isSame = (one: Diagnostic, other: Diagnostic): boolean => isAtSamePlace(one, other) && one.code === other.code;
