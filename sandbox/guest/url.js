/** `URL` (WHATWG URL, section 6.1), evaluated when a snippet first uses it and under the prelude's rules. */
(function makeUrl(p, percent, parser, path, params) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { parseUrl, change } = parser;
  const { URLSearchParams, link, replace } = params;
  const { stringSlice, stringStartsWith, stringToWellFormed, text, list, defineProperty, TypeErrorOf, toStringTag } = p;
  const { writeUrl, writePath, writeHost, isSpecial, hasOpaquePath } = path;
  const string = (value) => stringToWellFormed(text(value));

  function parse(input, base) {
    const start = base === undefined ? undefined : parseUrl(string(base));
    return base !== undefined && start === undefined ? undefined : parseUrl(string(input), start);
  }

  function invalid(input) {
    const error = new TypeErrorOf("Invalid URL");
    defineProperty(error, "code", p.hidden("ERR_INVALID_URL"));
    const shown = string(input);
    defineProperty(error, "input", p.hidden(shown.length > 200 ? `${stringSlice(shown, 0, 200)}…` : shown));
    return error;
  }

  class URL {
    #url;
    #params;

    constructor(...given) {
      if (given.length === 0) throw new TypeErrorOf("A URL needs a text.");
      this.#url = parse(given[0], given[1]);
      if (this.#url === undefined) throw invalid(given[0]);
    }
    static canParse(input, base) {
      return parse(input, base) !== undefined;
    }
    static parse(input, base) {
      return parse(input, base) === undefined ? null : new URL(input, base);
    }

    /** Whether there can be a name, a password and a port. */
    #hasAuthority() {
      const { host, scheme } = this.#url;
      return host !== null && host !== "" && scheme !== "file";
    }
    #setQuery(query) {
      this.#url.query = query;
    }

    get href() {
      return writeUrl(this.#url);
    }
    set href(value) {
      const url = parse(value);
      if (url === undefined) throw invalid(value);
      this.#url = url;
      if (this.#params !== undefined) replace(this.#params, url.query ?? "");
    }
    get origin() {
      const url = this.#url;
      if (url.scheme === "blob") {
        const inner = hasOpaquePath(url) ? parseUrl(url.path) : undefined;
        return inner?.scheme === "http" || inner?.scheme === "https" ? `${inner.scheme}://${writeHost(inner)}` : "null";
      }
      return isSpecial(url) && url.scheme !== "file" ? `${url.scheme}://${writeHost(url)}` : "null";
    }
    get protocol() {
      return `${this.#url.scheme}:`;
    }
    set protocol(value) {
      change(this.#url, `${string(value)}:`, "scheme start");
    }
    get username() {
      return this.#url.username;
    }
    set username(value) {
      const wanted = string(value);
      if (this.#hasAuthority()) this.#url.username = percent.encode(wanted, percent.sets.USERINFO);
    }
    get password() {
      return this.#url.password;
    }
    set password(value) {
      const wanted = string(value);
      if (this.#hasAuthority()) this.#url.password = percent.encode(wanted, percent.sets.USERINFO);
    }
    get host() {
      return this.#url.host === null ? "" : writeHost(this.#url);
    }
    set host(value) {
      const wanted = string(value);
      if (!hasOpaquePath(this.#url)) change(this.#url, wanted, "host");
    }
    get hostname() {
      return this.#url.host ?? "";
    }
    set hostname(value) {
      const wanted = string(value);
      if (!hasOpaquePath(this.#url)) change(this.#url, wanted, "hostname");
    }
    get port() {
      return this.#url.port ?? "";
    }
    set port(value) {
      const wanted = string(value);
      if (!this.#hasAuthority()) return;
      if (wanted === "") this.#url.port = null;
      else change(this.#url, wanted, "port");
    }
    get pathname() {
      return writePath(this.#url);
    }
    set pathname(value) {
      const wanted = string(value);
      if (hasOpaquePath(this.#url)) return;
      this.#url.path = list();
      change(this.#url, wanted, "path start");
    }
    get search() {
      return this.#url.query ? `?${this.#url.query}` : "";
    }
    set search(value) {
      const wanted = string(value);
      const url = this.#url;
      const query = stringStartsWith(wanted, "?") ? stringSlice(wanted, 1) : wanted;
      url.query = null;
      if (wanted !== "") {
        url.query = "";
        change(url, query, "query");
      }
      if (this.#params !== undefined) replace(this.#params, url.query ?? "");
    }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams();
        replace(this.#params, this.#url.query ?? "");
        link(this.#params, (query) => this.#setQuery(query === "" ? null : query));
      }
      return this.#params;
    }
    get hash() {
      return this.#url.fragment ? `#${this.#url.fragment}` : "";
    }
    set hash(value) {
      const wanted = string(value);
      const url = this.#url;
      url.fragment = null;
      if (wanted === "") return;
      url.fragment = "";
      change(url, stringStartsWith(wanted, "#") ? stringSlice(wanted, 1) : wanted, "fragment");
    }
    toString() {
      return writeUrl(this.#url);
    }
    toJSON() {
      return writeUrl(this.#url);
    }
  }

  defineProperty(URL.prototype, toStringTag, p.hidden("URL"));
  p.freeze(URL.prototype);
  return { __proto__: null, URL, write: URL.prototype.toString };
});
