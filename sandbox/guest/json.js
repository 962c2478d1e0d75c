/**
 * JSON for what crosses the bridge, evaluated before the prelude and under its rules.
 *
 * Arguments are strict: a value that JSON would drop or change silently is a TypeError that names its path. Results are
 * lenient, since the work is done and must not be lost: maps become objects or lists, typed arrays and iterators lists, a
 * cycle is marked.
 */
(function makeJson(format) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { stringify, parse } = JSON;
  const { isArray } = Array;
  const { apply } = Reflect;
  const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys, prototype: plainPrototype } = Object;
  const { isPrototypeOf: isAncestor } = plainPrototype;
  /** Items that are taken from an iterator: one without an end must not end the run. */
  const MOST_ITEMS = 100_000;
  const { isFinite: isFiniteNumber } = Number;
  const { get: mapGet, set: mapSet, forEach: mapForEach } = Map.prototype;
  const { forEach: setForEach } = Set.prototype;
  const mapSize = getOwnPropertyDescriptor(Map.prototype, "size").get;
  const setSize = getOwnPropertyDescriptor(Set.prototype, "size").get;
  const TypedArray = getPrototypeOf(Uint8Array);
  const typedTag = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;
  const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  const { slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const [MapOf, PromiseOf, ErrorOf, TypeErrorOf, text] = [Map, Promise, Error, TypeError, String];

  /** The JSON text of a call's argument object. Nothing stands for `{}`. */
  function toArguments(tool, args) {
    if (args === undefined) return "{}";
    if (args === null || typeof args !== "object" || isArray(args)) {
      throw new TypeErrorOf(`${tool} takes one object of arguments, not ${kindOf(args)}.`);
    }
    const walk = startWalk();
    const json = stringify(args, function (key, value) {
      const problem = whyNotJson(value) ?? (walk.enter(this, key, value) ? undefined : "contains itself");
      if (problem === undefined) return value;
      const path = walk.pathTo(this, key);
      const named = path === "" ? "argument object" : `argument ${path[0] === "." ? apply(slice, path, [1]) : path}`;
      throw new TypeErrorOf(`${tool}: the ${named} ${problem}; only plain JSON values can be sent.`);
    });
    if (json === undefined || json[0] !== "{") throw new TypeErrorOf(`${tool} takes one object of arguments.`);
    return json;
  }

  /** What is wrong with a value for JSON. `undefined` is fine: it is how optional arguments are left out. */
  function whyNotJson(value) {
    switch (typeof value) {
      case "function":
        return "is a function";
      case "symbol":
        return "is a symbol";
      case "bigint":
        return "is a BigInt";
      case "number":
        return isFiniteNumber(value) ? undefined : `is ${value}`;
      case "object":
        if (isPlain(value)) return undefined;
        if (value instanceof PromiseOf) return "is a promise that was not awaited";
        return hasBrand(mapSize, value) ? "is a Map" : hasBrand(setSize, value) ? "is a Set" : undefined;
      default:
        return undefined;
    }
  }

  /** The JSON text of a returned value, or undefined for what JSON has no text for. */
  function toOutput(value) {
    // A replacer is 50 times slower, so it is kept for what V8 refuses: cycles and BigInts.
    try {
      for (let i = 0; i < shown.length; i++) append(shown[i], "toJSON", showThis);
      return stringify(value);
    } catch {
      return writeSlowly(value);
    } finally {
      for (let i = 0; i < shown.length; i++) delete shown[i].toJSON;
    }
  }

  // Only there while a result is written: JSON would show these as `{}`.
  const shown = [Map.prototype, Set.prototype, Error.prototype, TypedArray.prototype, iteratorPrototype];
  function showThis() {
    return toPlain(this);
  }

  function writeSlowly(value) {
    const walk = startWalk();
    return stringify(value, function (key, item) {
      if (typeof item === "bigint") return text(item);
      // `toJSON` may have made the item: the cycle is in what it was made from.
      const original = this[key];
      if (!walk.enter(this, key, original)) return "[Circular]";
      return item === original || walk.enter(original, "", item) ? item : "[Circular]";
    });
  }

  /** An object as JSON can show it: an object for a map with text keys, a list for other maps and for sets. */
  function toPlain(value) {
    if (hasBrand(mapSize, value)) return mapToPlain(value);
    if (hasBrand(setSize, value)) {
      const list = [];
      apply(setForEach, value, [(item) => append(list, list.length, item)]);
      return list;
    }
    if (apply(typedTag, value, []) !== undefined) return listOf(value.length, (at) => value[at]);
    if (apply(isAncestor, iteratorPrototype, [value])) return drain(value);
    if (!(value instanceof ErrorOf)) return value;
    const plain = create(null);
    append(plain, "name", value.name);
    append(plain, "message", value.message);
    return copyOwn(value, plain);
  }

  function listOf(length, itemAt) {
    const list = [];
    for (let i = 0; i < length; i++) append(list, i, itemAt(i));
    return list;
  }

  /** What an iterator has left: `map.values()` and a generator are meant as lists. */
  function drain(iterator) {
    const list = [];
    for (let i = 0; i < MOST_ITEMS; i++) {
      const { done, value } = iterator.next();
      if (done) break;
      append(list, i, value);
    }
    return list;
  }

  function mapToPlain(map) {
    let named = true;
    const check = (_, key) => {
      if (typeof key !== "string") named = false;
    };
    apply(mapForEach, map, [check]);
    const plain = named ? create(null) : [];
    apply(mapForEach, map, [(item, key) => append(plain, named ? key : plain.length, named ? item : [key, item])]);
    return plain;
  }

  /** An error's own enumerable data, or any other value, as plain data: undefined if there is none or it is too long. */
  function toData(value, most) {
    const source = value instanceof ErrorOf ? copyOwn(value, create(null)) : value;
    const json = toOutput(source);
    return json === undefined || json === "{}" || json.length > most ? undefined : parse(json);
  }

  function copyOwn(source, target) {
    const names = keys(source);
    for (let i = 0; i < names.length; i++) append(target, names[i], source[names[i]]);
    return target;
  }

  function append(target, key, value) {
    defineProperty(target, key, { __proto__: null, value, enumerable: true, configurable: true, writable: true });
  }

  /** Follows `stringify` on its way: from an object that is being written to the one it was found in. */
  function startWalk() {
    const found = new MapOf();
    const up = (at) => apply(mapGet, found, [at]);
    return {
      __proto__: null,
      /** Notes where an object was found; false if it contains the place. */
      enter: (holder, key, value) => {
        if (value === null || typeof value !== "object") return true;
        for (let at = holder; at !== undefined; at = up(at)?.holder) if (at === value) return false;
        apply(mapSet, found, [value, { __proto__: null, holder, key }]);
        return true;
      },
      pathTo: (holder, key) => {
        let path = step(holder, key);
        for (let at = up(holder); at !== undefined; at = up(at.holder)) path = step(at.holder, at.key) + path;
        return path;
      },
    };
  }

  const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
  function step(holder, key) {
    if (key === "") return "";
    if (isArray(holder)) return `[${key}]`;
    return apply(exec, IDENTIFIER, [key]) === null ? `[${stringify(key)}]` : `.${key}`;
  }

  function isPlain(value) {
    if (value === null || isArray(value)) return true;
    const prototype = getPrototypeOf(value);
    return prototype === plainPrototype || prototype === null;
  }

  /** Whether a built-in getter accepts the value: what it is, whatever its prototype says. */
  function hasBrand(getter, value) {
    try {
      apply(getter, value, []);
      return true;
    } catch {
      return false;
    }
  }

  function kindOf(value) {
    if (value === null) return "null";
    return isArray(value) ? "an array" : typeof value === "object" ? format([value]) : `a ${typeof value}`;
  }

  return { __proto__: null, toArguments, toOutput, toData };
});
