/**
 * `console`, evaluated before the prelude and under its rules. As Node's, but: everything is a line of the run's log, traces
 * are at level "debug", and a label that is not there is said at level "warn".
 */
(function makeConsole(p, format, stacks, elapsed, drawTable, say) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { create, text, floor, mapGet, mapSet, mapDelete, MapOf, list } = p;
  const { stringIncludes, stringSlice, stringIndexOf, stringRepeat } = p;

  const console = create(null);
  const counts = new MapOf();
  const clocks = new MapOf();
  /** Groups inside one another that are shown as indents: deeper ones would be nothing but spaces. */
  const MOST_INDENT = 40;
  let groups = 0;
  let most = 0;
  let printing = true;

  function print(level, args) {
    // The worker counts and says when there is no room left.
    if (printing) printing = say(level, indent(format(args, most)));
  }

  function indent(string) {
    if (groups === 0) return string;
    const gap = stringRepeat("  ", p.min(groups, MOST_INDENT));
    if (!stringIncludes(string, "\n")) return gap + string;
    let out = gap;
    let from = 0;
    for (let at = stringIndexOf(string, "\n"); at !== -1; at = stringIndexOf(string, "\n", from)) {
      out += stringSlice(string, from, at + 1) + gap;
      from = at + 1;
    }
    return out + stringSlice(string, from);
  }

  for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = (...args) => print(level, args);
  console.trace = (...args) => {
    const said = args.length === 0 ? "Trace" : `Trace: ${format(args, most)}`;
    print("debug", [said + stacks.framesOf(stacks.capture(console.trace))]);
  };
  console.dir = (value) => print("log", ["%O", value]);
  console.dirxml = (...args) => print("log", args);
  console.table = (rows, columns) => {
    if (rows === null || typeof rows !== "object") return print("log", [rows]);
    let drawn;
    try {
      drawn = drawTable(rows, columns);
    } catch {
      return print("log", [rows]);
    }
    print("log", [drawn]);
  };
  console.group = (...args) => {
    if (args.length > 0) print("log", args);
    groups++;
  };
  console.groupCollapsed = console.group;
  console.groupEnd = () => {
    if (groups > 0) groups--;
  };
  console.assert = (condition, ...args) => {
    if (condition) return;
    const said = args.length === 0 ? "" : `: ${format(args, most)}`;
    print("error", [`Assertion failed${said}`]);
  };
  console.count = (label = "default") => {
    const name = text(label);
    const count = (mapGet(counts, name) ?? 0) + 1;
    mapSet(counts, name, count);
    print("log", [`${name}: ${count}`]);
  };
  console.countReset = (label = "default") => void mapDelete(counts, text(label));
  console.time = (label = "default") => {
    const name = text(label);
    if (mapGet(clocks, name) !== undefined) return print("warn", [`Label '${name}' already exists for console.time()`]);
    mapSet(clocks, name, elapsed());
  };
  const tell = (method, label, args) => {
    const name = text(label);
    const start = mapGet(clocks, name);
    if (start === undefined) return print("warn", [`No such label '${name}' for console.${method}()`]);
    const said = args.length === 0 ? "" : ` ${format(args, most)}`;
    print("log", [`${name}: ${duration(elapsed() - start)}${said}`]);
    if (method === "timeEnd") mapDelete(clocks, name);
  };
  console.timeEnd = (label = "default") => tell("timeEnd", label, list());
  console.timeLog = (label = "default", ...args) => tell("timeLog", label, args);

  /** As Node writes it: milliseconds, seconds, or minutes with seconds. */
  function duration(ms) {
    if (ms < 1000) return `${ms}ms`;
    const seconds = ms / 1000;
    if (seconds < 60) return `${fixed(seconds)}s`;
    const minutes = floor(seconds / 60);
    const rest = fixed(seconds - 60 * minutes);
    return `${minutes}:${seconds - 60 * minutes < 10 ? "0" : ""}${rest} (m:ss.mmm)`;
  }

  const fixed = (seconds) => p.numberToFixed(seconds, 3);

  return {
    __proto__: null,
    console,
    /** Says how many characters one line may have. */
    begin: (logBytes) => {
      most = logBytes;
    },
  };
});
