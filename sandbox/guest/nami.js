/**
 * What `nami` has beside the servers, evaluated before the prelude and under its rules. `ask(at, name, args, self)` asks the
 * host for the member at that place of the list in `asks.ts` and gives a promise.
 */
(function makeNami(p, ask, log) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const PromiseOf = Promise;
  const { TypeErrorOf, freeze } = p;

  const text = (name, value) => {
    if (typeof value !== "string") throw new TypeErrorOf(`nami.${name} needs a string.`);
    return value;
  };

  /** A function of the guest's; what is wrong with its arguments is a rejection, as with every tool. */
  function asking(at, name, toArgs) {
    const self = (a, b) => {
      let args;
      try {
        args = toArgs(a, b, name);
      } catch (error) {
        return new PromiseOf((_, reject) => reject(error));
      }
      return ask(at, `nami.${name}`, args, self);
    };
    return freeze(self);
  }

  const byKey = (key, _, name) => ({ __proto__: null, key: text(name, key) });
  const withValue = (key, value, name) => {
    if (value !== undefined) return { __proto__: null, key: text(name, key), value };
    throw new TypeErrorOf("nami.store.set needs a value; nami.store.delete takes one away.");
  };
  const store = {
    __proto__: null,
    get: asking(2, "store.get", byKey),
    set: asking(3, "store.set", withValue),
    delete: asking(4, "store.delete", byKey),
    keys: asking(5, "store.keys", () => ({ __proto__: null })),
  };
  return {
    __proto__: null,
    search: asking(0, "search", (query, limit, name) => ({ __proto__: null, query: text(name, query), limit })),
    describe: asking(1, "describe", (ref, _, name) => ({ __proto__: null, ref: text(name, ref) })),
    log,
    store: freeze(store),
  };
});
