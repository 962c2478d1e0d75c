/**
 * What `nami` has beside the servers, evaluated before the prelude and under its rules. `ask(member, args, self)` asks the
 * host and gives a promise; `members` names what can be asked, as in `asks.ts`.
 */
(function makeNami(p, members, ask, log) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const PromiseOf = Promise;
  const { TypeErrorOf, freeze } = p;

  const text = (name, value) => {
    if (typeof value !== "string") throw new TypeErrorOf(`nami.${name} needs a string.`);
    return value;
  };

  /** A function of the guest's; what is wrong with its arguments is a rejection, as with every tool. */
  function asking(member, toArgs) {
    const self = (a, b) => {
      let args;
      try {
        args = toArgs(a, b, members[member]);
      } catch (error) {
        return new PromiseOf((_, reject) => reject(error));
      }
      return ask(member, args, self);
    };
    return freeze(self);
  }

  const byKey = (key, _, name) => ({ __proto__: null, key: text(name, key) });
  const withValue = (key, value, name) => {
    if (value !== undefined) return { __proto__: null, key: text(name, key), value };
    throw new TypeErrorOf("nami.store.set needs a value; nami.store.delete takes one away.");
  };
  const store = { __proto__: null, get: asking(2, byKey), set: asking(3, withValue), delete: asking(4, byKey) };
  store.keys = asking(5, () => ({ __proto__: null }));
  return {
    __proto__: null,
    search: asking(0, (query, limit, name) => ({ __proto__: null, query: text(name, query), limit })),
    describe: asking(1, (ref, _, name) => ({ __proto__: null, ref: text(name, ref) })),
    log,
    store: freeze(store),
  };
});
