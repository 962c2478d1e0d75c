/** `crypto` as far as ids and random bytes go, evaluated when a snippet first uses it and under the prelude's rules. */
(function makeCrypto(p, byte) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { DOMException, TypeErrorOf, BytesOf, isA, numberToString, stringSlice, freeze, create } = p;

  /** Bytes of one call, as the Web Cryptography standard says. */
  const MOST = 65_536;
  const INTEGERS = /^(?:Big)?(?:Int|Uint)(?:8|16|32|64)(?:Clamped)?Array$/;

  const crypto = create(null);
  crypto.getRandomValues = (array) => {
    const kind = isA(p.bytesTag, array) ? p.bytesTag(array) : undefined;
    if (kind === undefined || p.regExpExec(INTEGERS, kind) === null) {
      throw new DOMException("getRandomValues needs an array of integers.", "TypeMismatchError");
    }
    const length = p.bytesByteLength(array);
    if (length > MOST) {
      throw new DOMException(`${length} bytes are asked for; at most ${MOST} are given at once.`, "QuotaExceededError");
    }
    const bytes = new BytesOf(p.bytesBuffer(array), p.bytesByteOffset(array), length);
    for (let i = 0; i < length; i++) bytes[i] = byte();
    return array;
  };
  crypto.randomUUID = () => {
    let hex = "";
    for (let i = 0; i < 16; i++) {
      const value = i === 6 ? (byte() & 0x0f) | 0x40 : i === 8 ? (byte() & 0x3f) | 0x80 : byte();
      hex += stringSlice(numberToString(value + 256, 16), 1);
    }
    const part = (from, to) => stringSlice(hex, from, to);
    return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
  };
  p.defineProperty(crypto, "subtle", {
    __proto__: null,
    get: () => {
      throw new TypeErrorOf("There is no crypto.subtle in the sandbox; let a tool of the SDK do it.");
    },
  });
  freeze(crypto.getRandomValues);
  freeze(crypto.randomUUID);
  return freeze(crypto);
});
