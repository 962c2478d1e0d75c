/** `console.table` as Node draws it, evaluated at its first use and under the prelude's rules. */
(function makeTable(p, inspect) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { list, text, keys, isArray, isA, stringRepeat, getOwnPropertyDescriptor, MapOf, mapGet, mapSet } = p;

  /** Rows and columns at most: a table is for reading. */
  const MOST_ROWS = 1000;
  const MOST_COLUMNS = 50;

  function drawTable(rows, wanted) {
    const heads = list();
    const places = new MapOf();
    const lines = list();
    const column = (name) => {
      if (mapGet(places, name) === undefined && heads.length < MOST_COLUMNS) {
        heads[heads.length] = name;
        mapSet(places, name, heads.length);
      }
      return mapGet(places, name);
    };
    const index = isA(p.mapSize, rows) || isA(p.setSize, rows) ? "(iteration index)" : "(index)";
    column(index);
    if (isArray(wanted)) for (let i = 0; i < wanted.length; i++) column(text(wanted[i]));
    let values = false;
    const put = (line, name, value) => {
      const at = column(name);
      if (at !== undefined) line[at - 1] = cell(value);
    };
    each(rows, (key, value, mapKey) => {
      if (lines.length >= MOST_ROWS) return;
      const line = list();
      line[0] = text(key);
      if (mapKey !== undefined) put(line, "Key", mapKey.value);
      if (value !== null && (typeof value === "object" || typeof value === "function")) {
        const names = mapKey === undefined ? keys(value) : list();
        if (mapKey !== undefined) put(line, "Values", value);
        for (let i = 0; i < names.length; i++) {
          if (isArray(wanted) && mapGet(places, names[i]) === undefined) continue;
          const property = getOwnPropertyDescriptor(value, names[i]);
          put(line, names[i], property?.get === undefined ? property?.value : "[Getter]");
        }
      } else {
        values = true;
        line.value = cell(value);
      }
      lines[lines.length] = line;
    });
    if (values) {
      heads[heads.length] = "Values";
      for (let i = 0; i < lines.length; i++) lines[i][heads.length - 1] = lines[i].value;
    }
    return draw(heads, lines);
  }

  function each(rows, row) {
    let at = 0;
    if (isA(p.mapSize, rows)) p.mapForEach(rows, (value, key) => row(at++, value, { __proto__: null, value: key }));
    else if (isA(p.setSize, rows)) p.setForEach(rows, (value) => row(at++, value));
    else {
      const names = keys(rows);
      for (let i = 0; i < names.length; i++) row(names[i], rows[names[i]]);
    }
  }

  function draw(heads, lines) {
    const widths = list();
    const widen = (line) => {
      for (let i = 0; i < heads.length; i++) widths[i] = p.max(widths[i] ?? 0, (line[i] ?? "").length + 2);
    };
    widen(heads);
    for (let i = 0; i < lines.length; i++) widen(lines[i]);
    const rule = (left, middle, right) => {
      let out = left;
      for (let i = 0; i < widths.length; i++) out += (i === 0 ? "" : middle) + stringRepeat("─", widths[i]);
      return out + right;
    };
    let out = `${rule("┌", "┬", "┐")}\n${cells(heads, widths)}\n${rule("├", "┼", "┤")}\n`;
    for (let i = 0; i < lines.length; i++) out += `${cells(lines[i], widths)}\n`;
    return out + rule("└", "┴", "┘");
  }

  const cell = (value) => inspect(value);

  function cells(line, widths) {
    let out = "│";
    for (let i = 0; i < widths.length; i++) {
      const shown = line[i] ?? "";
      out += ` ${shown}${stringRepeat(" ", widths[i] - shown.length - 1)}│`;
    }
    return out;
  }

  return drawTable;
});
