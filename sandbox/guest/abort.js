/**
 * `Event`, `EventTarget`, `AbortController` and `AbortSignal` (WHATWG DOM, sections 2 and 3), evaluated when a snippet first
 * uses one of them and under the prelude's rules. There is no tree of targets, so nothing captures and nothing bubbles.
 * `after(ms, callback)` is a timer; `report(error)` takes what a listener throws.
 */
(function makeAbort(p, after, report) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { list, text, number, apply, create, defineProperty, toStringTag, hidden, freeze } = p;
  const { DOMException, TypeErrorOf, RangeErrorOf } = p;

  let prepare;
  class Event {
    #type;
    #cancelable;
    #target = null;
    #prevented = false;
    #stopped = false;
    constructor(...given) {
      if (given.length === 0) throw new TypeErrorOf("An Event needs a type.");
      this.#type = text(given[0]);
      this.#cancelable = !!given[1]?.cancelable;
    }
    static {
      prepare = (event, target) => {
        event.#target = target;
        event.#stopped = false;
        return { __proto__: null, type: event.#type, isStopped: () => event.#stopped };
      };
    }
    get type() {
      return this.#type;
    }
    get target() {
      return this.#target;
    }
    get currentTarget() {
      return this.#target;
    }
    get cancelable() {
      return this.#cancelable;
    }
    get defaultPrevented() {
      return this.#prevented;
    }
    preventDefault() {
      if (this.#cancelable) this.#prevented = true;
    }
    stopPropagation() {
      this.#type;
    }
    stopImmediatePropagation() {
      this.#stopped = true;
    }
  }

  class EventTarget {
    #listeners = list();

    addEventListener(type, callback, options) {
      const name = text(type);
      if (callback === null || callback === undefined) return;
      if (typeof callback !== "function" && typeof callback !== "object") {
        throw new TypeErrorOf("addEventListener needs a function.");
      }
      const wanted = typeof options === "object" && options !== null ? options : create(null);
      const { once, signal } = wanted;
      if (signal !== undefined) {
        if (!isSignal(signal)) throw new TypeErrorOf("The option signal must be an AbortSignal.");
        if (signalState(signal).aborted) return;
      }
      const listeners = this.#listeners;
      for (let i = 0; i < listeners.length; i++) {
        if (listeners[i].name === name && listeners[i].callback === callback) return;
      }
      listeners[listeners.length] = { __proto__: null, name, callback, once: !!once, removed: false };
      if (signal !== undefined) onAbort(signal, () => this.#remove(name, callback));
    }
    removeEventListener(type, callback) {
      this.#remove(text(type), callback);
    }
    #remove(name, callback) {
      const kept = list();
      const listeners = this.#listeners;
      for (let i = 0; i < listeners.length; i++) {
        const listener = listeners[i];
        if (listener.name === name && listener.callback === callback) listener.removed = true;
        else kept[kept.length] = listener;
      }
      this.#listeners = kept;
    }
    dispatchEvent(event) {
      const { type, isStopped } = prepare(event, this);
      // Listeners that are added meanwhile wait for the next event.
      const listeners = this.#listeners;
      const { length } = listeners;
      for (let i = 0; i < length && !isStopped(); i++) {
        const { name, callback, once, removed } = listeners[i];
        if (name !== type || removed) continue;
        if (once) this.#remove(name, callback);
        try {
          if (typeof callback === "function") apply(callback, this, [event]);
          else callback.handleEvent(event);
        } catch (error) {
          report(error);
        }
      }
      return !event.defaultPrevented;
    }
  }

  const KEY = create(null);
  let signalState;
  let isSignal;

  class AbortSignal extends EventTarget {
    #state = { __proto__: null, aborted: false, reason: undefined, tasks: list(), followers: list() };
    #handler = null;
    #listening = false;

    constructor(key) {
      if (key !== KEY) throw new TypeErrorOf("Illegal constructor");
      super();
    }
    static {
      signalState = (signal) => signal.#state;
      isSignal = (value) => typeof value === "object" && value !== null && #state in value;
    }
    static abort(reason) {
      const signal = new AbortSignal(KEY);
      abort(signal, reason);
      return signal;
    }
    static timeout(ms) {
      const delay = number(ms);
      if (!(delay >= 0 && delay <= 2 ** 53 - 1))
        throw new RangeErrorOf("AbortSignal.timeout needs a number of milliseconds.");
      const signal = new AbortSignal(KEY);
      const message = "The operation was aborted due to timeout";
      after(delay, () => abort(signal, new DOMException(message, "TimeoutError")));
      return signal;
    }
    static any(signals) {
      const result = new AbortSignal(KEY);
      const steps = apply(signals[p.iterator], signals, []);
      const sources = list();
      for (let step = steps.next(); !step.done; step = steps.next()) {
        if (!isSignal(step.value)) throw new TypeErrorOf("AbortSignal.any needs a list of AbortSignals.");
        sources[sources.length] = step.value;
      }
      for (let i = 0; i < sources.length; i++) follow(result, sources[i]);
      return result;
    }

    get aborted() {
      return this.#state.aborted;
    }
    get reason() {
      return this.#state.reason;
    }
    throwIfAborted() {
      if (this.#state.aborted) throw this.#state.reason;
    }
    get onabort() {
      return this.#handler;
    }
    set onabort(handler) {
      this.#handler = typeof handler === "function" ? handler : null;
      if (this.#listening) return;
      this.#listening = true;
      apply(listen, this, ["abort", (event) => this.#handler !== null && apply(this.#handler, this, [event])]);
    }
  }
  const { addEventListener: listen, dispatchEvent: dispatch } = EventTarget.prototype;

  /** Runs the task when the signal is aborted, or now if it is, before any listener. Returns what forgets it. */
  function onAbort(signal, task) {
    const state = signalState(signal);
    if (state.aborted) {
      task(state.reason);
      return () => {};
    }
    const entry = { __proto__: null, task };
    state.tasks[state.tasks.length] = entry;
    return () => {
      entry.task = undefined;
      // A signal that outlives a thousand calls must not keep them.
      const last = state.tasks.length - 1;
      if (state.tasks[last] === entry) state.tasks.length = last;
    };
  }

  /** Makes a signal be aborted with another. */
  function follow(signal, source) {
    const { aborted, reason, followers } = signalState(source);
    if (aborted) mark(signal, reason, list());
    else followers[followers.length] = signal;
  }

  /** Says that a signal is aborted, and collects it if it was not. */
  function mark(signal, reason, marked) {
    const state = signalState(signal);
    if (state.aborted) return;
    state.aborted = true;
    state.reason = reason;
    marked[marked.length] = signal;
  }

  function abort(signal, reason = new DOMException("This operation was aborted", "AbortError")) {
    const marked = list();
    mark(signal, reason, marked);
    // Not by recursion: a chain may be longer than the stack is deep.
    for (let i = 0; i < marked.length; i++) {
      const state = signalState(marked[i]);
      for (let j = 0; j < state.followers.length; j++) mark(state.followers[j], reason, marked);
      state.followers = list();
    }
    for (let i = 0; i < marked.length; i++) {
      const state = signalState(marked[i]);
      const { tasks } = state;
      state.tasks = list();
      for (let j = 0; j < tasks.length; j++) tasks[j].task?.(reason);
      apply(dispatch, marked[i], [new Event("abort")]);
    }
  }

  class AbortController {
    #signal = new AbortSignal(KEY);
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      abort(this.#signal, reason);
    }
  }

  const globals = { __proto__: null, Event, EventTarget, AbortSignal, AbortController };
  const names = p.keys(globals);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    defineProperty(globals[name].prototype, toStringTag, hidden(name));
    freeze(globals[name].prototype);
  }
  return { __proto__: null, ...globals, isSignal, signalState, onAbort };
});
