/**
 * `sleep`, `setTimeout` and `clearTimeout`, evaluated before the prelude and under its rules. The host keeps the time: a
 * due timer is a frame of the host, so its function runs under a time limit like all guest code.
 */
(function makeTimers(format, send) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply } = Reflect;
  const { get: mapGet, set: mapSet, delete: mapDelete, has: mapHas } = Map.prototype;
  const sizeOf = Object.getOwnPropertyDescriptor(Map.prototype, "size").get;
  const [PromiseOf, TypeErrorOf, RangeErrorOf, number, min] = [Promise, TypeError, RangeError, Number, Math.min];
  /** The longest delay that the host's timers take, in milliseconds. */
  const LONGEST = 2_147_483_647;

  const waiting = new Map();
  let last = 0;
  let most = 0;

  function set(callback, delay) {
    const wanted = number(delay);
    if (apply(sizeOf, waiting, []) >= most) throw new RangeErrorOf(`More than ${most} timers are waiting.`);
    const id = ++last;
    apply(mapSet, waiting, [id, callback]);
    send("timer", id, wanted > 0 ? min(wanted, LONGEST) : 0);
    return id;
  }

  function fire(id) {
    const callback = apply(mapGet, waiting, [id]);
    if (callback === undefined) return;
    apply(mapDelete, waiting, [id]);
    try {
      callback();
    } catch (error) {
      send("warning", `A timer's function threw ${format([error])}`);
    }
  }

  return {
    __proto__: null,
    fire,
    /** Says how many timers may wait at once. */
    allow: (timers) => {
      most = timers;
    },
    sleep: (ms) => new PromiseOf((resolve) => void set(resolve, ms)),
    setTimeout: (callback, ms, ...args) => {
      if (typeof callback !== "function") throw new TypeErrorOf("setTimeout needs a function.");
      return set(() => apply(callback, undefined, args), ms);
    },
    clearTimeout: (id) => {
      if (typeof id === "number" && apply(mapHas, waiting, [id])) {
        apply(mapDelete, waiting, [id]);
        send("cancel", id);
      }
    },
  };
});
