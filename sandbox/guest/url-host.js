/**
 * Hosts of URLs (WHATWG URL, "host parsing"), evaluated when a snippet first uses a URL and under the prelude's rules.
 *
 * International names follow UTS 46 with the Unicode data that the engine has: lower case and NFKC in place of the mapping
 * table, general categories in place of its list of refused code points. The rules for right-to-left labels are left out.
 */
(function makeHosts(p, punycode) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { fromPunycode, toPunycode } = punycode;
  const { stringSlice, stringIndexOf, stringCharCodeAt, stringCodePointAt, stringToLowerCase } = p;
  const { stringNormalize, regExpExec, numberToString, fromCodePoint, list, floor } = p;

  const FORBIDDEN = /[\0\t\n\r #/:<>?@[\\\]^|]/;
  const FORBIDDEN_IN_DOMAIN = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;
  const NOT_ASCII = /[^\0-\x7f]/;
  const IGNORED = /^(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}$/u;
  const NOT_IN_LABEL = /[\ufffd\p{Cn}\p{Co}\p{Cs}\p{Cc}\p{Z}]|(?![\u200c\u200d])\p{Cf}/u;
  const MARK_FIRST = /^\p{M}/u;
  const ENDS_IN_NUMBER = /^(?:\d+|0[xX][\da-fA-F]*)$/;
  const has = (pattern, string) => regExpExec(pattern, string) !== null;

  /** The host as text of a URL, or undefined if it is none. `decode` undoes percent-encoding. */
  function parseHost(input, special, encode, decode) {
    if (input[0] === "[") {
      if (input[input.length - 1] !== "]") return undefined;
      const pieces = parseIpv6(stringSlice(input, 1, -1));
      return pieces && `[${writeIpv6(pieces)}]`;
    }
    if (!special) return has(FORBIDDEN, input) ? undefined : encode(input);
    const domain = toAscii(decode(input));
    if (domain === undefined || domain === "" || has(FORBIDDEN_IN_DOMAIN, domain)) return undefined;
    return endsInNumber(domain) ? parseIpv4(domain) : domain;
  }

  function split(string, separator) {
    const parts = list();
    for (let from = 0; ; ) {
      const at = stringIndexOf(string, separator, from);
      parts[parts.length] = at === -1 ? stringSlice(string, from) : stringSlice(string, from, at);
      if (at === -1) return parts;
      from = at + separator.length;
    }
  }

  function toAscii(domain) {
    // As Node: what is ASCII already is not looked into.
    if (!has(NOT_ASCII, domain)) return stringToLowerCase(domain);
    const mapped = mapCodePoints(domain);
    const labels = split(mapped, ".");
    let out = "";
    for (let i = 0; i < labels.length; i++) {
      const label = labelToAscii(labels[i]);
      if (label === undefined) return undefined;
      out += i === 0 ? label : `.${label}`;
    }
    return out;
  }

  function mapCodePoints(domain) {
    let kept = "";
    for (let i = 0; i < domain.length; ) {
      const point = stringCodePointAt(domain, i);
      const character = fromCodePoint(point);
      i += character.length;
      // Letter by letter: a final sigma of a whole word would become another letter.
      if (!has(IGNORED, character)) kept += character === "\u3002" ? "." : stringToLowerCase(character);
    }
    const folded = stringNormalize(kept, "NFKC");
    let out = "";
    for (let i = 0; i < folded.length; ) {
      const character = fromCodePoint(stringCodePointAt(folded, i));
      i += character.length;
      out += character === "\u3002" ? "." : stringToLowerCase(character);
    }
    return stringNormalize(out, "NFC");
  }

  function labelToAscii(label) {
    if (stringSlice(label, 0, 4) === "xn--") {
      const plain = fromPunycode(stringSlice(label, 4));
      if (plain === undefined || !has(NOT_ASCII, plain) || !isLabel(plain) || mapCodePoints(plain) !== plain) {
        return undefined;
      }
      return toPunycode(plain) === stringSlice(label, 4) ? label : undefined;
    }
    if (!has(NOT_ASCII, label)) return label;
    const code = isLabel(label) ? toPunycode(label) : undefined;
    return code && `xn--${code}`;
  }

  const isLabel = (label) => !has(NOT_IN_LABEL, label) && !has(MARK_FIRST, label);

  // IPv4, the last label decides whether it is one.

  function endsInNumber(domain) {
    const parts = split(domain, ".");
    const last = parts.length - 1;
    const label = parts[last] === "" && last > 0 ? parts[last - 1] : parts[last];
    return has(ENDS_IN_NUMBER, label);
  }

  function parseIpv4(domain) {
    const parts = split(domain, ".");
    if (parts.length > 1 && parts[parts.length - 1] === "") parts.length--;
    if (parts.length > 4) return undefined;
    let address = 0;
    for (let i = 0; i < parts.length; i++) {
      const value = parseIpv4Number(parts[i]);
      const room = i === parts.length - 1 ? 256 ** (5 - parts.length) : 256;
      if (!(value < room)) return undefined;
      address += i === parts.length - 1 ? value : value * 256 ** (3 - i);
    }
    return `${floor(address / 2 ** 24)}.${floor(address / 65536) % 256}.${floor(address / 256) % 256}.${address % 256}`;
  }

  function parseIpv4Number(text) {
    if (text === "") return p.number.NaN;
    const hex = text.length > 1 && text[0] === "0" && (text[1] === "x" || text[1] === "X");
    const base = hex ? 16 : text.length > 1 && text[0] === "0" ? 8 : 10;
    const digits = hex ? stringSlice(text, 2) : text;
    let value = 0;
    for (let i = 0; i < digits.length; i++) {
      const one = hexValue(stringCharCodeAt(digits, i));
      if (!(one < base)) return p.number.NaN;
      value = value * base + one;
    }
    return value;
  }

  function hexValue(code) {
    if (code >= 48 && code <= 57) return code - 48;
    if (code >= 97 && code <= 102) return code - 87;
    return code >= 65 && code <= 70 ? code - 55 : 99;
  }

  function parseIpv6(input) {
    const pieces = list();
    for (let i = 0; i < 8; i++) pieces[i] = 0;
    let piece = 0;
    let compress = -1;
    let at = 0;
    const code = (i) => (i < input.length ? stringCharCodeAt(input, i) : -1);
    if (code(0) === 58) {
      if (code(1) !== 58) return undefined;
      at = 2;
      compress = ++piece;
    }
    while (at < input.length) {
      if (piece === 8) return undefined;
      if (code(at) === 58) {
        if (compress !== -1) return undefined;
        at++;
        compress = ++piece;
        continue;
      }
      let value = 0;
      let length = 0;
      for (; length < 4 && hexValue(code(at)) < 16; length++) value = value * 16 + hexValue(code(at++));
      if (code(at) === 46) {
        if (length === 0 || piece > 6) return undefined;
        const end = parseIpv4InIpv6(input, at - length, pieces, piece);
        if (!end) return undefined;
        piece += 2;
        break;
      }
      if (code(at) === 58) {
        if (++at === input.length) return undefined;
      } else if (at < input.length) return undefined;
      pieces[piece++] = value;
    }
    if (compress === -1) return piece === 8 ? pieces : undefined;
    for (let swaps = piece - compress, to = 7; to !== 0 && swaps > 0; to--, swaps--) {
      const from = compress + swaps - 1;
      const value = pieces[from];
      pieces[from] = pieces[to];
      pieces[to] = value;
    }
    return pieces;
  }

  /** Four decimal numbers without leading zeros that fill two pieces and end the address. */
  function parseIpv4InIpv6(input, from, pieces, piece) {
    const parts = split(stringSlice(input, from), ".");
    if (parts.length !== 4) return false;
    for (let i = 0; i < 4; i++) {
      if (!has(/^(?:0|[1-9]\d{0,2})$/, parts[i])) return false;
      const value = p.number(parts[i]);
      if (value > 255) return false;
      const to = piece + (i >> 1);
      pieces[to] = pieces[to] * 256 + value;
    }
    return true;
  }

  function writeIpv6(pieces) {
    let best = -1;
    let length = 1;
    for (let i = 0; i < 8; i++) {
      let end = i;
      while (end < 8 && pieces[end] === 0) end++;
      if (end - i > length) {
        best = i;
        length = end - i;
      }
      if (end > i) i = end;
    }
    let out = "";
    for (let i = 0; i < 8; i++) {
      if (i === best) {
        out += i === 0 ? "::" : ":";
        i += length - 1;
        continue;
      }
      out += numberToString(pieces[i], 16);
      if (i < 7) out += ":";
    }
    return out;
  }

  return parseHost;
});
