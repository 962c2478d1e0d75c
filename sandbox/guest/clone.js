/**
 * `structuredClone` (HTML, section 2.7) without a transfer list, evaluated before the prelude and under its rules: plain data,
 * dates, regular expressions, boxed primitives, buffers and their views, maps, sets and errors, with cycles.
 */
(function makeClone(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { isArray, keys, hidden, defineProperty, getOwnPropertyDescriptor, construct, text } = p;
  const { mapGet, mapSet, mapForEach, setAdd, setForEach, bytesTag } = p;
  const MapOf = p.MapOf;
  const SetOf = p.SetOf;
  const ErrorOf = p.ErrorOf;
  const object = Object;
  const types = { __proto__: null };
  const names = "Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float16 Float32 Float64 BigInt64 BigUint64".split(
    " ",
  );
  for (const name of names) types[`${name}Array`] = globalThis[`${name}Array`];
  const errors = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const [DateOf, RegExpOf, DataViewOf, BytesOf] = [Date, RegExp, DataView, Uint8Array];

  /** What a clone cannot hold, or is not told how to, is an error. */
  function refuse(what) {
    throw new p.DOMException(`${what} cannot be cloned.`, "DataCloneError");
  }

  function cloneValue(value, seen) {
    if (typeof value === "function" || typeof value === "symbol") refuse(`A ${typeof value}`);
    if (value === null || typeof value !== "object") return value;
    const before = mapGet(seen, value);
    if (before !== undefined) return before;
    const keep = (copy) => {
      mapSet(seen, value, copy);
      return copy;
    };
    if (isArray(value)) return cloneList(value, keep, seen);
    const special = p.brandOf(value);
    switch (special) {
      case "Date":
        return keep(new DateOf(p.dateValue(value)));
      case "RegExp":
        return keep(new RegExpOf(p.regExpSource(value), p.regExpFlags(value)));
      case "Primitive":
        return keep(object(p.unboxed(value)));
      case "ArrayBuffer":
        return keep(cloneBuffer(value));
      case "DataView": {
        const buffer = cloneValue(p.viewBuffer(value), seen);
        return keep(construct(DataViewOf, [buffer, p.viewByteOffset(value), p.viewByteLength(value)]));
      }
      case "TypedArray": {
        const buffer = cloneValue(p.bytesBuffer(value), seen);
        return keep(construct(types[bytesTag(value)], [buffer, p.bytesByteOffset(value), p.bytesLength(value)]));
      }
      case "Map": {
        const copy = keep(new MapOf());
        const entries = p.list();
        mapForEach(value, (item, key) => {
          entries[entries.length] = key;
          entries[entries.length] = item;
        });
        for (let i = 0; i < entries.length; i += 2) {
          mapSet(copy, cloneValue(entries[i], seen), cloneValue(entries[i + 1], seen));
        }
        return copy;
      }
      case "Set": {
        const copy = keep(new SetOf());
        const items = p.list();
        setForEach(value, (item) => {
          items[items.length] = item;
        });
        for (let i = 0; i < items.length; i++) setAdd(copy, cloneValue(items[i], seen));
        return copy;
      }
      case "Error":
        return cloneError(value, keep, seen);
      case undefined:
        return copyOwn(value, keep({}), seen);
      default:
        return refuse(`A ${special}`);
    }
  }

  function cloneList(list, keep, seen) {
    const copy = keep([]);
    copy.length = list.length;
    return copyOwn(list, copy, seen);
  }

  function cloneBuffer(buffer) {
    const from = new BytesOf(buffer);
    const to = new BytesOf(p.bufferByteLength(buffer));
    p.bytesSet(to, from);
    return p.bytesBuffer(to);
  }

  function cloneError(error, keep, seen) {
    const name = text(error.name);
    const copy = keep(new (errors[name] ?? ErrorOf)());
    const message = getOwnPropertyDescriptor(error, "message")?.value;
    if (message !== undefined) defineProperty(copy, "message", hidden(text(message)));
    const { stack } = error;
    if (typeof stack === "string") defineProperty(copy, "stack", hidden(stack));
    const cause = getOwnPropertyDescriptor(error, "cause");
    if (cause !== undefined) defineProperty(copy, "cause", hidden(cloneValue(cause.value, seen)));
    return copy;
  }

  function copyOwn(source, copy, seen) {
    const own = keys(source);
    for (let i = 0; i < own.length; i++) {
      const value = cloneValue(source[own[i]], seen);
      const property = { __proto__: null, value, enumerable: true, configurable: true, writable: true };
      defineProperty(copy, own[i], property);
    }
    return copy;
  }

  return (...given) => {
    if (given.length === 0) throw new p.TypeErrorOf("structuredClone needs a value.");
    const options = given[1];
    const transfer = options === null || options === undefined ? undefined : options.transfer;
    if (transfer !== undefined && transfer.length > 0) refuse("A transferred object");
    return cloneValue(given[0], new MapOf());
  };
});
