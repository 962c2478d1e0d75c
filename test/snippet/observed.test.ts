import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/snippet/diagnostic.ts";
import { softenObserved } from "../../src/snippet/observed.ts";

const error = (line: number, code: number, message: string): Diagnostic => ({
  line,
  column: 1,
  severity: "error",
  code,
  message,
});
const OBSERVED = "(Observed in earlier results; it may be there all the same.)";

test("makes a note of what is an error only with observed types", () => {
  expect(softenObserved([error(1, 2339, "No `a`.")], [])).toEqual([
    { ...error(1, 2339, `No \`a\`. ${OBSERVED}`), severity: "note" },
  ]);
});

test("keeps the first words for the same error, and takes the second ones when it is another error at the same place", () => {
  expect(softenObserved([error(1, 2339, "first")], [error(1, 2339, "second")])).toEqual([error(1, 2339, "first")]);
  expect(softenObserved([error(1, 2551, "first")], [error(1, 2339, "second")])).toEqual([error(1, 2339, "second")]);
});

test("adds errors that observed types hid, in the order of the text", () => {
  const joined = softenObserved([error(3, 2304, "both")], [error(2, 2304, "hidden"), error(3, 2304, "both")]);
  expect(joined).toEqual([error(2, 2304, "hidden"), error(3, 2304, "both")]);
});

test("keeps the notes of the first check and drops those of the second", () => {
  const note = (message: string): Diagnostic => ({ ...error(1, 18048, message), severity: "note" });
  expect(softenObserved([note("first")], [note("second")])).toEqual([note("first")]);
});
