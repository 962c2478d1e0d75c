/** What a snippet threw as JSON, evaluated before the prelude and under its rules. `toolOf` says which call an error is of. */
(function makeDescribeError(p, format, stacks, json, toolOf) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { toData, toOutput } = json;
  const { ErrorOf, text, stringSlice } = p;
  const cut = (string, length) => (string.length > length ? `${stringSlice(string, 0, length)}…` : string);

  /** Reading the error may run the snippet's code, which may throw again. Its data have at most `most` characters. */
  return function describe(error, most) {
    const parts = { __proto__: null, name: "Error", message: "An error that cannot be read." };
    try {
      if (error === null || typeof error !== "object") {
        parts.message = typeof error === "string" ? error : format([error]);
      } else if (error instanceof ErrorOf) {
        parts.name = cut(text(error.name), 200);
        parts.message = cut(text(error.message), 16_000);
        parts.stack = cut(stacks.framesOf(error.stack), 16_000);
        parts.tool = toolOf(error);
        parts.data = toData(parts.tool === undefined ? error : error.data, most);
      } else {
        parts.message = cut(format([error]), 16_000);
        parts.data = toData(error, most);
      }
    } catch {
      // The parts read so far are the best there is.
    }
    parts.message = cut(parts.message, 16_000);
    return toOutput(parts);
  };
});
