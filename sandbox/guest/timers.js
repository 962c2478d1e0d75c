/**
 * `sleep`, `setTimeout`, `setInterval`, what clears them, and `queueMicrotask`, evaluated before the prelude and under its rules. The host keeps the time: a
 * due timer is a frame of the host, so its function runs under a time limit like all guest code.
 */
(function makeTimers(send, report) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { defineProperty } = Object;
  const { then } = Promise.prototype;
  const { get: mapGet, set: mapSet, delete: mapDelete, has: mapHas } = Map.prototype;
  const sizeOf = Object.getOwnPropertyDescriptor(Map.prototype, "size").get;
  const [PromiseOf, TypeErrorOf, RangeErrorOf, number, min] = [Promise, TypeError, RangeError, Number, Math.min];
  /** The longest delay that the host's timers take, in milliseconds. */
  const LONGEST = 2_147_483_647;

  const waiting = new Map();
  let last = 0;
  let most = 0;

  function set(callback, delay, id = ++last) {
    const wanted = number(delay);
    if (apply(sizeOf, waiting, []) >= most) throw new RangeErrorOf(`More than ${most} timers are waiting.`);
    apply(mapSet, waiting, [id, callback]);
    send("timer", id, wanted > 0 ? min(wanted, LONGEST) : 0);
    return id;
  }

  /** Calls back every `ms` milliseconds, at least 1 as in Node, under one id; the next wait begins after each call. */
  function repeat(callback, ms) {
    const wanted = number(ms);
    const delay = wanted > 1 ? min(wanted, LONGEST) : 1;
    const id = set(tick, delay);
    function tick() {
      // Taken back, if the callback clears it.
      apply(mapSet, waiting, [id, tick]);
      try {
        callback();
      } finally {
        if (apply(mapDelete, waiting, [id])) set(tick, delay, id);
      }
    }
    return id;
  }

  function clear(id) {
    if (typeof id !== "number" || !apply(mapHas, waiting, [id])) return;
    apply(mapDelete, waiting, [id]);
    send("cancel", id);
  }

  function later(name, arm, callback, ms, args) {
    if (typeof callback !== "function") throw new TypeErrorOf(`${name} needs a function.`);
    return arm(() => void apply(callback, undefined, args), ms);
  }

  function fire(id) {
    const callback = apply(mapGet, waiting, [id]);
    if (callback === undefined) return;
    apply(mapDelete, waiting, [id]);
    try {
      callback();
    } catch (error) {
      report(error);
    }
  }

  const turn = PromiseOf.resolve();
  defineProperty(turn, "constructor", { value: undefined });
  function queueMicrotask(callback) {
    if (typeof callback !== "function") throw new TypeErrorOf("queueMicrotask needs a function.");
    const task = () => {
      try {
        callback();
      } catch (error) {
        report(error);
      }
    };
    apply(then, turn, [task]);
  }

  return {
    __proto__: null,
    queueMicrotask,
    fire,
    /** Says how many timers may wait at once. */
    allow: (timers) => {
      most = timers;
    },
    /** A timer of ours. */
    after: (ms, callback) => void set(callback, ms),
    sleep: (ms) => new PromiseOf((resolve) => void set(resolve, ms)),
    setTimeout: (callback, ms, ...args) => later("setTimeout", set, callback, ms, args),
    clearTimeout: (id) => clear(id),
    setInterval: (callback, ms, ...args) => later("setInterval", repeat, callback, ms, args),
    clearInterval: (id) => clear(id),
  };
});
