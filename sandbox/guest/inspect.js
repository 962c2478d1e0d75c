/**
 * Values as text, close to Node's `util.inspect`, evaluated before the prelude and under its rules. Getters are shown and not
 * run. Unlike Node: two levels deeper, as much on a line as fits, no columns, no state of promises, "[Circular]" without a
 * number. Text stops near the `left` of a budget.
 */
(function makeInspect() {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply, ownKeys } = Reflect;
  const { isArray } = Array;
  const { stringify } = JSON;
  const { getOwnPropertyDescriptor, getPrototypeOf, is, prototype: plainPrototype } = Object;
  const { forEach: mapForEach, get: mapGet, set: mapSet } = Map.prototype;
  const { forEach: setForEach } = Set.prototype;
  const mapSize = getOwnPropertyDescriptor(Map.prototype, "size").get;
  const setSize = getOwnPropertyDescriptor(Set.prototype, "size").get;
  const bytesLength = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "length").get;
  const { getTime, toISOString } = Date.prototype;
  const { slice, indexOf, includes, replaceAll } = String.prototype;
  const { exec, toString: regExpText } = RegExp.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const [ErrorOf, PromiseOf, MapOf, text, number] = [Error, Promise, Map, String, Number];

  const { toString: functionText } = Function.prototype;
  const { toString: numberText } = Number.prototype;
  const BytesOf = Uint8Array;
  const bufferLength = getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get;
  const boxes = [Number, String, Boolean, BigInt, Symbol];
  for (let i = 0; i < boxes.length; i++) boxes[i] = { name: boxes[i].name, method: boxes[i].prototype.valueOf };
  const CAUSES = ["cause", "errors"];
  /** Holes that are counted one by one; a list of nothing else can be 2 ** 32 long. */
  const MOST_HOLES = 10_000;

  // Node's numbers, but for the depth: nobody can look again, so two levels more.
  const [DEPTH, ITEMS, WIDTH] = [4, 100, 72];
  const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

  function take(string, budget) {
    budget.left -= string.length;
    return string;
  }

  /** The text of a value; `budget.left` is how many characters it may still have. */
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
    if (typeof value === "bigint") return take(`${value}n`, place.budget);
    if (typeof value === "symbol") return take(apply(symbolText, value, []), place.budget);
    if (typeof value === "function") return inspectFunction(value, place);
    if (value === null || typeof value !== "object") return is(value, -0) ? "-0" : text(value);
    for (let at = place; at !== undefined; at = at.above) if (at.value === value) return "[Circular]";
    const prototype = getPrototypeOf(value);
    if (prototype === plainPrototype) {
      return place.depth <= DEPTH ? inspectPlain(value, "", place) : take("[Object]", place.budget);
    }
    if (value instanceof ErrorOf) return inspectError(value, place);
    if (value instanceof PromiseOf) return "Promise {}";
    if (prototype !== null && !isArray(value)) {
      if (hasBrand(bufferLength, value)) return inspectBytes(value, place);
      const boxed = inspectBoxed(value, place);
      if (boxed !== undefined) return boxed;
    }
    if (hasBrand(getTime, value))
      return is(apply(getTime, value, []), number.NaN) ? "Invalid Date" : apply(toISOString, value, []);
    const name = className(prototype);
    const printer = apply(mapGet, printers, [prototype]);
    if (printer !== undefined) return `${name} ${take(quote(printer(value)), place.budget)}`;
    if (name === "RegExp") return apply(regExpText, value, []);
    const list = isArray(value) || hasBrand(bytesLength, value);
    if (place.depth > DEPTH) return `[${name === "" ? (list ? "Array" : "Object") : name}]`;
    if (list) return inspectList(value, name, place);
    if (hasBrand(mapSize, value)) return inspectMap(value, place);
    if (hasBrand(setSize, value)) return inspectSet(value, place);
    return inspectPlain(value, name, place);
  }

  function inspectFunction(value, place) {
    const source = apply(functionText, value, []);
    const own = getOwnPropertyDescriptor(value, "name")?.value;
    const name = typeof own === "string" ? own : "";
    const kind = className(getPrototypeOf(value)) || "Function";
    if (apply(exec, /^class\b/, [source]) === null) {
      return withProperties(`[${kind}${name === "" ? " (anonymous)" : `: ${name}`}]`, value, place);
    }
    const parent = getPrototypeOf(value);
    const above = typeof parent === "function" ? getOwnPropertyDescriptor(parent, "name")?.value : "";
    const extended = typeof above === "string" && above !== "" ? ` extends ${above}` : "";
    return withProperties(`[class ${name === "" ? "(anonymous)" : name}${extended}]`, value, place);
  }

  /** What a value is, and what a snippet has put on it. */
  function withProperties(head, value, place) {
    const parts = listParts(value, place);
    if (place.depth <= DEPTH) addProperties(value, parts);
    return parts.first === undefined ? head : close(`${head} {`, parts, "}");
  }

  function inspectBytes(buffer, place) {
    const bytes = new BytesOf(buffer);
    let hex = "";
    for (let i = 0; i < bytes.length && i < 50; i++) {
      hex += `${i === 0 ? "" : " "}${apply(slice, apply(numberText, bytes[i] + 256, [16]), [1])}`;
    }
    if (bytes.length > 50) hex += ` ... ${bytes.length - 50} more byte${bytes.length === 51 ? "" : "s"}`;
    const parts = listParts(buffer, place);
    parts.add(() => `[Uint8Contents]: <${hex}>`);
    parts.add(() => `[byteLength]: ${parts.inner(bytes.length)}`);
    return close("ArrayBuffer {", parts, "}");
  }

  /** The primitive in an object such as `Object(1)`, or undefined. */
  function inspectBoxed(value, place) {
    for (let i = 0; i < boxes.length; i++) {
      if (!hasBrand(boxes[i].method, value)) continue;
      const inside = inspect(apply(boxes[i].method, value, []), place);
      return `[${boxes[i].name}: ${inside}]`;
    }
  }

  function inspectPlain(value, name, place) {
    const parts = listParts(value, place);
    addProperties(value, parts);
    return close(name === "" ? "{" : `${name} {`, parts, "}");
  }

  function inspectList(list, name, place) {
    const parts = listParts(list, place);
    const { length } = list;
    let at = 0;
    for (let shown = 0; at < length && shown < ITEMS; shown++) {
      const index = at;
      const property = getOwnPropertyDescriptor(list, index);
      if (property !== undefined) {
        parts.add(() => (property.get === undefined ? parts.inner(property.value) : "[Getter]"));
        at++;
      } else {
        while (at < length && at - index < MOST_HOLES && getOwnPropertyDescriptor(list, at) === undefined) at++;
        const holes = at - index === MOST_HOLES ? length - index : at - index;
        parts.add(() => `<${holes} empty item${holes === 1 ? "" : "s"}>`);
        if (at - index === MOST_HOLES) at = length;
      }
    }
    if (at < length) parts.add(() => `... ${length - at} more item${length === at + 1 ? "" : "s"}`);
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
  /** Errors within errors that are shown with what is in them. */
  const MOST_CAUSES = 10;

  function inspectError(error, place) {
    // QuickJS's begins with the first frame and ends with an empty line.
    const stack = typeof error.stack === "string" ? `\n${error.stack}` : "";
    const start = apply(indexOf, stack, ["\n    at "]);
    let out = error.message === "" ? text(error.name) : `${error.name}: ${error.message}`;
    if (place.depth > MOST_CAUSES) return take(`[${out}]`, place.budget);
    for (let at = start; at !== -1; ) {
      const end = apply(indexOf, stack, ["\n", at + 1]);
      const line = end === -1 ? apply(slice, stack, [at]) : apply(slice, stack, [at, end]);
      if (line !== "\n" && !apply(includes, line, ["nami:"])) out += line;
      at = end;
    }
    out = take(out, place.budget);
    const parts = listParts(error, place);
    addProperties(error, parts);
    for (let i = 0; i < CAUSES.length; i++) {
      const property = getOwnPropertyDescriptor(error, CAUSES[i]);
      if (property === undefined || property.enumerable || property.get !== undefined) continue;
      parts.add(() => `[${CAUSES[i]}]: ${parts.inner(property.value)}`);
    }
    return parts.first === undefined ? out : close(`${out} {`, parts, "}");
  }

  function addProperties(object, parts) {
    const names = ownKeys(object);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      const property = getOwnPropertyDescriptor(object, key);
      if (property === undefined || !property.enumerable) continue;
      const shownKey = nameOf(key);
      const accessor = property.get ? (property.set ? "[Getter/Setter]" : "[Getter]") : property.set && "[Setter]";
      parts.add(() => `${take(shownKey, parts.budget)}: ${accessor || parts.inner(property.value)}`);
    }
  }

  function nameOf(key) {
    if (typeof key === "symbol") return apply(symbolText, key, []);
    return apply(exec, IDENTIFIER, [key]) === null ? quote(key) : key;
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
    if (apply(includes, bare, ['"']) && !apply(includes, bare, ["`"]) && !apply(includes, bare, ["${"]))
      return `\`${bare}\``;
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

  /** Prints objects with that prototype as `write` says. */
  function printAs(prototype, write) {
    apply(mapSet, printers, [prototype, write]);
  }
  const printers = new MapOf();

  return { __proto__: null, inspect: safely, printAs };
});
