/**
 * All that a snippet cannot compute itself: the time and chance, evaluated before the prelude and under its rules. Both come
 * from the host, so that a run can be played back. Chance grows from 32 bytes of the host's. The time is that of the last
 * delivery (the start, replies, a due timer), in whole milliseconds: between two of them it stands still, so a loop that waits
 * for it to pass waits for ever. That also takes from a snippet the means to time what its machine does.
 */
(function makeClockAndChance(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { stringSlice, number, text, apply, construct, BytesOf, WordsOf, defineProperty, getOwnPropertyDescriptor } = p;
  const EngineDate = Date;

  const key = new WordsOf(8);
  const block = new BytesOf(64);
  const state = new WordsOf(16);
  const mixed = new WordsOf(16);
  let used = 64;
  let counter = 0;
  let began = 0;
  let now = 0;

  /** Starts a run: `seed` is 64 hexadecimal digits, `at` the time in milliseconds since 1970. */
  function begin(seed, at) {
    for (let i = 0; i < 8; i++) key[i] = number(`0x${stringSlice(seed, 8 * i, 8 * i + 8)}`);
    began = now = at;
  }

  /** The host delivers something: it is `at` now, and no earlier than before. */
  function tell(at) {
    now = at;
  }

  /** Milliseconds since the run began. */
  const elapsed = () => now - began;

  /** A random byte, from ChaCha20 (RFC 8439, section 2.3) with a nonce of zeros. */
  function byte() {
    if (used === 64) {
      refill();
      used = 0;
    }
    return block[used++];
  }

  function refill() {
    // "expand 32-byte k"
    state[0] = 0x61707865;
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (let i = 0; i < 8; i++) state[4 + i] = key[i];
    state[12] = counter % 0x1_0000_0000;
    state[13] = counter / 0x1_0000_0000;
    counter++;
    for (let i = 0; i < 16; i++) mixed[i] = state[i];
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
      for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3));
    }
    for (let i = 0; i < 16; i++) {
      const word = mixed[i] + state[i];
      for (let j = 0; j < 4; j++) block[4 * i + j] = word >>> (8 * j);
    }
  }

  function quarter(a, b, c, d) {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  }

  function mix(to, from, turned, by) {
    mixed[to] += mixed[from];
    const word = mixed[turned] ^ mixed[to];
    mixed[turned] = (word << by) | (word >>> (32 - by));
  }

  /** `Math.random` by sfc32 with a state from the generator above: a tenth of its time, and not for secrets. */
  const small = new WordsOf(4);
  let seeded = false;
  function random() {
    if (!seeded) {
      for (let i = 0; i < 3; i++) small[i] = ((byte() << 24) | (byte() << 16) | (byte() << 8) | byte()) >>> 0;
      small[3] = 1;
      seeded = true;
      for (let i = 0; i < 12; i++) word();
    }
    return ((word() >>> 5) * 67_108_864 + (word() >>> 6)) / 9_007_199_254_740_992;
  }

  function word() {
    const sum = (small[0] + small[1] + small[3]++) >>> 0;
    small[0] = small[1] ^ (small[1] >>> 9);
    small[1] = small[2] + (small[2] << 3);
    small[2] = ((small[2] << 21) | (small[2] >>> 11)) + sum;
    return sum;
  }

  /** `Date` with the time of the host. All else is the engine's, its prototype included. */
  function GuestDate(...parts) {
    if (new.target === undefined) return text(new EngineDate(now));
    return construct(EngineDate, parts.length === 0 ? [now] : parts, new.target);
  }
  const own = p.hidden;
  defineProperty(GuestDate, "name", { __proto__: null, value: "Date", configurable: true });
  defineProperty(GuestDate, "length", { __proto__: null, value: 7, configurable: true });
  defineProperty(GuestDate, "prototype", { __proto__: null, value: EngineDate.prototype, writable: false });
  defineProperty(GuestDate, "now", own({ now: () => now }.now));
  defineProperty(GuestDate, "parse", own(EngineDate.parse));
  defineProperty(GuestDate, "UTC", own(EngineDate.UTC));
  defineProperty(EngineDate.prototype, "constructor", own(GuestDate));
  defineProperty(globalThis, "Date", own(GuestDate));

  // The other two ways to the engine's clock.
  delete globalThis.Temporal;
  if (typeof Intl === "object") {
    const formats = Intl.DateTimeFormat.prototype;
    const { get } = getOwnPropertyDescriptor(formats, "format");
    const { formatToParts } = formats;
    const pick = (date) => (date === undefined ? now : date);
    const replaced = {
      get format() {
        const format = apply(get, this, []);
        return (date) => format(pick(date));
      },
      formatToParts(date) {
        return apply(formatToParts, this, [pick(date)]);
      },
    };
    defineProperty(formats, "format", {
      __proto__: null,
      get: getOwnPropertyDescriptor(replaced, "format").get,
      configurable: true,
    });
    defineProperty(formats, "formatToParts", own(replaced.formatToParts));
  }

  const performance = p.create(null);
  performance.now = () => elapsed();
  defineProperty(performance, "timeOrigin", { __proto__: null, get: () => began, enumerable: true });
  defineProperty(Math, "random", own({ random: () => random() }.random));
  return { __proto__: null, begin, tell, elapsed, byte, performance };
});
