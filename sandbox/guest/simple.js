/**
 * Tells the values that JSON writes as they are, evaluated before the prelude and under its rules: data properties of plain
 * objects and lists, a few levels deep. Most arguments of calls are that, and to look takes a fourth of the time of a
 * replacer, which is for what this is not sure of.
 */
(function makeIsSimple(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { isArray, isFiniteNumber, getOwnPropertyDescriptor, getPrototypeOf, keys, min } = p;
  const plainPrototype = Object.prototype;
  const MOST_LEVELS = 8;

  function isSimple(value, levels) {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
    if (typeof value === "number") return isFiniteNumber(value);
    if (typeof value !== "object" || levels <= 0 || value.toJSON !== undefined) return false;
    return isArray(value) ? isSimpleList(value, levels - 1) : isSimpleObject(value, levels - 1);
  }

  function isSimpleList(list, levels) {
    for (let i = 0; i < list.length; i++) {
      const item = getOwnPropertyDescriptor(list, i);
      // Of a getter it is undefined.
      if (item === undefined || !isSimple(item.value, levels)) return false;
    }
    return true;
  }

  function isSimpleObject(object, levels) {
    const prototype = getPrototypeOf(object);
    if (prototype !== plainPrototype && prototype !== null) return false;
    const names = keys(object);
    for (let i = 0; i < names.length; i++) {
      const property = getOwnPropertyDescriptor(object, names[i]);
      if (property === undefined || property.get !== undefined) return false;
      // Left out, which is how optional arguments are not given.
      if (property.value !== undefined && !isSimple(property.value, levels)) return false;
    }
    return true;
  }

  return (value, levels) => isSimple(value, min(levels, MOST_LEVELS));
});
