/** A terminal window, in characters. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** Columns that a text takes in a terminal: two for East Asian wide characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** A line in pieces of at most so many columns; nothing is lost. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const character of line) {
    const more = characterWidth(character);
    if (width + more > columns && piece !== "") {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += character;
    width += more;
  }
  return [...pieces, piece];
}

const MARK = /^\p{M}$/u;
/** The blocks of Unicode's EastAsianWidth W and F that texts have, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u26a1\u26bd\u26be\u2705\u2728\u274c\u274e\u2753-\u2757\u2795-\u2797\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function characterWidth(character: string): number {
  if (character <= "~") return 1;
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
