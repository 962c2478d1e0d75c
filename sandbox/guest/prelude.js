/**
 * The guest's side of the bridge: evaluated in a fresh isolate before any snippet, in strict plain JavaScript.
 *
 * The snippet shares this realm and may patch every built-in. So: what we use later is taken now; lists are read by index
 * and never iterated; objects that a lookup may fall through have a null prototype; nothing is stored on an array or an
 * object that inherits setters; our own promises do not look up a species. Everything of ours lives in this closure: the
 * snippet gets frozen functions that take and return plain data, and the host keeps the one function that is returned.
 *
 * `send(kind, a, b, c)` reaches the worker and takes primitives only; for a printed line it says whether more may follow.
 * `sources` is the code of the files that are evaluated later; the other parameters are the other files of this folder.
 */
(function prelude(
  send,
  sources,
  takePrimordials,
  makeStacks,
  makeToolError,
  makeInspect,
  makeFormat,
  makeIsSimple,
  makeJson,
  makeClone,
  makeTimers,
  makeClockAndChance,
  makeConsole,
  makeLater,
) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { parse } = JSON;
  const { freeze, create, defineProperty, keys } = Object;
  const { apply } = Reflect;
  const PromiseOf = Promise;
  const { then } = PromiseOf.prototype;
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const { slice } = String.prototype;
  const global = globalThis;
  const ErrorOf = Error;
  const TypeErrorOf = TypeError;
  const RangeErrorOf = RangeError;
  const text = String;
  const primordials = takePrimordials();
  const { mapGet, mapSet, mapDelete } = primordials;
  const stacks = makeStacks(primordials);
  const { inspect, printAs } = makeInspect();
  const format = makeFormat(inspect);
  const { toArguments, toOutput, toData } = makeJson(format, makeIsSimple(primordials));
  const clone = makeClone(primordials);
  const report = (error) => send("warning", `Nothing caught what a callback threw: ${format([error])}`);
  const { allow, fire, after, ...timers } = makeTimers((kind, a, b) => {
    // A call that was made before a timer is sent before it.
    flush();
    send(kind, a, b);
  }, report);
  const ToolError = makeToolError(primordials);
  const chance = makeClockAndChance(primordials);
  const later = makeLater(primordials, sources, {
    byte: chance.byte,
    after,
    report,
    inspect: (value) => inspect(value, { __proto__: null, left: 1000 }),
    printAs,
  });
  const { console, begin: beginConsole } = makeConsole(
    primordials,
    format,
    stacks,
    chance.elapsed,
    later.drawTable,
    (level, line) => send("log", level, line),
  );

  // Ways to run code at the same time, to watch the collector, or to hold memory that the heap limit does not see.
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"]) {
    delete global[name];
  }
  for (const name of ["resize", "transfer", "transferToFixedLength"]) delete ArrayBuffer.prototype[name];

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
  /** Calls of this turn. */
  let issued = 0;
  /** How many calls of one turn note their own place, which takes 9 µs. Those after them take the last one of the same tool. */
  const PLACED = 100;

  function hidden(object, key, value) {
    defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true });
  }

  function flush() {
    if (batched === 0) return;
    send("calls", `[${heads}]`, bodies, batched);
    heads = bodies = "";
    batched = 0;
  }

  function endTurn() {
    issued = 0;
    flush();
  }

  /** `called` is the tool: its name, its indexes as a head begins with them, and the place of its last call. */
  function callTool(called, args, options, self) {
    if (issued < PLACED || called.site === undefined) {
      called.site = stacks.capture(self);
      called.position = stacks.positionOf(called.site, filename);
    }
    const { name: tool, site } = called;
    return new PromiseOf((resolve, reject) => {
      let json;
      let signal;
      try {
        signal = signalOf(tool, options);
        json = toArguments(tool, args, limits.nesting);
        if (json.length > limits.argumentBytes) {
          throw new RangeErrorOf(
            `${tool}: the arguments have ${json.length} bytes; at most ${limits.argumentBytes} fit.`,
          );
        }
      } catch (error) {
        return reject(error);
      }
      if (signal !== undefined && later.abort().signalState(signal).aborted) {
        return reject(later.abort().signalState(signal).reason);
      }
      // One over the limit is sent, so that the host ends the run; what follows goes nowhere.
      if (calls > limits.calls) return;
      const sequence = ++calls;
      // All that is looked up is its own. With a null prototype it would take a microsecond more.
      const call = { resolve, reject, tool, site, forget: undefined };
      if (signal !== undefined) call.forget = later.abort().onAbort(signal, (reason) => cancel(sequence, reason));
      mapSet(pending, sequence, call);
      heads += `${batched === 0 ? "" : ","}[${called.indexes},${json.length}${called.position}]`;
      bodies += json;
      batched++;
      if (issued++ === 0) apply(then, turn, [endTurn]);
      if (calls > limits.calls || bodies.length > 262_144) flush();
    });
  }

  /** The signal among a call's options, which may hold others for the tools of another host. */
  function signalOf(tool, options) {
    const signal = options === null || typeof options !== "object" ? undefined : options.signal;
    if (signal === undefined || signal === null) return undefined;
    if (later.abort().isSignal(signal)) return signal;
    throw new TypeErrorOf(`${tool}: the option signal must be an AbortSignal.`);
  }

  function cancel(sequence, reason) {
    const call = mapGet(pending, sequence);
    if (call === undefined) return;
    mapDelete(pending, sequence);
    call.reject(reason);
    flush();
    send("cancel-call", sequence);
  }

  /** Settles calls: `heads` is JSON, `[sequence, 1 or 0, length]` for each; `bodies` is their JSON, one after the other. */
  function replies(heads, bodies) {
    const list = parse(heads);
    let at = 0;
    for (let i = 0; i < list.length; i++) {
      const sequence = list[i][0];
      const body = apply(slice, bodies, [at, at + list[i][2]]);
      at += list[i][2];
      const call = mapGet(pending, sequence);
      if (call === undefined) continue;
      mapDelete(pending, sequence);
      call.forget?.();
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
    hidden(error, "stack", `${name}: ${message}${stacks.framesOf(call.site)}`);
    apply(weakSet, failedCalls, [error, call.tool]);
    return error;
  }

  // ---- the snippet -------------------------------------------------------------------------------------------------

  function begin(options) {
    const { tools, ...rest } = parse(options);
    ({ limits, filename } = rest);
    allow(limits.timers);
    beginConsole(limits.logBytes);
    chance.begin(rest.seed);
    const everything = create(null);
    for (let i = 0; i < tools.length; i++) {
      const namespace = tools[i][0];
      const members = tools[i][1];
      const object = create(null);
      for (let j = 0; j < members.length; j++) {
        const member = members[j];
        // There may be thousands of tools, of which a snippet calls few.
        let called;
        const tool = (args, options) => {
          called ??= {
            __proto__: null,
            name: `${namespace}.${member}`,
            indexes: `${i},${j}`,
            site: undefined,
            position: "",
          };
          return callTool(called, args, options, tool);
        };
        object[member] = freeze(tool);
      }
      everything[namespace] = freeze(object);
    }
    define({ __proto__: null, ...everything, nami: everything });
  }

  /** What is the same in every run, defined ahead of it: a spare isolate has the time. */
  function defineOurs() {
    for (const group of [console, chance.performance]) {
      for (const name of keys(group)) if (typeof group[name] === "function") freeze(group[name]);
    }
    define({ __proto__: null, console, ...timers, performance: chance.performance });
    define({ __proto__: null, structuredClone: clone, ToolError, DOMException: primordials.DOMException });
    for (const name of keys(later.globals)) {
      const get = () => freeze(later.globals[name]());
      defineProperty(global, name, { __proto__: null, get: freeze(get), set: undefined, configurable: false });
    }
  }

  function define(values) {
    // All three said: a property that was there before keeps what is left out.
    const fixed = { __proto__: null, writable: false, enumerable: false, configurable: false };
    for (const name of keys(values))
      defineProperty(global, name, { __proto__: null, ...fixed, value: freeze(values[name]) });
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
    let described = '{"name":"Error","message":"An error that cannot be read."}';
    try {
      described = describe(error);
    } catch {
      // QuickJS's own JSON trips over setters for the items of arrays.
    }
    send("threw", described);
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
        parts.stack = cut(stacks.framesOf(error.stack), 16_000);
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

  defineOurs();
  return (kind, a, b) => {
    if (kind === "begin") begin(a);
    else if (kind === "main") main();
    else if (kind === "replies") replies(a, b);
    else fire(a);
  };
});
