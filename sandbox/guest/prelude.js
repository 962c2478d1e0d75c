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
  makeCalls,
  makeNami,
  makeDescribeError,
) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { parse } = JSON;
  const { freeze, create, defineProperty, keys } = Object;
  const { apply } = Reflect;
  const PromiseOf = Promise;
  const { then } = PromiseOf.prototype;
  const global = globalThis;
  const TypeErrorOf = TypeError;
  const primordials = takePrimordials();
  const stacks = makeStacks(primordials);
  const { inspect, printAs } = makeInspect();
  const format = makeFormat(inspect);
  const json = makeJson(format, makeIsSimple(primordials));
  const { toArguments, toOutput } = json;
  const clone = makeClone(primordials);
  const report = (error) => send("warning", `Nothing caught what a callback threw: ${format([error])}`);
  const { allow, fire, after, ...timers } = makeTimers((kind, a, b) => {
    // A call that was made before a timer is sent before it.
    calls.flush();
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

  // What `instanceof` asks: a snippet must not answer for errors and promises that we look at.
  for (const type of [Error, Promise]) {
    defineProperty(type, Symbol.hasInstance, { __proto__: null, value: Function.prototype[Symbol.hasInstance] });
  }
  // A number that JSON writes and nobody reads: the check of arguments would not see it.
  for (const name of ["rawJSON", "isRawJSON"]) delete JSON[name];
  // Ways to run code at the same time, to watch the collector, or to hold memory that the heap limit does not see.
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"]) {
    delete global[name];
  }
  for (const name of ["resize", "transfer", "transferToFixedLength"]) delete ArrayBuffer.prototype[name];

  const calls = makeCalls(primordials, stacks, later, ToolError, toArguments, send);
  const ours = makeNami(primordials, calls.ask, console.log);
  const describe = makeDescribeError(primordials, format, stacks, json, calls.failedTool);
  let limits;

  function begin(options) {
    const { tools, ...rest } = parse(options);
    limits = rest.limits;
    calls.begin(limits, rest.filename, tools.length);
    allow(limits.timers);
    beginConsole(limits.logBytes);
    chance.begin(rest.seed, rest.startedAt);
    const everything = create(null);
    for (let i = 0; i < tools.length; i++) {
      const namespace = tools[i][0];
      const members = tools[i][1];
      const object = create(null);
      for (let j = 0; j < members.length; j++) {
        object[members[j]] = calls.toolOf(namespace, members[j], `${i},${j}`);
      }
      everything[namespace] = object;
    }
    define({ __proto__: null, ...everything, nami: { __proto__: null, ...everything, ...ours } });
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
      calls.flush();
      if (json === undefined) send("returned");
      else if (json.length > limits.outputBytes) send("oversize", json.length);
      else send("returned", json);
    } catch (error) {
      threw(error);
    }
  }

  function threw(error) {
    calls.flush();
    let described = '{"name":"Error","message":"An error that cannot be read."}';
    try {
      described = describe(error, limits.outputBytes);
    } catch {
      // QuickJS's own JSON trips over setters for the items of arrays.
    }
    send("threw", described);
  }

  defineOurs();
  return (kind, a, b, c) => {
    if (kind === "begin") begin(a);
    else if (kind === "main") main();
    else if (kind === "replies") {
      chance.tell(c);
      calls.replies(a, b);
    } else {
      chance.tell(b);
      fire(a);
    }
  };
});
