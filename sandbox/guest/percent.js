/** Percent-encoding (WHATWG URL, section 1.3), evaluated when a snippet first uses a URL and under the prelude's rules. */
(function makePercent(p, utf8) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { stringSlice, stringIndexOf, stringCodePointAt, regExpExec, fromCharCode, number } = p;
  const has = (pattern, string) => regExpExec(pattern, string) !== null;

  // The standard's percent-encode sets: characters that are escaped.
  const C0_CONTROL = /[^\x20-\x7e]/;
  const FRAGMENT = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]/;
  const QUERY = /[^\x21\x24-\x3b\x3d\x3f-\x7e]/;
  const SPECIAL_QUERY = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/;
  const PATH = /[^\x21\x24-\x3b\x3d\x40-\x5d\x5f\x61-\x7a\x7c\x7e]/;
  const USERINFO = /[^\x21\x24-\x2e\x30-\x39\x41-\x5a\x5f\x61-\x7a\x7e]/;

  const HEX = "0123456789ABCDEF";
  const escapeByte = (byte) => `%${HEX[byte >> 4]}${HEX[byte & 15]}`;

  /** Percent-encodes the characters that the pattern of one character matches, as UTF-8. */
  function encode(string, pattern) {
    if (!has(pattern, string)) return string;
    let out = "";
    for (let i = 0; i < string.length; i++) {
      const code = stringCodePointAt(string, i);
      if (code < 128) out += has(pattern, string[i]) ? escapeByte(code) : string[i];
      else {
        if (code > 0xffff) i++;
        out += escapePoint(code);
      }
    }
    return out;
  }

  function escapePoint(code) {
    const last = escapeByte((code & 63) | 128);
    if (code < 0x800) return escapeByte((code >> 6) | 192) + last;
    const middle = escapeByte(((code >> 6) & 63) | 128) + last;
    if (code < 0x10000) return escapeByte((code >> 12) | 224) + middle;
    return escapeByte((code >> 18) | 240) + escapeByte(((code >> 12) & 63) | 128) + middle;
  }

  /** Undoes percent-encoding, with U+FFFD for bytes that are no UTF-8. */
  function decode(string) {
    if (stringIndexOf(string, "%") === -1) return string;
    let bytes = "";
    for (let i = 0; i < string.length; i++) {
      const code = stringCodePointAt(string, i);
      if (code === 37 && has(/^[\da-f]{2}$/i, stringSlice(string, i + 1, i + 3))) {
        bytes += fromCharCode(number(`0x${stringSlice(string, i + 1, i + 3)}`));
        i += 2;
      } else if (code < 128) bytes += string[i];
      else {
        if (code > 0xffff) i++;
        bytes += utf8.encodePoint(code);
      }
    }
    return utf8.decodeBinary(bytes);
  }

  const sets = { __proto__: null, C0_CONTROL, FRAGMENT, QUERY, SPECIAL_QUERY, PATH, USERINFO };
  return { __proto__: null, encode, decode, sets };
});
