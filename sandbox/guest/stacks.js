/**
 * Stacks of errors without frames of ours, evaluated before the prelude and under its rules. V8 hands every stack that is
 * looked at to `Error.prepareStackTrace`, so ours stays there for good; an engine without it keeps its own texts.
 */
(function makeStacks(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { ErrorOf, apply, create, text, defineProperty, getPrototypeOf, isArray } = p;
  const { stringSlice, stringIndexOf, stringStartsWith, number } = p;
  const { captureStackTrace } = ErrorOf;
  const marker = { __proto__: null, wanted: undefined };

  const sample = (() => {
    ErrorOf.prepareStackTrace = (_, sites) => sites;
    const sites = new ErrorOf().stack;
    return isArray(sites) && sites.length > 0 ? getPrototypeOf(sites[0]) : undefined;
  })();
  const { toString: textOf, getScriptNameOrSourceURL, getLineNumber, getColumnNumber } = sample ?? {};
  const prepare = (error, sites) => {
    if (error === marker.wanted) return sites;
    let out = heading(error);
    for (let i = 0; i < sites.length; i++) {
      if (!isOurs(sites[i])) out += `\n    at ${apply(textOf, sites[i], [])}`;
    }
    return out;
  };
  const fixed = sample === undefined ? undefined : prepare;
  defineProperty(ErrorOf, "prepareStackTrace", {
    value: fixed,
    writable: false,
    enumerable: false,
    configurable: false,
  });

  function isOurs(site) {
    const name = apply(getScriptNameOrSourceURL, site, []);
    return typeof name === "string" && stringStartsWith(name, "nami:");
  }

  /** As `Error.prototype.toString`, of anything that a stack was asked of. */
  function heading(error) {
    try {
      const name = error.name === undefined ? "Error" : text(error.name);
      const message = error.message === undefined ? "" : text(error.message);
      return name === "" || message === "" ? name + message : `${name}: ${message}`;
    } catch {
      return "<error>";
    }
  }

  /** Where `self` was called: frames of the engine, or their text. */
  function capture(self) {
    const site = create(null);
    captureStackTrace(site, self);
    marker.wanted = site;
    try {
      return site.stack;
    } finally {
      marker.wanted = undefined;
    }
  }

  /** `,line,column` of the first frame in the file, or nothing. */
  function positionOf(captured, filename) {
    if (typeof captured === "string") return positionIn(captured, filename);
    if (sample === undefined || !isArray(captured)) return "";
    for (let i = 0; i < captured.length; i++) {
      if (apply(getScriptNameOrSourceURL, captured[i], []) !== filename) continue;
      return `,${apply(getLineNumber, captured[i], [])},${apply(getColumnNumber, captured[i], [])}`;
    }
    return "";
  }

  function positionIn(stack, filename) {
    const start = stringIndexOf(stack, `${filename}:`);
    if (start === -1) return "";
    const from = start + filename.length + 1;
    const rest = stringSlice(stack, from, from + 24);
    const colon = stringIndexOf(rest, ":");
    let end = colon + 1;
    while (end < rest.length && rest[end] >= "0" && rest[end] <= "9") end++;
    const line = number(stringSlice(rest, 0, colon));
    const column = number(stringSlice(rest, colon + 1, end));
    return line > 0 && column > 0 ? `,${line},${column}` : "";
  }

  /** What was captured as the lines below an error's message. */
  function framesOf(captured) {
    if (typeof captured === "string") return framesIn(captured);
    let out = "";
    if (sample === undefined || !isArray(captured)) return out;
    for (let i = 0; i < captured.length; i++) {
      if (!isOurs(captured[i])) out += `\n    at ${apply(textOf, captured[i], [])}`;
    }
    return out;
  }

  /** The frames in an engine's own text, without ours. QuickJS's begins with the first of them and ends with an empty line. */
  function framesIn(stack) {
    const lines = `\n${stack}`;
    let out = "";
    for (let at = stringIndexOf(lines, "\n    at "); at !== -1; ) {
      const end = stringIndexOf(lines, "\n", at + 1);
      const line = end === -1 ? stringSlice(lines, at) : stringSlice(lines, at, end);
      if (line !== "\n" && stringIndexOf(line, "nami:") === -1) out += line;
      at = end;
    }
    return out;
  }

  return { __proto__: null, capture, positionOf, framesOf };
});
