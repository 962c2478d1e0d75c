/**
 * The guest's side of the bridge: evaluated in a fresh isolate before any snippet, in strict plain JavaScript.
 *
 * The snippet shares this realm and may patch every built-in. So: what we use later is taken now; lists are read by index
 * and never iterated; objects that a lookup may fall through have a null prototype; nothing is stored on an array or an
 * object that inherits setters; our own promises do not look up a species. Everything of ours lives in this closure: the
 * snippet gets frozen functions that take and return plain data, and the host keeps the one function that is returned.
 *
 * `send(kind, a, b, c)` reaches the worker and takes primitives only; for a printed line it says whether more may follow.
 * The other parameters are the other files of this folder.
 */
(function prelude(send, makeFormat, makeJson, makeClone, makeTimers) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { parse } = JSON;
  const { freeze, create, defineProperty, keys } = Object;
  const { apply } = Reflect;
  const PromiseOf = Promise;
  const { then } = PromiseOf.prototype;
  const { get: mapGet, set: mapSet, delete: mapDelete } = Map.prototype;
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const { slice, indexOf } = String.prototype;
  const { captureStackTrace } = Error;
  const global = globalThis;
  const ErrorOf = Error;
  const TypeErrorOf = TypeError;
  const RangeErrorOf = RangeError;
  const text = String;
  const number = Number;
  const format = makeFormat();
  const { toArguments, toOutput, toData } = makeJson(format);
  const clone = makeClone();
  const { allow, fire, sleep, setTimeout, clearTimeout } = makeTimers(format, (kind, a, b) => {
    // A call that was made before a timer is sent before it.
    flush();
    send(kind, a, b);
  });

  // Ways to run code at the same time, to watch the collector, or to hold memory that the heap limit does not see.
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"]) {
    delete global[name];
  }
  for (const name of ["resize", "transfer", "transferToFixedLength"]) delete ArrayBuffer.prototype[name];
  // Runs at every look at a stack, ours included.
  defineProperty(ErrorOf, "prepareStackTrace", { value: undefined, writable: false, configurable: false });

  let limits;
  let filename;

  // ---- calls -------------------------------------------------------------------------------------------------------

  const pending = new Map();
  const failedCalls = new WeakMap();
  const turn = PromiseOf.resolve();
  defineProperty(turn, "constructor", { value: undefined });
  let calls = 0;
  let heads = "";
  let bodies = "";
  let batched = 0;

  class ToolError extends ErrorOf {
    constructor(message, options) {
      super(message);
      if (options === undefined || options === null) return;
      const { name, tool, data } = options;
      if (name !== undefined) hidden(this, "name", name);
      if (tool !== undefined) hidden(this, "tool", tool);
      if (data !== undefined) hidden(this, "data", data);
    }
  }
  hidden(ToolError.prototype, "name", "ToolError");

  function hidden(object, key, value) {
    defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true });
  }

  function flush() {
    if (batched === 0) return;
    send("calls", `[${heads}]`, bodies, batched);
    heads = bodies = "";
    batched = 0;
  }

  function callTool(namespace, member, headStart, args, self) {
    const site = create(null);
    captureStackTrace(site, self);
    return new PromiseOf((resolve, reject) => {
      const tool = `${namespace}.${member}`;
      let json;
      try {
        json = toArguments(tool, args);
        if (json.length > limits.argumentBytes) {
          throw new RangeErrorOf(
            `${tool}: the arguments have ${json.length} bytes; at most ${limits.argumentBytes} fit.`,
          );
        }
      } catch (error) {
        return reject(error);
      }
      // One over the limit is sent, so that the host ends the run; what follows goes nowhere.
      if (calls > limits.calls) return;
      calls++;
      const frames = framesOf(site.stack);
      apply(mapSet, pending, [calls, { __proto__: null, resolve, reject, tool, frames }]);
      heads += `${batched === 0 ? "" : ","}[${headStart},${json.length}${positionOf(frames)}]`;
      bodies += json;
      batched++;
      if (calls > limits.calls || bodies.length > 262_144) flush();
      else if (batched === 1) apply(then, turn, [flush]);
    });
  }

  /** The part of a stack below its message. */
  function framesOf(stack) {
    if (typeof stack !== "string") return "";
    const start = apply(indexOf, stack, ["\n    at "]);
    return start === -1 ? "" : apply(slice, stack, [start]);
  }

  /** `,line,column` of the first frame in the snippet, or nothing. */
  function positionOf(frames) {
    const start = apply(indexOf, frames, [`${filename}:`]);
    if (start === -1) return "";
    const from = start + filename.length + 1;
    const rest = apply(slice, frames, [from, from + 24]);
    const colon = apply(indexOf, rest, [":"]);
    const line = number(apply(slice, rest, [0, colon]));
    let end = colon + 1;
    while (rest[end] >= "0" && rest[end] <= "9") end++;
    const column = number(apply(slice, rest, [colon + 1, end]));
    return line > 0 && column > 0 ? `,${line},${column}` : "";
  }

  /** Settles calls: `heads` is JSON, `[sequence, 1 or 0, length]` for each; `bodies` is their JSON, one after the other. */
  function replies(heads, bodies) {
    const list = parse(heads);
    let at = 0;
    for (let i = 0; i < list.length; i++) {
      const sequence = list[i][0];
      const body = apply(slice, bodies, [at, at + list[i][2]]);
      at += list[i][2];
      const call = apply(mapGet, pending, [sequence]);
      if (call === undefined) continue;
      apply(mapDelete, pending, [sequence]);
      try {
        const value = body === "" ? undefined : parse(body);
        if (list[i][1] === 1) call.resolve(value);
        else call.reject(toolError(call, value));
      } catch {
        call.reject(
          toolError(call, { __proto__: null, name: "ToolError", message: "the reply cannot be read as JSON" }),
        );
      }
    }
  }

  function toolError(call, { name, message, data }) {
    const error = new ToolError(message, { __proto__: null, name, tool: call.tool, data });
    hidden(error, "stack", `${name}: ${message}${call.frames}`);
    apply(weakSet, failedCalls, [error, call.tool]);
    return error;
  }

  // ---- printing ----------------------------------------------------------------------------------------------------

  const console = create(null);
  let printing = true;
  const print = (level, args) => {
    // The worker counts and says when there is no room left.
    if (printing) printing = send("log", level, format(args, limits.logBytes));
  };
  for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = (...args) => print(level, args);
  // The rest of what Node's console is used for, without its tables, indents and clocks.
  console.trace = (...args) => print("debug", args);
  console.dir = (value) => print("log", [value]);
  console.table = (rows) => print("log", [rows]);
  console.group = (...args) => {
    if (args.length > 0) print("log", args);
  };
  for (const name of ["groupEnd", "time", "timeEnd"]) console[name] = () => {};
  console.assert = (condition, ...args) => {
    if (condition) return;
    const said = args.length === 0 ? "" : `: ${format(args, limits.logBytes)}`;
    print("error", [`Assertion failed${said}`]);
  };

  // ---- the snippet -------------------------------------------------------------------------------------------------

  function begin(options) {
    const { tools, ...rest } = parse(options);
    ({ limits, filename } = rest);
    allow(limits.timers);
    const everything = create(null);
    for (let i = 0; i < tools.length; i++) {
      const namespace = tools[i][0];
      const members = tools[i][1];
      const object = create(null);
      for (let j = 0; j < members.length; j++) {
        const member = members[j];
        const head = `${i},${j}`;
        const tool = (args) => callTool(namespace, member, head, args, tool);
        defineProperty(object, member, { __proto__: null, value: freeze(tool), enumerable: true });
      }
      everything[namespace] = freeze(object);
    }
    const globals = { __proto__: null, ...everything, nami: everything, console, sleep, setTimeout, clearTimeout };
    globals.structuredClone = clone;
    globals.ToolError = ToolError;
    freeze(ToolError.prototype);
    for (const name of keys(console)) freeze(console[name]);
    // All three said: a property that was there before keeps what is left out.
    const fixed = { __proto__: null, writable: false, enumerable: false, configurable: false };
    for (const name of keys(globals)) {
      defineProperty(global, name, { __proto__: null, ...fixed, value: freeze(globals[name]) });
    }
  }

  function main() {
    const snippet = global.__nami__;
    if (typeof snippet !== "function") return threw(new TypeErrorOf("The code declares no function __nami__."));
    try {
      const result = snippet();
      try {
        defineProperty(result, "constructor", { __proto__: null, value: undefined });
        apply(then, result, [returned, threw]);
      } catch {
        returned(result);
      }
    } catch (error) {
      threw(error);
    }
  }

  function returned(value) {
    try {
      const json = toOutput(value);
      flush();
      if (json === undefined) send("returned");
      else if (json.length > limits.outputBytes) send("oversize", json.length);
      else send("returned", json);
    } catch (error) {
      threw(error);
    }
  }

  function threw(error) {
    flush();
    send("threw", describe(error));
  }

  /** A thrown value as JSON. Reading it may run the snippet's code, which may throw again. */
  function describe(error) {
    const parts = { __proto__: null, name: "Error", message: "An error that cannot be read." };
    try {
      if (error === null || typeof error !== "object") {
        parts.message = typeof error === "string" ? error : format([error]);
      } else if (error instanceof ErrorOf) {
        parts.name = cut(text(error.name), 200);
        parts.message = cut(text(error.message), 16_000);
        parts.stack = cut(framesOf(error.stack), 16_000);
        parts.tool = apply(weakGet, failedCalls, [error]);
        parts.data = toData(parts.tool === undefined ? error : error.data, limits.outputBytes);
      } else {
        parts.message = cut(format([error]), 16_000);
        parts.data = toData(error, limits.outputBytes);
      }
    } catch {
      // The parts read so far are the best there is.
    }
    parts.message = cut(parts.message, 16_000);
    return toOutput(parts);
  }

  const cut = (string, length) => (string.length > length ? `${apply(slice, string, [0, length])}…` : string);

  return (kind, a, b) => {
    if (kind === "begin") begin(a);
    else if (kind === "main") main();
    else if (kind === "replies") replies(a, b);
    else fire(a);
  };
});
