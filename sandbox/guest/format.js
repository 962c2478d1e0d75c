/**
 * What `console.log` prints, close to Node's `util.inspect`, evaluated before the prelude and under its rules. Getters are
 * shown and not run. Text stops near `most` characters.
 */
(function makeFormat() {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { isArray } = Array;
  const { stringify } = JSON;
  const { getOwnPropertyDescriptor, getPrototypeOf, is, keys, prototype: plainPrototype } = Object;
  const { forEach: mapForEach } = Map.prototype;
  const { forEach: setForEach } = Set.prototype;
  const mapSize = getOwnPropertyDescriptor(Map.prototype, "size").get;
  const setSize = getOwnPropertyDescriptor(Set.prototype, "size").get;
  const bytesLength = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "length").get;
  const { getTime, toISOString } = Date.prototype;
  const { slice, indexOf, includes, replaceAll } = String.prototype;
  const { exec, toString: regExpText } = RegExp.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const [ErrorOf, PromiseOf, text, number, floor] = [Error, Promise, String, Number, Math.floor];

  // Node's numbers, but for the depth: nobody can look again, so two levels more.
  const [DEPTH, ITEMS, WIDTH] = [4, 100, 72];
  const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

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
      out += typeof args[next] === "string" ? take(args[next], budget) : safely(args[next], budget);
    }
    return out.length > most ? `${apply(slice, out, [0, most])}…` : out;
  }

  /** `%s %d %i %f %j %o %O %c %%` as in Node. */
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
      if (code === "s" || code === "o" || code === "O") return safely(value, budget);
      const parsed = typeof value === "object" ? number.NaN : number(value);
      return text(code === "i" ? floor(parsed) : parsed);
    } catch {
      return "[unprintable]";
    }
  }

  function take(string, budget) {
    budget.left -= string.length;
    return string;
  }

  function safely(value, budget) {
    try {
      return inspect(value, { __proto__: null, depth: 0, indent: "", budget, value: undefined, above: undefined });
    } catch {
      return "[unprintable]";
    }
  }

  /** `place` is where the value was found: depth, indent, and the objects around it as a linked list. */
  function inspect(value, place) {
    if (place.budget.left <= 0) return "…";
    if (typeof value === "string") return take(quote(value), place.budget);
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "symbol") return apply(symbolText, value, []);
    if (typeof value === "function") return value.name ? `[Function: ${value.name}]` : "[Function (anonymous)]";
    if (value === null || typeof value !== "object") return is(value, -0) ? "-0" : text(value);
    for (let at = place; at !== undefined; at = at.above) if (at.value === value) return "[Circular]";
    const prototype = getPrototypeOf(value);
    if (prototype === plainPrototype && place.depth <= DEPTH) return inspectPlain(value, "", place);
    if (value instanceof ErrorOf) return inspectError(value, place);
    if (value instanceof PromiseOf) return "Promise {}";
    if (hasBrand(getTime, value))
      return is(apply(getTime, value, []), number.NaN) ? "Invalid Date" : apply(toISOString, value, []);
    const name = className(prototype);
    if (name === "RegExp") return apply(regExpText, value, []);
    const list = isArray(value) || hasBrand(bytesLength, value);
    if (place.depth > DEPTH) return `[${name === "" ? (list ? "Array" : "Object") : name}]`;
    if (list) return inspectList(value, name, place);
    if (hasBrand(mapSize, value)) return inspectMap(value, place);
    if (hasBrand(setSize, value)) return inspectSet(value, place);
    return inspectPlain(value, name, place);
  }

  function inspectPlain(value, name, place) {
    const parts = listParts(value, place);
    addProperties(value, parts);
    return close(name === "" ? "{" : `${name} {`, parts, "}");
  }

  function inspectList(list, name, place) {
    const parts = listParts(list, place);
    for (let i = 0; i < list.length && i < ITEMS; i++) parts.add(() => parts.inner(list[i]));
    if (list.length > ITEMS)
      parts.add(() => `... ${list.length - ITEMS} more item${list.length === ITEMS + 1 ? "" : "s"}`);
    return close(name === "" ? "[" : `${name}(${list.length}) [`, parts, "]");
  }

  function inspectMap(map, place) {
    const parts = listParts(map, place);
    apply(mapForEach, map, [(item, key) => parts.add(() => `${parts.inner(key)} => ${parts.inner(item)}`)]);
    return close(`Map(${apply(mapSize, map, [])}) {`, parts, "}");
  }

  function inspectSet(set, place) {
    const parts = listParts(set, place);
    apply(setForEach, set, [(item) => parts.add(() => parts.inner(item))]);
    return close(`Set(${apply(setSize, set, [])}) {`, parts, "}");
  }

  /** The name and message, the snippet's frames, then the properties that the snippet gave it. */
  function inspectError(error, place) {
    const stack = typeof error.stack === "string" ? error.stack : "";
    const start = apply(indexOf, stack, ["\n    at "]);
    let out = error.message === "" ? text(error.name) : `${error.name}: ${error.message}`;
    for (let at = start; at !== -1; ) {
      const end = apply(indexOf, stack, ["\n", at + 1]);
      const line = end === -1 ? apply(slice, stack, [at]) : apply(slice, stack, [at, end]);
      if (!apply(includes, line, ["nami:"])) out += line;
      at = end;
    }
    out = take(out, place.budget);
    const parts = listParts(error, place);
    addProperties(error, parts);
    return parts.first === undefined ? out : close(`${out} {`, parts, "}");
  }

  function addProperties(object, parts) {
    const names = keys(object);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      const property = getOwnPropertyDescriptor(object, key);
      if (property === undefined) continue;
      const shownKey = apply(exec, IDENTIFIER, [key]) === null ? quote(key) : key;
      const accessor = property.get ? (property.set ? "[Getter/Setter]" : "[Getter]") : property.set && "[Setter]";
      parts.add(() => `${take(shownKey, parts.budget)}: ${accessor || parts.inner(property.value)}`);
    }
  }

  /** Collects the parts of an object as a linked list, until the budget is spent. */
  function listParts(value, { depth, indent, budget, ...rest }) {
    const inside = { __proto__: null, depth: depth + 1, indent: `${indent}  `, budget, value, above: undefined };
    inside.above = { __proto__: null, value: rest.value, above: rest.above };
    const parts = { __proto__: null, first: undefined, last: undefined, budget, indent, width: 0, many: false };
    parts.inner = (item) => inspect(item, inside);
    parts.add = (make) => {
      if (budget.left <= 0) return;
      const part = { __proto__: null, text: make(), next: undefined };
      if (parts.last === undefined) parts.first = part;
      else parts.last.next = part;
      parts.last = part;
      parts.width += part.text.length + 2;
      parts.many ||= apply(includes, part.text, ["\n"]);
      budget.left -= 2;
    };
    return parts;
  }

  /** All on one line if that is short, else a line for each part. */
  function close(open, { first, width, many, indent }, end) {
    if (first === undefined) return open + end;
    const short = width + open.length + indent.length <= WIDTH && !many;
    const gap = short ? " " : `\n${indent}  `;
    let out = open + gap + first.text;
    for (let part = first.next; part !== undefined; part = part.next) out += `,${gap}${part.text}`;
    return `${out}${short ? " " : `\n${indent}`}${end}`;
  }

  /** Single quotes, or others if that saves escapes, as in Node. */
  function quote(string) {
    const json = stringify(string);
    const bare = apply(replaceAll, apply(slice, json, [1, -1]), ['\\"', '"']);
    if (!apply(includes, bare, ["'"])) return `'${bare}'`;
    return apply(includes, bare, ['"']) ? `'${apply(replaceAll, bare, ["'", "\\'"])}'` : `"${bare}"`;
  }

  /** The class of an object with that prototype, "" for plain objects and arrays. */
  function className(prototype) {
    if (prototype === null) return "[Object: null prototype]";
    const maker = getOwnPropertyDescriptor(prototype, "constructor")?.value;
    const name = typeof maker === "function" ? getOwnPropertyDescriptor(maker, "name")?.value : "";
    return typeof name !== "string" || name === "Object" || name === "Array" ? "" : name;
  }

  /** Whether a built-in method accepts the value: what it is, whatever its prototype says. */
  function hasBrand(method, value) {
    try {
      apply(method, value, []);
      return true;
    } catch {
      return false;
    }
  }

  return format;
});
