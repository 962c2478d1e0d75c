/**
 * The second half of a URL, from its path on, and its text; evaluated when a snippet first uses a URL and under the
 * prelude's rules. A parsed URL has a list of segments as its path, or a text if the path is opaque.
 */
(function makeUrlPath(p, percent) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { encode, sets } = percent;
  const { stringSlice, stringIndexOf, regExpExec, list, defaultPorts } = p;
  const has = (pattern, string) => regExpExec(pattern, string) !== null;

  const isSpecial = (url) => defaultPorts[url.scheme] !== undefined;
  const hasOpaquePath = (url) => typeof url.path === "string";

  /** Reads path, query and fragment, from `state` on. `drive` is a drive letter that stood where a host could be. */
  function finish(input, start, drive, url, state, override) {
    const to = state === "path" || state === "opaque path" ? endOf(input, start, override, "?") : start - 1;
    if (state === "path") walkPath(drive + stringSlice(input, start, to), url);
    if (state === "opaque path") url.path = opaquePath(stringSlice(input, start, to), to < input.length);
    if (state === "fragment" || (to >= 0 && to < input.length && input[to] === "#")) {
      url.fragment = encode(stringSlice(input, to + 1), sets.FRAGMENT);
    } else if (state === "query" || to < input.length) {
      const end = endOf(input, to + 1, override, "#");
      url.query = encode(stringSlice(input, to + 1, end), isSpecial(url) ? sets.SPECIAL_QUERY : sets.QUERY);
      if (end < input.length) url.fragment = encode(stringSlice(input, end + 1), sets.FRAGMENT);
    }
    return true;
  }

  /** Where a part ends: before a "#" or the mark. A part that is set by itself has no end. */
  function endOf(input, start, override, mark) {
    if (override !== undefined) return input.length;
    const hash = stringIndexOf(input, "#", start);
    const end = hash === -1 ? input.length : hash;
    const at = stringIndexOf(input, mark, start);
    return at !== -1 && at < end ? at : end;
  }

  /** A last space would be lost when query and fragment are taken away. */
  function opaquePath(text, followed) {
    const path = encode(text, sets.C0_CONTROL);
    return followed && path[path.length - 1] === " " ? `${stringSlice(path, 0, -1)}%20` : path;
  }

  function walkPath(text, url) {
    const special = isSpecial(url);
    for (let from = 0; ; ) {
      let to = from;
      while (to < text.length && text[to] !== "/" && !(special && text[to] === "\\")) to++;
      const last = to === text.length;
      const segment = encode(stringSlice(text, from, to), sets.PATH);
      const { path } = url;
      if (isDoubleDot(segment)) {
        shorten(url);
        if (last) path[path.length] = "";
      } else if (isSingleDot(segment)) {
        if (last) path[path.length] = "";
      } else {
        const drive = url.scheme === "file" && path.length === 0 && isDriveLetter(segment);
        path[path.length] = drive ? `${segment[0]}:` : segment;
      }
      if (last) return;
      from = to + 1;
    }
  }

  const isDriveLetter = (text) => has(/^[A-Za-z][:|]$/, text);
  const isNormalizedDriveLetter = (text) => has(/^[A-Za-z]:$/, text);
  const isSingleDot = (text) => has(/^(?:\.|%2e)$/i, text);
  const isDoubleDot = (text) => has(/^(?:\.|%2e){2}$/i, text);

  /** Takes the last segment away, but not a drive letter. */
  function shorten(url) {
    const { path } = url;
    if (url.scheme === "file" && path.length === 1 && isNormalizedDriveLetter(path[0])) return;
    if (path.length > 0) path.length--;
  }

  function copyPath(path) {
    if (typeof path === "string") return path;
    const copy = list();
    for (let i = 0; i < path.length; i++) copy[i] = path[i];
    return copy;
  }

  function writePath(url) {
    if (hasOpaquePath(url)) return url.path;
    let out = "";
    for (let i = 0; i < url.path.length; i++) out += `/${url.path[i]}`;
    return out;
  }

  const writeHost = (url) => (url.port === null ? url.host : `${url.host}:${url.port}`);

  function writeUrl(url) {
    let out = `${url.scheme}:`;
    if (url.host !== null) {
      out += "//";
      if (url.username !== "" || url.password !== "") {
        out += url.username;
        if (url.password !== "") out += `:${url.password}`;
        out += "@";
      }
      out += writeHost(url);
    } else if (!hasOpaquePath(url) && url.path.length > 1 && url.path[0] === "") out += "/.";
    out += writePath(url);
    if (url.query !== null) out += `?${url.query}`;
    if (url.fragment !== null) out += `#${url.fragment}`;
    return out;
  }

  const parts = { __proto__: null, isDriveLetter, isNormalizedDriveLetter, copyPath };
  return { ...parts, __proto__: null, isSpecial, hasOpaquePath, shorten, finish, writeUrl, writePath, writeHost };
});
