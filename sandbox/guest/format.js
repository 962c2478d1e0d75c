/**
 * The text of the arguments of `console.log`, with Node's `%s %d %i %f %j %o %O %c %%`; evaluated before the prelude and under
 * its rules. Text stops near `most` characters.
 */
(function makeFormat(inspect) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { stringify } = JSON;
  const { slice, indexOf, includes } = String.prototype;
  const [text, number, parseWhole, parseReal, is] = [String, Number, parseInt, parseFloat, Object.is];

  /** The printed text of the arguments of `console.log`. */
  function format(args, most = 16_384) {
    const budget = { __proto__: null, left: most };
    let out = "";
    let next = 0;
    if (args.length > 1 && typeof args[0] === "string" && apply(includes, args[0], ["%"])) {
      const filled = fillIn(args, budget);
      out = filled.out;
      next = filled.used;
    }
    for (; next < args.length && budget.left > 0; next++) {
      if (next > 0) out += " ";
      out += typeof args[next] === "string" ? take(args[next], budget) : inspect(args[next], budget);
    }
    return out.length > most ? `${apply(slice, out, [0, most])}…` : out;
  }

  function fillIn(args, budget) {
    const pattern = args[0];
    let out = "";
    let used = 1;
    let from = 0;
    for (;;) {
      const at = apply(indexOf, pattern, ["%", from]);
      if (at === -1 || at + 1 >= pattern.length) break;
      const code = pattern[at + 1];
      out += apply(slice, pattern, [from, at]);
      from = at + 2;
      if (code === "%") out += "%";
      else if (used >= args.length || !apply(includes, "sdifjoOc", [code])) out += `%${code}`;
      else out += fillOne(code, args[used++], budget);
    }
    return { __proto__: null, out: out + apply(slice, pattern, [from]), used };
  }

  function fillOne(code, value, budget) {
    try {
      if (code === "c") return "";
      if (code === "s" && typeof value === "string") return take(value, budget);
      if (code === "j") return take(text(stringify(value)), budget);
      if (code === "s" || code === "o" || code === "O") return inspect(value, budget);
      return take(numeral(code, value), budget);
    } catch {
      return "[unprintable]";
    }
  }

  /** A value as `%d`, `%i` or `%f` show it. */
  function numeral(code, value) {
    if (typeof value === "bigint" && code !== "f") return `${value}n`;
    if (typeof value === "symbol" || (typeof value === "object" && code !== "f")) return "NaN";
    const parsed = code === "d" ? number(value) : code === "i" ? parseWhole(value) : parseReal(value);
    return is(parsed, -0) ? "-0" : text(parsed);
  }

  function take(string, budget) {
    budget.left -= string.length;
    return string;
  }

  return format;
});
