/**
 * The basic URL parser of the WHATWG URL standard, state by state in its words, evaluated when a snippet
 * first uses a URL and under the prelude's rules. What may be long is taken whole in `url-path.js`.
 */
(function makeUrlParser(p, percent, parseHost, path) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { encode, decode, sets } = percent;
  const { isSpecial, hasOpaquePath, isDriveLetter, isNormalizedDriveLetter, copyPath, shorten, finish } = path;
  const startsWithDriveLetter = (text) => has(/^[A-Za-z][:|](?:$|[/\\?#])/, text);
  const { stringSlice, stringIndexOf, stringCharCodeAt, stringToLowerCase, regExpExec, list, number } = p;
  const { defaultPorts: SPECIAL } = p;
  const has = (pattern, string) => regExpExec(pattern, string) !== null;

  const hostOf = (buffer, url) => parseHost(buffer, isSpecial(url), (text) => encode(text, sets.C0_CONTROL), decode);

  function copyFrom(url, base, names) {
    for (let i = 0; i < names.length; i++) url[names[i]] = names[i] === "path" ? copyPath(base.path) : base[names[i]];
  }
  const AUTHORITY = ["username", "password", "host", "port"];

  /** The parsed URL, or undefined. `base` is a parsed URL or undefined. */
  function parseUrl(text, base) {
    const url = { __proto__: null, scheme: "", username: "", password: "", host: null, port: null };
    url.path = list();
    url.query = url.fragment = null;
    let start = 0;
    let end = text.length;
    while (start < end && stringCharCodeAt(text, start) <= 32) start++;
    while (end > start && stringCharCodeAt(text, end - 1) <= 32) end--;
    return run(stringSlice(text, start, end), base, url, undefined) ? url : undefined;
  }

  /** Changes a part of a parsed URL as its setters do: starts in `state` and ends with that part. */
  function change(url, text, state) {
    return run(text, undefined, url, state);
  }

  function withoutTabsAndNewlines(text) {
    if (!has(/[\t\n\r]/, text)) return text;
    let out = "";
    for (let i = 0; i < text.length; i++) if (!has(/[\t\n\r]/, text[i])) out += text[i];
    return out;
  }

  /** False is the standard's failure. */
  function run(text, base, url, override) {
    const input = withoutTabsAndNewlines(text);
    let state = override === "hostname" ? "host" : (override ?? "scheme start");
    let buffer = "";
    let at = false;
    let brackets = false;
    let passwordSeen = false;
    const rest = (i) => stringSlice(input, i);

    for (let i = 0; i <= input.length; i++) {
      const c = i < input.length ? input[i] : "";
      const slash = c === "/" || (isSpecial(url) && c === "\\");
      const ends = c === "" || slash || c === "?" || c === "#";
      switch (state) {
        case "scheme start":
          if (has(/^[A-Za-z]$/, c)) {
            buffer += stringToLowerCase(c);
            state = "scheme";
          } else if (override === undefined) {
            state = "no scheme";
            i--;
          } else return false;
          break;
        case "scheme":
          if (has(/^[A-Za-z\d+.-]$/, c)) buffer += stringToLowerCase(c);
          else if (c === ":") {
            if (override !== undefined) {
              const special = SPECIAL[buffer] !== undefined;
              if (isSpecial(url) !== special) return true;
              if (buffer === "file" && (url.username !== "" || url.password !== "" || url.port !== null)) return true;
              if (url.scheme === "file" && url.host === "") return true;
              url.scheme = buffer;
              if (url.port === SPECIAL[buffer]) url.port = null;
              return true;
            }
            url.scheme = buffer;
            buffer = "";
            if (url.scheme === "file") state = "file";
            else if (isSpecial(url)) {
              state = base?.scheme === url.scheme ? "special relative or authority" : "special authority slashes";
            } else if (input[i + 1] === "/") {
              state = "path or authority";
              i++;
            } else {
              url.path = "";
              state = "opaque path";
            }
          } else if (override === undefined) {
            buffer = "";
            state = "no scheme";
            i = -1;
          } else return false;
          break;
        case "no scheme":
          if (base === undefined || (hasOpaquePath(base) && c !== "#")) return false;
          if (hasOpaquePath(base)) {
            copyFrom(url, base, ["scheme", "path", "query"]);
            url.fragment = encode(rest(i + 1), sets.FRAGMENT);
            return true;
          }
          state = base.scheme === "file" ? "file" : "relative";
          i--;
          break;
        case "special relative or authority":
          if (c === "/" && input[i + 1] === "/") {
            state = "special authority ignore slashes";
            i++;
          } else {
            state = "relative";
            i--;
          }
          break;
        case "path or authority":
          state = c === "/" ? "authority" : "path";
          if (c !== "/") i--;
          break;
        case "relative":
          url.scheme = base.scheme;
          if (c === "/" || (isSpecial(url) && c === "\\")) {
            state = "relative slash";
            break;
          }
          copyFrom(url, base, AUTHORITY);
          copyFrom(url, base, ["path", "query"]);
          if (c === "?") state = "query";
          else if (c === "#") state = "fragment";
          else if (c !== "") {
            url.query = null;
            shorten(url);
            state = "path";
            i--;
          }
          break;
        case "relative slash":
          if (isSpecial(url) && (c === "/" || c === "\\")) state = "special authority ignore slashes";
          else if (c === "/") state = "authority";
          else {
            copyFrom(url, base, AUTHORITY);
            state = "path";
            i--;
          }
          break;
        case "special authority slashes":
          state = "special authority ignore slashes";
          if (c === "/" && input[i + 1] === "/") i++;
          else i--;
          break;
        case "special authority ignore slashes":
          if (c !== "/" && c !== "\\") {
            state = "authority";
            i--;
          }
          break;
        case "authority":
          if (c === "@") {
            if (at) buffer = `%40${buffer}`;
            at = true;
            const colon = passwordSeen ? -1 : stringIndexOf(buffer, ":");
            const cut = passwordSeen ? 0 : colon === -1 ? buffer.length : colon;
            url.username += encode(stringSlice(buffer, 0, cut), sets.USERINFO);
            url.password += encode(stringSlice(buffer, passwordSeen ? 0 : cut + 1), sets.USERINFO);
            passwordSeen ||= colon !== -1;
            buffer = "";
          } else if (ends) {
            if (at && buffer === "") return false;
            i -= buffer.length + 1;
            buffer = "";
            state = "host";
          } else buffer += c;
          break;
        case "host":
          if (override !== undefined && url.scheme === "file") {
            i--;
            state = "file host";
          } else if (c === ":" && !brackets) {
            if (buffer === "" || override === "hostname") return false;
            const host = hostOf(buffer, url);
            if (host === undefined) return false;
            url.host = host;
            buffer = "";
            state = "port";
          } else if (ends) {
            i--;
            if (isSpecial(url) && buffer === "") return false;
            if (
              override !== undefined &&
              buffer === "" &&
              (url.username !== "" || url.password !== "" || url.port !== null)
            ) {
              return false;
            }
            const host = buffer === "" ? "" : hostOf(buffer, url);
            if (host === undefined) return false;
            url.host = host;
            buffer = "";
            if (override !== undefined) return true;
            state = "path start";
          } else {
            if (c === "[") brackets = true;
            if (c === "]") brackets = false;
            buffer += c;
          }
          break;
        case "port":
          if (has(/^\d$/, c)) buffer += c;
          else if (ends || override !== undefined) {
            if (buffer !== "") {
              const port = number(buffer);
              if (!(port <= 65535)) return false;
              url.port = `${port}` === SPECIAL[url.scheme] ? null : `${port}`;
              buffer = "";
              if (override !== undefined) return true;
            }
            if (override !== undefined) return false;
            state = "path start";
            i--;
          } else return false;
          break;
        case "file":
          url.scheme = "file";
          url.host = "";
          if (c === "/" || c === "\\") state = "file slash";
          else if (base?.scheme === "file") {
            copyFrom(url, base, ["host", "path", "query"]);
            if (c === "?") state = "query";
            else if (c === "#") state = "fragment";
            else if (c !== "") {
              url.query = null;
              if (startsWithDriveLetter(rest(i))) url.path = list();
              else shorten(url);
              state = "path";
              i--;
            }
          } else {
            state = "path";
            i--;
          }
          break;
        case "file slash":
          if (c === "/" || c === "\\") state = "file host";
          else {
            if (base?.scheme === "file") {
              url.host = base.host;
              if (!startsWithDriveLetter(rest(i)) && base.path.length > 0 && isNormalizedDriveLetter(base.path[0])) {
                url.path[url.path.length] = base.path[0];
              }
            }
            state = "path";
            i--;
          }
          break;
        case "file host":
          if (c !== "" && c !== "/" && c !== "\\" && c !== "?" && c !== "#") {
            buffer += c;
            break;
          }
          i--;
          if (override === undefined && isDriveLetter(buffer)) state = "path";
          else if (buffer === "") {
            url.host = "";
            if (override !== undefined) return true;
            state = "path start";
          } else {
            const host = hostOf(buffer, url);
            if (host === undefined) return false;
            url.host = host === "localhost" ? "" : host;
            if (override !== undefined) return true;
            buffer = "";
            state = "path start";
          }
          break;
        case "path start":
          if (isSpecial(url)) {
            state = "path";
            if (c !== "/" && c !== "\\") i--;
          } else if (override === undefined && c === "?") state = "query";
          else if (override === undefined && c === "#") state = "fragment";
          else if (c !== "") {
            state = "path";
            if (c !== "/") i--;
          } else if (override !== undefined && url.host === null) url.path[url.path.length] = "";
          break;
        case "path":
        case "opaque path":
        case "query":
        case "fragment":
          return finish(input, i, buffer, url, state, override);
      }
    }
    return true;
  }

  return { __proto__: null, parseUrl, change };
});
