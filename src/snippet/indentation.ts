/** What a brace may hide in, line ends, and braces. */
const TOKEN = /\n|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[{}]/g;

/**
 * The line of the first `{` whose `}` stands at another indentation, or that has none: a guess at the brace that someone
 * forgot to close. Lines count from 1.
 */
export function unclosedBrace(source: string): number | undefined {
  const lines = source.split("\n");
  const indent = (line: number): number => (lines[line - 1] ?? "").search(/\S|$/);
  const open: number[] = [];
  let line = 1;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === "{") open.push(line);
    else if (token === "}") {
      const opened = open.pop();
      const alone = lines[line - 1]?.trimStart().startsWith("}");
      if (opened !== undefined && opened !== line && alone && indent(opened) !== indent(line)) return opened;
    } else line += token.split("\n").length - 1;
  }
  return open.at(-1);
}
