/**
 * Calls of tools and asks of nami, evaluated before the prelude and under its rules: sends them turn by turn and settles
 * their promises. `toArguments(tool, args, levels)` gives the arguments as JSON.
 */
(function makeCalls(p, stacks, later, ToolError, toArguments, send) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { mapGet, mapSet, mapDelete, apply, defineProperty, freeze, TypeErrorOf } = p;
  const { parse } = JSON;
  const PromiseOf = Promise;
  const RangeErrorOf = RangeError;
  const { then } = PromiseOf.prototype;
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const { slice } = String.prototype;
  const pending = new Map();
  const failedCalls = new WeakMap();
  const turn = PromiseOf.resolve();
  defineProperty(turn, "constructor", { value: undefined });
  let limits;
  let filename;
  /** The index of the namespace of asks, behind those of the servers. */
  let asksIndex;
  /** What was called of nami itself, by its place in the list of asks. */
  const askedBefore = { __proto__: null };
  /** The number of the last call or ask, and how many of each were sent. */
  let sequence = 0;
  let made = 0;
  let asked = 0;
  let heads = "";
  let bodies = "";
  let batched = 0;
  /** Calls and asks of this turn. */
  let issued = 0;
  /** How many calls of one turn note their own place, which takes 9 µs. Those after them take the last one of the same tool. */
  const PLACED = 100;

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

  /** What is called: its name, its indexes as a head begins with them, and the place of its last call. */
  const calledOf = (name, indexes, isAsk) => ({ __proto__: null, name, indexes, isAsk, site: undefined, position: "" });

  /** The function of a tool. There may be thousands of tools, of which a snippet calls few. */
  function toolOf(namespace, member, indexes) {
    let called;
    const tool = (args, options) => {
      called ??= calledOf(`${namespace}.${member}`, indexes, false);
      return callTool(called, args, options, tool);
    };
    return freeze(tool);
  }

  function ask(at, name, args, self) {
    askedBefore[at] ??= calledOf(name, `${asksIndex},${at}`, true);
    return callTool(askedBefore[at], args, undefined, self);
  }

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
      if (called.isAsk ? asked > limits.asks : made > limits.calls) return;
      if (called.isAsk) asked++;
      else made++;
      const own = ++sequence;
      // All that is looked up is its own. With a null prototype it would take a microsecond more.
      const call = { resolve, reject, tool, site, forget: undefined };
      if (signal !== undefined) call.forget = later.abort().onAbort(signal, (reason) => cancel(own, reason));
      mapSet(pending, own, call);
      heads += `${batched === 0 ? "" : ","}[${called.indexes},${json.length}${called.position}]`;
      bodies += json;
      batched++;
      if (issued++ === 0) apply(then, turn, [endTurn]);
      if (made > limits.calls || asked > limits.asks || bodies.length > 262_144) flush();
    });
  }

  /** The signal among a call's options, which may hold others for the tools of another host. */
  function signalOf(tool, options) {
    const signal = options === null || typeof options !== "object" ? undefined : options.signal;
    if (signal === undefined || signal === null) return undefined;
    if (later.abort().isSignal(signal)) return signal;
    throw new TypeErrorOf(`${tool}: the option signal must be an AbortSignal.`);
  }

  function cancel(number, reason) {
    const call = mapGet(pending, number);
    if (call === undefined) return;
    mapDelete(pending, number);
    call.reject(reason);
    flush();
    send("cancel-call", number);
  }

  /** Settles calls: `heads` is JSON, `[sequence, 1 or 0, length]` for each; `bodies` is their JSON, one after the other. */
  function replies(heads, bodies) {
    const list = parse(heads);
    let at = 0;
    for (let i = 0; i < list.length; i++) {
      const number = list[i][0];
      const body = apply(slice, bodies, [at, at + list[i][2]]);
      at += list[i][2];
      const call = mapGet(pending, number);
      if (call === undefined) continue;
      mapDelete(pending, number);
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
    const value = `${name}: ${message}${stacks.framesOf(call.site)}`;
    defineProperty(error, "stack", { __proto__: null, value, writable: true, configurable: true });
    apply(weakSet, failedCalls, [error, call.tool]);
    return error;
  }

  return {
    __proto__: null,
    begin: (its, file, index) => {
      limits = its;
      filename = file;
      asksIndex = index;
    },
    toolOf,
    ask,
    flush,
    replies,
    /** `namespace.member` of the call that failed with this error, if one did. */
    failedTool: (error) => apply(weakGet, failedCalls, [error]),
  };
});
