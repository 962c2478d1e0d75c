/**
 * UTF-8 (WHATWG Encoding, section 8) and a sink for long texts, evaluated when a snippet first uses text encodings or URLs
 * and under the prelude's rules.
 */
(function makeUtf8(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { apply, list, fromCharCode, stringCharCodeAt, stringCodePointAt, BytesOf } = p;

  /** Collects code points. Joined by the thousand: a rope of single characters would take 32 bytes for each. */
  function startText() {
    let text = "";
    let units = list();
    const join = () => {
      text += apply(fromCharCode, undefined, units);
      units = list();
    };
    return {
      __proto__: null,
      add: (point) => {
        if (point > 0xffff) {
          units[units.length] = 0xd800 + ((point - 0x10000) >> 10);
          units[units.length] = 0xdc00 + ((point - 0x10000) & 1023);
        } else units[units.length] = point;
        if (units.length >= 4096) join();
      },
      end: () => {
        join();
        return text;
      },
    };
  }

  /** The standard's decoder: `push` takes a byte, `end` says that there are no more. `error` is called for each bad sequence. */
  function startDecoder(add, error) {
    let point = 0;
    let needed = 0;
    let lower = 0x80;
    let upper = 0xbf;
    const reset = () => {
      point = needed = 0;
      lower = 0x80;
      upper = 0xbf;
    };
    const push = (byte) => {
      if (needed === 0) {
        if (byte < 0x80) return add(byte);
        if (byte >= 0xc2 && byte <= 0xdf) {
          needed = 1;
          point = byte & 0x1f;
        } else if (byte >= 0xe0 && byte <= 0xef) {
          if (byte === 0xe0) lower = 0xa0;
          if (byte === 0xed) upper = 0x9f;
          needed = 2;
          point = byte & 0xf;
        } else if (byte >= 0xf0 && byte <= 0xf4) {
          if (byte === 0xf0) lower = 0x90;
          if (byte === 0xf4) upper = 0x8f;
          needed = 3;
          point = byte & 7;
        } else error();
        return;
      }
      if (byte < lower || byte > upper) {
        reset();
        error();
        return push(byte);
      }
      lower = 0x80;
      upper = 0xbf;
      point = (point << 6) | (byte & 0x3f);
      if (--needed > 0) return;
      const done = point;
      reset();
      add(done);
    };
    const end = () => {
      const open = needed > 0;
      reset();
      if (open) error();
    };
    return { __proto__: null, push, end };
  }

  /** The text of bytes that a string holds as one character each; U+FFFD for what is no UTF-8. */
  function decodeBinary(binary) {
    const text = startText();
    const decoder = startDecoder(text.add, () => text.add(0xfffd));
    for (let i = 0; i < binary.length; i++) decoder.push(stringCharCodeAt(binary, i));
    decoder.end();
    return text.end();
  }

  /** One code point as such a string. */
  function encodePoint(point) {
    const bytes = new BytesOf(4);
    const length = write(point, bytes, 0);
    let out = "";
    for (let i = 0; i < length; i++) out += fromCharCode(bytes[i]);
    return out;
  }

  /** Bytes of a code point; a lone surrogate counts as the U+FFFD that takes its place. */
  const size = (point) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

  /** Writes a code point and gives the place behind it. */
  function write(wanted, bytes, at) {
    const point = wanted >= 0xd800 && wanted <= 0xdfff ? 0xfffd : wanted;
    if (point < 0x80) {
      bytes[at] = point;
      return at + 1;
    }
    const last = at + size(point) - 1;
    let rest = point;
    for (let i = last; i > at; i--) {
      bytes[i] = (rest & 0x3f) | 0x80;
      rest >>= 6;
    }
    bytes[at] = rest | (last - at === 1 ? 0xc0 : last - at === 2 ? 0xe0 : 0xf0);
    return last + 1;
  }

  /** Writes as much of a text as fits. */
  function encodeInto(string, bytes, room) {
    let read = 0;
    let written = 0;
    while (read < string.length) {
      const point = stringCodePointAt(string, read);
      if (written + size(point) > room) break;
      written = write(point, bytes, written);
      read += point > 0xffff ? 2 : 1;
    }
    return { read, written };
  }

  function byteLength(string) {
    let length = 0;
    for (let i = 0; i < string.length; i++) {
      const point = stringCodePointAt(string, i);
      length += size(point);
      if (point > 0xffff) i++;
    }
    return length;
  }

  return { __proto__: null, startText, startDecoder, decodeBinary, encodePoint, encodeInto, byteLength };
});
