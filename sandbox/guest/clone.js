/** `structuredClone` for plain data, dates, maps, sets and errors, cycles included; evaluated before the prelude and under its rules. */
(function makeClone() {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { isArray } = Array;
  const { defineProperty, keys, getOwnPropertyDescriptor } = Object;
  const { get, set, has, forEach: mapForEach } = Map.prototype;
  const { add, forEach: setForEach } = Set.prototype;
  const mapSize = getOwnPropertyDescriptor(Map.prototype, "size").get;
  const setSize = getOwnPropertyDescriptor(Set.prototype, "size").get;
  const { getTime } = Date.prototype;
  const [MapOf, SetOf, DateOf, ErrorOf, TypeErrorOf] = [Map, Set, Date, Error, TypeError];

  return (value) => cloneValue(value, new MapOf());

  function cloneValue(value, seen) {
    if (typeof value === "function" || typeof value === "symbol") {
      throw new TypeErrorOf(`A ${typeof value} cannot be cloned.`);
    }
    if (value === null || typeof value !== "object") return value;
    if (apply(has, seen, [value])) return apply(get, seen, [value]);
    if (hasBrand(getTime, value)) return new DateOf(apply(getTime, value, []));
    const copy = emptyLike(value);
    apply(set, seen, [value, copy]);
    if (copy instanceof MapOf) {
      const entry = (item, key) => void apply(set, copy, [cloneValue(key, seen), cloneValue(item, seen)]);
      apply(mapForEach, value, [entry]);
    } else if (copy instanceof SetOf) {
      apply(setForEach, value, [(item) => void apply(add, copy, [cloneValue(item, seen)])]);
    } else {
      if (isArray(value)) copy.length = value.length;
      const names = keys(value);
      for (let i = 0; i < names.length; i++) {
        const item = cloneValue(value[names[i]], seen);
        const property = { __proto__: null, value: item, enumerable: true, configurable: true, writable: true };
        defineProperty(copy, names[i], property);
      }
    }
    return copy;
  }

  function emptyLike(value) {
    if (isArray(value)) return [];
    if (hasBrand(mapSize, value)) return new MapOf();
    if (hasBrand(setSize, value)) return new SetOf();
    if (!(value instanceof ErrorOf)) return {};
    const error = new ErrorOf(value.message);
    defineProperty(error, "name", { __proto__: null, value: value.name, configurable: true, writable: true });
    return error;
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
});
