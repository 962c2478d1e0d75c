/**
 * The built-ins that the guest's later files use, taken before any snippet can patch them; evaluated before the prelude and
 * under its rules. A method `m` of `String.prototype` is `stringM(string, …)` here. An iterator, a species or an inherited
 * setter must not be met on the way: so no `for…of`, no spread of lists, no list but those of `list()`.
 */
(function capture() {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply, construct } = Reflect;
  const { bind, call } = Function.prototype;
  const { freeze, create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, keys } = Object;
  const plainPrototype = Object.prototype;
  /** The method as a function that takes its `this` first. */
  const free = (method) => apply(bind, call, [method]);
  const getter = (object, name) => free(getOwnPropertyDescriptor(object, name).get);
  const TypedArray = getPrototypeOf(Uint8Array);
  const string = String.prototype;

  const isA = (brand, value) => {
    try {
      brand(value);
      return true;
    } catch {
      return false;
    }
  };

  const dateValue = free(Date.prototype.getTime);
  const regExpSource = getter(RegExp.prototype, "source");
  const regExpFlags = getter(RegExp.prototype, "flags");
  const unboxers = [Number, String, Boolean, BigInt, Symbol];
  for (let i = 0; i < unboxers.length; i++) unboxers[i] = free(unboxers[i].prototype.valueOf);
  const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  const isAncestor = free(Object.prototype.isPrototypeOf);
  /** What only the first of each pair accepts is a second. */
  const brands = [
    [dateValue, "Date"],
    [getter(RegExp.prototype, "hasIndices"), "RegExp"],
    [getter(Map.prototype, "size"), "Map"],
    [getter(Set.prototype, "size"), "Set"],
    [getter(ArrayBuffer.prototype, "byteLength"), "ArrayBuffer"],
    [getter(DataView.prototype, "byteOffset"), "DataView"],
    [getter(TypedArray.prototype, "buffer"), "TypedArray"],
    [free(WeakMap.prototype.has), "WeakMap"],
    [free(WeakSet.prototype.has), "WeakSet"],
  ];
  /** What an object is inside, whatever its prototype says; undefined for one that is nothing else. */
  function brandOf(value) {
    const prototype = getPrototypeOf(value);
    if (prototype === null || prototype === plainPrototype) return undefined;
    for (let i = 0; i < brands.length; i++) if (isA(brands[i][0], value)) return brands[i][1];
    for (let i = 0; i < unboxers.length; i++) if (isA(unboxers[i], value)) return "Primitive";
    if (value instanceof Error) return "Error";
    if (value instanceof Promise) return "Promise";
    return isAncestor(iteratorPrototype, value) ? "iterator" : undefined;
  }
  function unboxed(value) {
    for (let i = 0; i < unboxers.length; i++) if (isA(unboxers[i], value)) return unboxers[i](value);
  }

  /** An error like those of the platform's own functions: `code` is 0 for all that are newer than codes. */
  class DOMException extends Error {
    constructor(message = "", options = "Error") {
      super(`${message}`);
      const named = typeof options === "object" && options !== null;
      const name = named ? (options.name ?? "Error") : options;
      defineProperty(this, "name", hidden(`${name}`));
      defineProperty(this, "code", hidden(CODES[name] ?? 0));
      if (named && "cause" in options) defineProperty(this, "cause", hidden(options.cause));
    }
  }
  const CODES = {
    __proto__: null,
    InvalidCharacterError: 5,
    SyntaxError: 12,
    AbortError: 20,
    QuotaExceededError: 22,
    TimeoutError: 23,
    DataCloneError: 25,
  };

  function hidden(value) {
    return { __proto__: null, value, writable: true, enumerable: false, configurable: true };
  }

  return {
    __proto__: null,
    apply,
    construct,
    bind: free(bind),
    freeze,
    create,
    defineProperty,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    keys,
    hidden,
    isA,
    isArray: Array.isArray,
    isInteger: Number.isInteger,
    isFiniteNumber: Number.isFinite,
    /** A list that inherits nothing: its items can be set by index, whatever stands on `Array.prototype`. */
    list: () => setPrototypeOf([], null),
    arraySort: free(Array.prototype.sort),
    arrayJoin: free(Array.prototype.join),
    iteratorPrototype,
    brandOf,
    unboxed,
    dateValue,
    regExpSource,
    regExpFlags,
    bytesSet: free(TypedArray.prototype.set),
    iterator: Symbol.iterator,
    toStringTag: Symbol.toStringTag,
    text: String,
    number: Number,
    floor: Math.floor,
    min: Math.min,
    max: Math.max,
    imul: Math.imul,
    stringSlice: free(string.slice),
    stringIndexOf: free(string.indexOf),
    stringLastIndexOf: free(string.lastIndexOf),
    stringIncludes: free(string.includes),
    stringStartsWith: free(string.startsWith),
    stringCharCodeAt: free(string.charCodeAt),
    stringCodePointAt: free(string.codePointAt),
    stringToLowerCase: free(string.toLowerCase),
    stringNormalize: free(string.normalize),
    stringRepeat: free(string.repeat),
    stringToWellFormed: free(string.toWellFormed),
    numberToString: free(Number.prototype.toString),
    numberToFixed: free(Number.prototype.toFixed),
    fromCharCode: String.fromCharCode,
    fromCodePoint: String.fromCodePoint,
    regExpExec: free(RegExp.prototype.exec),
    mapGet: free(Map.prototype.get),
    mapSet: free(Map.prototype.set),
    mapDelete: free(Map.prototype.delete),
    mapForEach: free(Map.prototype.forEach),
    setAdd: free(Set.prototype.add),
    setDelete: free(Set.prototype.delete),
    setForEach: free(Set.prototype.forEach),
    mapSize: getter(Map.prototype, "size"),
    setSize: getter(Set.prototype, "size"),
    bytesTag: getter(TypedArray.prototype, Symbol.toStringTag),
    bytesLength: getter(TypedArray.prototype, "length"),
    bytesByteLength: getter(TypedArray.prototype, "byteLength"),
    bytesByteOffset: getter(TypedArray.prototype, "byteOffset"),
    bytesBuffer: getter(TypedArray.prototype, "buffer"),
    viewByteLength: getter(DataView.prototype, "byteLength"),
    viewByteOffset: getter(DataView.prototype, "byteOffset"),
    viewBuffer: getter(DataView.prototype, "buffer"),
    bufferByteLength: getter(ArrayBuffer.prototype, "byteLength"),
    MapOf: Map,
    SetOf: Set,
    BytesOf: Uint8Array,
    WordsOf: Uint32Array,
    ErrorOf: Error,
    TypeErrorOf: TypeError,
    RangeErrorOf: RangeError,
    /** Default ports of the schemes that the URL standard calls special. */
    defaultPorts: { __proto__: null, http: "80", https: "443", ws: "80", wss: "443", ftp: "21", file: "" },
    DOMException,
  };
});
