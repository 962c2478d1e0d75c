/**
 * `TextEncoder` and `TextDecoder` (WHATWG Encoding) for UTF-8, UTF-16LE and Latin-1, `atob` and `btoa` (WHATWG Infra);
 * evaluated when a snippet first uses one of them and under the prelude's rules.
 */
(function makeText(p, utf8) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { text, defineProperty, toStringTag, hidden, isA, freeze, stringCharCodeAt, stringSlice, regExpExec } = p;
  const { DOMException, TypeErrorOf, RangeErrorOf, BytesOf, stringToLowerCase } = p;

  class TextEncoder {
    #own = true;
    get encoding() {
      return this.#own && "utf-8";
    }
    encode(input = "") {
      const string = text(input);
      const bytes = new BytesOf(this.#own && utf8.byteLength(string));
      utf8.encodeInto(string, bytes, p.bytesLength(bytes));
      return bytes;
    }
    encodeInto(source, destination) {
      const string = text(source);
      if (!this.#own || !isA(p.bytesTag, destination) || p.bytesTag(destination) !== "Uint8Array") {
        throw new TypeErrorOf("encodeInto needs a Uint8Array.");
      }
      return utf8.encodeInto(string, destination, p.bytesLength(destination));
    }
  }

  /** The standard's labels of the encodings that are here. */
  const LABELS = { __proto__: null };
  const label = (names, encoding) => {
    for (let from = 0; from < names.length; ) {
      const at = p.stringIndexOf(names, " ", from);
      const end = at === -1 ? names.length : at;
      LABELS[stringSlice(names, from, end)] = encoding;
      from = end + 1;
    }
  };
  label("utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8", "utf-8");
  label("utf-16le utf-16 ucs-2 iso-10646-ucs-2 csunicode unicode unicodefeff", "utf-16le");
  label(
    "latin1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 l1 ascii us-ascii windows-1252 cp1252 x-cp1252",
    "windows-1252",
  );
  label("ansi_x3.4-1968 cp819 csisolatin1 ibm819 iso-ir-100 iso_8859-1:1987", "windows-1252");

  /** What windows-1252 has at 0x80 to 0x9f. */
  const WINDOWS =
    "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
    "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBom;
    #state;

    constructor(name = "utf-8", options = {}) {
      const wanted = text(name);
      const trimmed = regExpExec(/^[\t\n\f\r ]*(.*?)[\t\n\f\r ]*$/s, wanted)[1];
      this.#encoding = LABELS[stringToLowerCase(trimmed)];
      if (this.#encoding === undefined) {
        const known = "utf-8, utf-16le and latin1";
        throw new RangeErrorOf(
          `The "${stringSlice(wanted, 0, 40)}" encoding is not supported; the sandbox has ${known}.`,
        );
      }
      this.#fatal = !!options?.fatal;
      this.#ignoreBom = !!options?.ignoreBOM;
    }
    get encoding() {
      return this.#encoding;
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#ignoreBom;
    }
    decode(input, options = {}) {
      const stream = !!options?.stream;
      this.#state ??= this.#start();
      const state = this.#state;
      const bytes = input === undefined ? NONE : bytesOf(input);
      const out = utf8.startText();
      state.out = out;
      try {
        const length = p.bytesLength(bytes);
        for (let i = 0; i < length; i++) state.push(bytes[i]);
        if (!stream) state.end();
      } catch (error) {
        this.#state = undefined;
        throw error;
      }
      if (!stream) this.#state = undefined;
      return out.end();
    }

    /** A decoder whose `out` is where text goes. */
    #start() {
      const state = { __proto__: null, out: undefined, push: undefined, end: undefined };
      let first = !this.#ignoreBom && this.#encoding !== "windows-1252";
      const fatal = this.#fatal;
      const name = this.#encoding;
      const add = (point) => {
        if (!first || point !== 0xfeff) state.out.add(point);
        first = false;
      };
      const error = () => {
        if (fatal) {
          const problem = new TypeErrorOf(`The encoded data was not valid for encoding ${name}`);
          defineProperty(problem, "code", hidden("ERR_ENCODING_INVALID_ENCODED_DATA"));
          throw problem;
        }
        add(0xfffd);
      };
      const decoder =
        name === "utf-8"
          ? utf8.startDecoder(add, error)
          : name === "utf-16le"
            ? startUtf16(add, error)
            : startWindows(add);
      state.push = decoder.push;
      state.end = decoder.end;
      return state;
    }
  }

  function startUtf16(add, error) {
    let low = -1;
    let lead = -1;
    const push = (byte) => {
      if (low === -1) {
        low = byte;
        return;
      }
      const unit = low | (byte << 8);
      low = -1;
      const trail = unit >= 0xdc00 && unit <= 0xdfff;
      if (lead !== -1) {
        const before = lead;
        lead = -1;
        if (trail) return add(0x10000 + ((before - 0xd800) << 10) + (unit - 0xdc00));
        error();
      }
      if (unit >= 0xd800 && unit <= 0xdbff) lead = unit;
      else if (trail) error();
      else add(unit);
    };
    const end = () => {
      const open = low !== -1 || lead !== -1;
      low = lead = -1;
      if (open) error();
    };
    return { __proto__: null, push, end };
  }

  function startWindows(add) {
    const push = (byte) => add(byte >= 0x80 && byte < 0xa0 ? stringCharCodeAt(WINDOWS, byte - 0x80) : byte);
    return { __proto__: null, push, end: () => {} };
  }

  const NONE = new BytesOf(0);

  /** The bytes behind a buffer or a view. */
  function bytesOf(input) {
    if (isA(p.bufferByteLength, input)) return new BytesOf(input);
    if (isA(p.viewByteLength, input))
      return new BytesOf(p.viewBuffer(input), p.viewByteOffset(input), p.viewByteLength(input));
    if (isA(p.bytesTag, input) && p.bytesTag(input) !== undefined) {
      return new BytesOf(p.bytesBuffer(input), p.bytesByteOffset(input), p.bytesByteLength(input));
    }
    throw new TypeErrorOf("decode needs an ArrayBuffer or a view of one.");
  }

  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  function btoa(...given) {
    if (given.length === 0) throw new TypeErrorOf("btoa needs a text.");
    const string = text(given[0]);
    const out = utf8.startText();
    const add = (value) => out.add(stringCharCodeAt(ALPHABET, value & 63));
    for (let i = 0; i < string.length; i += 3) {
      let bits = 0;
      for (let j = i; j < i + 3; j++) {
        const code = j < string.length ? stringCharCodeAt(string, j) : 0;
        if (code > 255) throw new DOMException("Invalid character", "InvalidCharacterError");
        bits = (bits << 8) | code;
      }
      add(bits >> 18);
      add(bits >> 12);
      if (i + 1 < string.length) add(bits >> 6);
      else out.add(61);
      if (i + 2 < string.length) add(bits);
      else out.add(61);
    }
    return out.end();
  }

  function atob(...given) {
    if (given.length === 0) throw new TypeErrorOf("atob needs a text.");
    const string = text(given[0]);
    const invalid = () =>
      new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");
    const out = utf8.startText();
    let bits = 0;
    let count = 0;
    let padding = 0;
    for (let i = 0; i < string.length; i++) {
      const code = stringCharCodeAt(string, i);
      if (code === 32 || code === 9 || code === 10 || code === 12 || code === 13) continue;
      if (code === 61) {
        padding++;
        continue;
      }
      const value = sextet(code);
      if (value === -1 || padding > 0) throw invalid();
      bits = ((bits << 6) | value) & 0xffffff;
      if (++count % 4 !== 0) continue;
      out.add(bits >> 16);
      out.add((bits >> 8) & 255);
      out.add(bits & 255);
    }
    const left = count % 4;
    if (left === 1 || padding > 2 || (padding > 0 && (left + padding) % 4 !== 0)) throw invalid();
    if (left === 2) out.add((bits >> 4) & 255);
    if (left === 3) {
      out.add((bits >> 10) & 255);
      out.add((bits >> 2) & 255);
    }
    return out.end();
  }

  function sextet(code) {
    if (code >= 65 && code <= 90) return code - 65;
    if (code >= 97 && code <= 122) return code - 71;
    if (code >= 48 && code <= 57) return code + 4;
    return code === 43 ? 62 : code === 47 ? 63 : -1;
  }

  defineProperty(TextEncoder.prototype, toStringTag, hidden("TextEncoder"));
  defineProperty(TextDecoder.prototype, toStringTag, hidden("TextDecoder"));
  freeze(TextEncoder.prototype);
  freeze(TextDecoder.prototype);
  return { __proto__: null, TextEncoder, TextDecoder, atob, btoa };
});
