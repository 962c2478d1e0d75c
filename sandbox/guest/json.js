/**
 * JSON for what crosses the bridge, evaluated before the prelude and under its rules.
 *
 * Arguments are strict: what JSON would drop or change is a TypeError that names its path. Results are lenient, since the
 * work is done and must not be lost.
 *
 * | value | in arguments | in a result |
 * |---|---|---|
 * | `undefined` | left out; an error in a list | left out; `null` in a list |
 * | date | ISO text; an error if invalid | ISO text; `null` if invalid |
 * | `NaN`, `Infinity` | error | `null` |
 * | -0, lone surrogates, own `__proto__` | 0, kept, kept | the same |
 * | BigInt | error | its digits as text |
 * | map | error | an object if all keys are text, else a list of pairs |
 * | set, iterator, typed array, buffer | error | a list; of an iterator at most 100,000 items |
 * | error | error | `name`, `message`, `cause`, `errors` and its own properties |
 * | function, regular expression, promise | error | as it is printed |
 * | symbol | error | left out; its text if it is all |
 * | cycle | error | "[Circular]" |
 * | `toJSON` | used | used |
 * | other objects | own enumerable properties; an error if there are none | own enumerable properties |
 * | nesting | error beyond the limit `nesting` | the same |
 */
(function makeJson(format, isSimple) {
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
  const bufferLength = getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get;
  const { getTime } = Date.prototype;
  const typedTag = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;
  const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  const { slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const [MapOf, PromiseOf, ErrorOf, TypeErrorOf, BytesOf] = [Map, Promise, Error, TypeError, Uint8Array];
  const text = String;

  /** The JSON text of a call's argument object. Nothing stands for `{}`. */
  function toArguments(tool, args, levels) {
    if (args === undefined) return "{}";
    if (args === null || typeof args !== "object" || isArray(args)) {
      throw new TypeErrorOf(`${tool} takes one object of arguments, not ${kindOf(args)}.`);
    }
    if (isSimple(args, levels)) return stringify(args);
    const walk = startWalk();
    const json = stringify(args, function (key, value) {
      const problem = whyNotJson(value, this, key) ?? walk.enter(this, key, value, levels);
      if (problem === undefined) return value;
      const path = walk.pathTo(this, key);
      const named = path === "" ? "argument object" : `argument ${path[0] === "." ? apply(slice, path, [1]) : path}`;
      throw new TypeErrorOf(`${tool}: the ${named} ${problem}; only plain JSON values can be sent.`);
    });
    if (json === undefined || json[0] !== "{") throw new TypeErrorOf(`${tool} takes one object of arguments.`);
    return json;
  }

  /** What is wrong with a value for JSON. `undefined` is fine as a property: it is how optional arguments are left out. */
  function whyNotJson(value, holder, key) {
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
        // A date's `toJSON` has made text of it, or null of one that is no date.
        if (value === null) return hasBrand(getTime, holder[key]) ? "is an invalid Date" : undefined;
        return isPlain(value) ? undefined : whyNoPlainData(value);
      case "undefined":
        return isArray(holder) ? "is undefined, which a list cannot hold (send null or leave it out)" : undefined;
      default:
        return undefined;
    }
  }

  /** What is wrong with an object of a class: JSON would leave out what is not an own property. */
  function whyNoPlainData(value) {
    if (value instanceof PromiseOf) return "is a promise that was not awaited";
    if (hasBrand(mapSize, value)) return "is a Map (send Object.fromEntries(map) or [...map])";
    if (hasBrand(setSize, value)) return "is a Set (send [...set])";
    const bytes = apply(typedTag, value, []);
    if (bytes !== undefined) return `is a ${bytes} (send base64 text or Array.from(bytes))`;
    if (hasBrand(bufferLength, value)) return "is an ArrayBuffer (send base64 text or a list of numbers)";
    if (value instanceof ErrorOf) return "is an Error (send its message)";
    return keys(value).length === 0 ? `is ${kindOf(value)} without plain data` : undefined;
  }

  /** The JSON text of a returned value, or undefined for what JSON has no text for. */
  function toOutput(value) {
    // For these JSON looks at no `toJSON`, and to add some takes a tenth of a millisecond.
    if (value === null || PRIMITIVE[typeof value]) return stringify(value);
    // A replacer is 50 times slower, so it is kept for what V8 refuses: cycles.
    const added = [];
    made = new MapOf();
    try {
      if (typeof value === "symbol") return stringify(text(value));
      for (let i = 0; i < shown.length; i++) {
        if (getOwnPropertyDescriptor(shown[i], "toJSON") !== undefined) continue;
        append(shown[i], "toJSON", showThis);
        append(added, added.length, shown[i]);
      }
      return stringify(value);
    } catch {
      return writeSlowly(value);
    } finally {
      for (let i = 0; i < added.length; i++) delete added[i].toJSON;
      made = undefined;
    }
  }

  /** What was made of each object while one result is written: the same again, so that a cycle is one and no iterator is read twice. */
  let made;
  function plainOf(value) {
    const known = apply(mapGet, made, [value]);
    if (known !== undefined) return known;
    const plain = toPlain(value);
    apply(mapSet, made, [value, plain]);
    return plain;
  }

  const PRIMITIVE = { __proto__: null, undefined: true, boolean: true, number: true, string: true };

  // Only there while a result is written: JSON would show these as `{}` or not at all.
  const shown = [Map, Set, Error, TypedArray, ArrayBuffer, RegExp, Promise, WeakMap, WeakSet, Function, BigInt];
  for (let i = 0; i < shown.length; i++) shown[i] = shown[i].prototype;
  shown[shown.length] = iteratorPrototype;
  function showThis() {
    // The snippet can get hold of this function while a result is written, and call it later.
    return made === undefined ? undefined : plainOf(this);
  }

  function writeSlowly(value) {
    const walk = startWalk();
    return stringify(value, function (key, item) {
      if (typeof item === "bigint") return text(item);
      if (typeof item === "function") return format([item]);
      // `toJSON` may have made the item: the cycle is in what it was made from.
      const original = this[key];
      if (walk.enter(this, key, original) !== undefined) return "[Circular]";
      // A frozen prototype took no `toJSON`.
      const shownItem = item === original && isShown(item) ? plainOf(item) : item;
      return shownItem === original || walk.enter(original, "", shownItem) === undefined ? shownItem : "[Circular]";
    });
  }

  function isShown(value) {
    if (value === null || typeof value !== "object" || isPlain(value)) return false;
    if (hasBrand(mapSize, value) || hasBrand(setSize, value) || hasBrand(bufferLength, value)) return true;
    if (apply(typedTag, value, []) !== undefined || value instanceof ErrorOf || value instanceof PromiseOf) return true;
    return apply(isAncestor, iteratorPrototype, [value]);
  }

  /** An object as JSON can show it: an object for a map with text keys, a list for other maps and for sets. */
  function toPlain(value) {
    if (typeof value === "bigint") return text(value);
    if (typeof value === "function") return format([value]);
    if (hasBrand(mapSize, value)) return mapToPlain(value);
    if (hasBrand(setSize, value)) {
      const list = [];
      apply(setForEach, value, [(item) => append(list, list.length, item)]);
      return list;
    }
    if (apply(typedTag, value, []) !== undefined) return listOf(value.length, (at) => value[at]);
    if (hasBrand(bufferLength, value)) return toPlain(new BytesOf(value));
    if (value instanceof ErrorOf) return errorToPlain(value);
    if (apply(isAncestor, iteratorPrototype, [value])) return drain(value);
    return value instanceof PromiseOf ? "[a promise that was not awaited]" : format([value]);
  }

  function errorToPlain(error) {
    const plain = create(null);
    append(plain, "name", error.name);
    append(plain, "message", error.message);
    for (let i = 0; i < CAUSES.length; i++) {
      const property = getOwnPropertyDescriptor(error, CAUSES[i]);
      if (property !== undefined && property.value !== undefined) append(plain, CAUSES[i], property.value);
    }
    return copyOwn(error, plain);
  }
  /** What errors have that is not enumerable. */
  const CAUSES = ["cause", "errors"];

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
      /** Notes where an object was found, unless it contains the place or lies deeper than it may: then says so. */
      enter: (holder, key, value, levels) => {
        if (value === null || typeof value !== "object") return undefined;
        let level = 0;
        for (let at = holder; at !== undefined; at = up(at)?.holder) {
          if (at === value) return "contains itself";
          level++;
        }
        if (level > levels) return `is nested more than ${levels} levels deep`;
        apply(mapSet, found, [value, { __proto__: null, holder, key }]);
        return undefined;
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
