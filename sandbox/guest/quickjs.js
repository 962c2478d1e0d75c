/**
 * What QuickJS lacks of the language that snippets are written for, evaluated before all else and under the prelude's
 * rules. Takes the way out and returns it made fit: a text that leaves ends at its first NUL, so none is left in it.
 */
(function patchQuickJs(send) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { defineProperty } = Object;
  const { indexOf, slice, includes, replaceAll } = String.prototype;
  const [ErrorOf, ArrayOf, TypeErrorOf] = [Error, Array, TypeError];

  define(ErrorOf, "captureStackTrace", function captureStackTrace(target) {
    const { stack } = new ErrorOf();
    // Without the frame of this function.
    const own = apply(indexOf, stack, ["\n"]) + 1;
    define(target, "stack", `Error\n${apply(slice, stack, [own])}`);
  });

  define(ArrayOf, "fromAsync", async function fromAsync(items, map, receiver) {
    if (map !== undefined && typeof map !== "function") throw new TypeErrorOf("Array.fromAsync needs a function.");
    const result = typeof this === "function" ? new this() : [];
    let length = 0;
    const add = async (item) => {
      const value = map === undefined ? item : await apply(map, receiver, [item, length]);
      defineProperty(result, length++, {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    };
    if (items[Symbol.asyncIterator] || items[Symbol.iterator]) {
      for await (const item of items) await add(item);
    } else {
      for (let at = 0; at < items.length; at++) await add(await items[at]);
    }
    result.length = length;
    return result;
  });

  function define(object, name, value) {
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }

  const clean = (value) =>
    typeof value === "string" && apply(includes, value, ["\0"]) ? apply(replaceAll, value, ["\0", "\u2400"]) : value;
  return (kind, a, b, c) => send(kind, clean(a), clean(b), c);
});
