/** The class of errors of failed calls, evaluated before the prelude and under its rules. */
(function makeToolError(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const put = (object, key, value) => void p.defineProperty(object, key, p.hidden(value));

  class ToolError extends p.ErrorOf {
    constructor(message, options) {
      super(message);
      if (options === undefined || options === null) return;
      const { name, tool, data } = options;
      if (name !== undefined) put(this, "name", name);
      if (tool !== undefined) put(this, "tool", tool);
      if (data !== undefined) put(this, "data", data);
    }
  }
  // A setter, so that a class of the snippet's that extends it can set the name of its own errors.
  p.defineProperty(ToolError.prototype, "name", {
    __proto__: null,
    get: () => "ToolError",
    set(value) {
      put(this, "name", value);
    },
  });
  p.freeze(ToolError.prototype);

  return ToolError;
});
