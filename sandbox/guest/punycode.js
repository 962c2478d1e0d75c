/** Punycode, RFC 3492 with the numbers of its section 5; evaluated when a snippet first uses a URL and under the prelude's rules. */
(function makePunycode(p) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { stringLastIndexOf, stringCharCodeAt, stringCodePointAt, fromCodePoint, list, floor } = p;

  function adapt(delta, points, first) {
    let k = 0;
    let rest = first ? floor(delta / 700) : floor(delta / 2);
    rest += floor(rest / points);
    for (; rest > 455; k += 36) rest = floor(rest / 35);
    return k + floor((36 * rest) / (rest + 38));
  }

  const threshold = (k, bias) => (k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias);

  /** Codes of labels beyond 1,000 characters are refused: no name is so long, and the work grows with its square. */
  function toPunycode(label) {
    if (label.length > 1000) return undefined;
    const points = list();
    let out = "";
    for (let i = 0; i < label.length; ) {
      const point = stringCodePointAt(label, i);
      i += point > 0xffff ? 2 : 1;
      points[points.length] = point;
      if (point < 128) out += fromCodePoint(point);
    }
    let n = 128;
    let delta = 0;
    let bias = 72;
    const basic = out.length;
    let done = basic;
    if (basic > 0) out += "-";
    while (done < points.length) {
      let next = 0x7fffffff;
      for (let i = 0; i < points.length; i++) if (points[i] >= n && points[i] < next) next = points[i];
      delta += (next - n) * (done + 1);
      n = next;
      for (let i = 0; i < points.length; i++) {
        if (points[i] < n) delta++;
        if (points[i] !== n) continue;
        let q = delta;
        for (let k = 36; ; k += 36) {
          const t = threshold(k, bias);
          if (q < t) break;
          out += digit(t + ((q - t) % (36 - t)));
          q = floor((q - t) / (36 - t));
        }
        out += digit(q);
        bias = adapt(delta, done + 1, done === basic);
        delta = 0;
        done++;
      }
      delta++;
      n++;
    }
    return out;
  }

  const digit = (value) => fromCodePoint(value < 26 ? value + 97 : value + 22);

  function fromPunycode(code) {
    if (code.length > 1000 || code === "") return undefined;
    const points = list();
    const dash = stringLastIndexOf(code, "-");
    for (let i = 0; i < dash; i++) points[i] = stringCharCodeAt(code, i);
    let n = 128;
    let at = 0;
    let bias = 72;
    for (let from = dash + 1; from < code.length; ) {
      const before = at;
      for (let weight = 1, k = 36; ; k += 36) {
        const value = digitValue(stringCharCodeAt(code, from++));
        if (!(value < 36)) return undefined;
        at += value * weight;
        if (at > 0x7fffffff) return undefined;
        const t = threshold(k, bias);
        if (value < t) break;
        weight *= 36 - t;
      }
      const length = points.length + 1;
      bias = adapt(at - before, length, before === 0);
      n += floor(at / length);
      at %= length;
      if (n > 0x10ffff) return undefined;
      for (let i = length - 1; i > at; i--) points[i] = points[i - 1];
      points[at++] = n;
    }
    let out = "";
    for (let i = 0; i < points.length; i++) out += fromCodePoint(points[i]);
    return out;
  }

  function digitValue(code) {
    if (code >= 48 && code <= 57) return code - 22;
    return code >= 97 && code <= 122 ? code - 97 : 99;
  }

  return { __proto__: null, fromPunycode, toPunycode };
});
