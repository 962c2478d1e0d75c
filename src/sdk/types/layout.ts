/**
 * Lays out the text of json-schema-to-typescript, which comes without indentation and semicolons (its own formatter,
 * prettier, costs ten times as much as the conversion). Its lines are regular: a comment begins and ends on lines of its
 * own, `{` that opens an object is the last character of its line, and `}` that closes one is the first.
 */
export function layOut(raw: string): string {
  const lines: string[] = [];
  /** For each open object the line in which its property's type began. */
  const begun: number[] = [];
  let comment: string[] | undefined;
  for (const line of raw.trim().split("\n")) {
    if (comment === undefined && line === "/**") comment = [];
    else if (comment !== undefined && line === " */") {
      lines.push(...commentLines(comment, begun.length));
      comment = undefined;
    } else if (comment !== undefined) comment.push(line.replace(/^ \* ?/, ""));
    else if (line !== "") {
      const begin = line.startsWith("}") ? begun.pop() : undefined;
      lines.push(`${"  ".repeat(begun.length)}${line}`);
      if (line.endsWith("{")) begun.push(begin ?? lines.length - 1);
      else endType(lines, begin ?? lines.length - 1, begun.length);
    }
  }
  return lines.join("\n");
}

function commentLines(text: readonly string[], level: number): string[] {
  const indent = "  ".repeat(level);
  if (text.length === 1) return [`${indent}/** ${text[0]} */`];
  return [`${indent}/**`, ...text.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** The name of a property, up to its type. */
const NAME = String.raw`\s*(?:(?:[\w$]+|"(?:[^"\\]|\\.)*")\??|\[k: string\]): `;
const OPENING = { root: /^()\(/, property: new RegExp(`^(${NAME})\\(`) };

/**
 * Ends the type that goes from line `begin` to the last one. json-schema-to-typescript puts every union and intersection
 * in parentheses; a type that begins and ends with one is such a whole, and needs none. Only an index signature may be a row
 * of such wholes.
 */
function endType(lines: string[], begin: number, level: number): void {
  const [first = "", last = ""] = [lines[begin], lines.at(-1)];
  const opening = level === 0 ? OPENING.root : OPENING.property;
  if (last.endsWith(")") && opening.test(first) && !isRow(lines.slice(begin))) {
    lines[begin] = first.replace(opening, "$1");
    lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, -1);
  }
  if (level > 0) lines[lines.length - 1] += ";";
}

function isRow(type: readonly string[]): boolean {
  return /^\s*\[k: string\]: /.test(type[0] ?? "") && type.some((line) => line.includes(") | "));
}
