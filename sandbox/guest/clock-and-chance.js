/**
 * All that a snippet cannot compute itself: the time and chance, evaluated before the prelude and under its rules. Chance
 * comes from 32 random bytes of the host for each run, so it can be repeated; the time is the engine's.
 */
(function makeClockAndChance(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { now } = Date;
  const { stringSlice, number, max, BytesOf, WordsOf, defineProperty } = p;

  const key = new WordsOf(8);
  const block = new BytesOf(64);
  const state = new WordsOf(16);
  const mixed = new WordsOf(16);
  let used = 64;
  let counter = 0;
  let began = now();
  let last = 0;

  /** Starts a run: `seed` is 64 hexadecimal digits. */
  function begin(seed) {
    for (let i = 0; i < 8; i++) key[i] = number(`0x${stringSlice(seed, 8 * i, 8 * i + 8)}`);
    began = now();
  }

  /** Milliseconds since the run began. Never runs backwards. */
  function elapsed() {
    last = max(last, now() - began);
    return last;
  }

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

  const performance = p.create(null);
  performance.now = () => elapsed();
  defineProperty(performance, "timeOrigin", { __proto__: null, get: () => began, enumerable: true });
  defineProperty(Math, "random", p.hidden({ random: () => random() }.random));
  return { __proto__: null, begin, elapsed, byte, performance };
});
