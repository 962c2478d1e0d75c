/** `URLSearchParams` (WHATWG URL, section 6), evaluated when a snippet first uses it or a URL and under the prelude's rules. */
(function makeSearchParams(p, percent) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { stringSlice, stringIndexOf, stringStartsWith, stringToWellFormed, arraySort, defineProperty, create } = p;
  const { list, text, TypeErrorOf, iterator, iteratorPrototype, toStringTag, hidden, keys, freeze } = p;

  /** The characters that a form does not escape; a space becomes a plus. */
  const FORM = /[^*\-.\d A-Z_a-z]/;
  const string = (value) => stringToWellFormed(text(value));
  const pair = (name, value) => ({ __proto__: null, name, value });

  /** The pairs of a query without its question mark. */
  function parseForm(query) {
    const pairs = list();
    for (let from = 0; from <= query.length; ) {
      const at = stringIndexOf(query, "&", from);
      const end = at === -1 ? query.length : at;
      const equals = stringIndexOf(query, "=", from);
      const middle = equals === -1 || equals > end ? end : equals;
      if (end > from) {
        const name = decodeForm(stringSlice(query, from, middle));
        pairs[pairs.length] = pair(name, decodeForm(stringSlice(query, middle + 1, end)));
      }
      from = end + 1;
    }
    return pairs;
  }

  const decodeForm = (part) => percent.decode(replaceAll(part, "+", " "));
  const encodeForm = (part) => replaceAll(percent.encode(part, FORM), " ", "+");

  function replaceAll(string, from, to) {
    let out = "";
    let start = 0;
    for (let at = stringIndexOf(string, from); at !== -1; at = stringIndexOf(string, from, start)) {
      out += stringSlice(string, start, at) + to;
      start = at + 1;
    }
    return start === 0 ? string : out + stringSlice(string, start);
  }

  function writeForm(pairs) {
    let out = "";
    for (let i = 0; i < pairs.length; i++) {
      out += `${i === 0 ? "" : "&"}${encodeForm(pairs[i].name)}=${encodeForm(pairs[i].value)}`;
    }
    return out;
  }

  /** The pairs of what a constructor was given: text, pairs in anything iterable, or an object. */
  function pairsOf(init) {
    if (init === null || (typeof init !== "object" && typeof init !== "function")) {
      const query = string(init);
      return parseForm(stringStartsWith(query, "?") ? stringSlice(query, 1) : query);
    }
    const method = init[iterator];
    const pairs = list();
    if (method === undefined || method === null) {
      const names = keys(init);
      for (let i = 0; i < names.length; i++) pairs[i] = pair(string(names[i]), string(init[names[i]]));
      return pairs;
    }
    if (typeof method !== "function") throw new TypeErrorOf("Query pairs must be iterable.");
    walk(init, method, (item) => {
      const inner = item?.[iterator];
      if (typeof inner !== "function" || typeof item !== "object") throw new TypeErrorOf(NOT_PAIRS);
      const both = list();
      walk(item, inner, (value) => {
        both[both.length] = string(value);
      });
      if (both.length !== 2) throw new TypeErrorOf(NOT_PAIRS);
      pairs[pairs.length] = pair(both[0], both[1]);
    });
    return pairs;
  }
  const NOT_PAIRS = "Each query pair must be an iterable [name, value] tuple";

  function walk(iterable, method, each) {
    const steps = p.apply(method, iterable, []);
    for (let step = steps.next(); !step.done; step = steps.next()) each(step.value);
  }

  function needs(count, given) {
    if (given < count) throw new TypeErrorOf(`${count === 1 ? "One argument is" : "Two arguments are"} needed.`);
  }

  // What the URL does with its parameters, and iterators: filled in where the private parts can be reached.
  let link;
  let replace;
  let pairsIn;

  class URLSearchParams {
    #pairs;
    /** Tells the URL, if there is one. */
    #changed = undefined;

    constructor(init = "") {
      this.#pairs = pairsOf(init);
    }
    static {
      link = (params, changed) => {
        params.#changed = changed;
      };
      replace = (params, query) => {
        params.#pairs = parseForm(query);
      };
      pairsIn = (params) => params.#pairs;
    }

    #keep(keep) {
      const kept = list();
      const before = this.#pairs;
      for (let i = 0; i < before.length; i++) if (keep(before[i])) kept[kept.length] = before[i];
      this.#pairs = kept;
    }
    #tell() {
      this.#changed?.(writeForm(this.#pairs));
    }

    get size() {
      return this.#pairs.length;
    }
    append(...given) {
      needs(2, given.length);
      const name = given[0];
      const value = given[1];
      const pairs = this.#pairs;
      pairs[pairs.length] = pair(string(name), string(value));
      this.#tell();
    }
    delete(...given) {
      needs(1, given.length);
      const name = given[0];
      const value = given[1];
      const wanted = string(name);
      const only = value === undefined ? undefined : string(value);
      this.#keep((one) => one.name !== wanted || (only !== undefined && one.value !== only));
      this.#tell();
    }
    get(...given) {
      needs(1, given.length);
      const name = given[0];
      const wanted = string(name);
      const pairs = this.#pairs;
      for (let i = 0; i < pairs.length; i++) if (pairs[i].name === wanted) return pairs[i].value;
      return null;
    }
    getAll(...given) {
      needs(1, given.length);
      const name = given[0];
      const wanted = string(name);
      const pairs = this.#pairs;
      const found = [];
      for (let i = 0; i < pairs.length; i++) if (pairs[i].name === wanted) put(found, pairs[i].value);
      return found;
    }
    has(...given) {
      needs(1, given.length);
      const name = given[0];
      const value = given[1];
      const wanted = string(name);
      const only = value === undefined ? undefined : string(value);
      const pairs = this.#pairs;
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i].name === wanted && (only === undefined || pairs[i].value === only)) return true;
      }
      return false;
    }
    set(...given) {
      needs(2, given.length);
      const name = given[0];
      const value = given[1];
      const wanted = string(name);
      const next = string(value);
      let first;
      this.#keep((one) => {
        if (one.name !== wanted) return true;
        if (first !== undefined) return false;
        first = one;
        return true;
      });
      if (first !== undefined) first.value = next;
      else this.#pairs[this.#pairs.length] = pair(wanted, next);
      this.#tell();
    }
    sort() {
      arraySort(this.#pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      this.#tell();
    }
    forEach(callback, self) {
      if (typeof callback !== "function") throw new TypeErrorOf("forEach needs a function.");
      for (let i = 0; i < this.#pairs.length; i++) {
        p.apply(callback, self, [this.#pairs[i].value, this.#pairs[i].name, this]);
      }
    }
    keys() {
      return iterate(this, this.#pairs && "keys");
    }
    values() {
      return iterate(this, this.#pairs && "values");
    }
    entries() {
      return iterate(this, this.#pairs && "entries");
    }
    toString() {
      return writeForm(this.#pairs);
    }
    /** Not in the standard: JSON would have nothing but `{}` for it. */
    toJSON() {
      return writeForm(this.#pairs);
    }
  }

  function put(array, item) {
    const property = { __proto__: null, value: item, writable: true, enumerable: true, configurable: true };
    defineProperty(array, array.length, property);
  }

  function iterate(params, kind) {
    const steps = create(stepsPrototype);
    let at = 0;
    const next = () => {
      const pairs = pairsIn(params);
      if (at >= pairs.length) return { done: true, value: undefined };
      const { name, value } = pairs[at++];
      return { done: false, value: kind === "keys" ? name : kind === "values" ? value : [name, value] };
    };
    defineProperty(steps, "next", hidden(next));
    return steps;
  }
  const stepsPrototype = create(iteratorPrototype);
  defineProperty(stepsPrototype, toStringTag, hidden("URLSearchParams Iterator"));

  defineProperty(URLSearchParams.prototype, iterator, hidden(URLSearchParams.prototype.entries));
  defineProperty(URLSearchParams.prototype, toStringTag, hidden("URLSearchParams"));
  freeze(URLSearchParams.prototype);
  return { __proto__: null, URLSearchParams, link, replace, write: URLSearchParams.prototype.toString };
});
