import type { Diagnostic } from "./diagnostic.ts";
import { positionAt } from "./frame.ts";
import { ANGLE_LIMIT, NESTING_LIMIT, SOURCE_LIMIT, STRUCTURE_LIMIT } from "./limits.ts";

/**
 * What can begin another level: brackets, type arguments, chains of assignments, arrows, labels, prefixes. A namespace
 * counts twice, with its brace, since its level is twice as large.
 */
const STRUCTURE = /[([{<=:?!~@]|\b(?:namespace|module)\b/g;

/**
 * Refuses a snippet that could exhaust the parser or the checker, before either reads it: too long, too many characters
 * that open a level (a bound that no trick with strings can get round), or too deep.
 */
export function tooMuch(source: string): Diagnostic | undefined {
  const bytes = Buffer.byteLength(source);
  if (bytes > SOURCE_LIMIT) {
    return refusal(source, 0, `The snippet has ${bytes} bytes; the limit is ${SOURCE_LIMIT}.`, TOO_LONG);
  }
  const structure = source.match(STRUCTURE)?.length ?? 0;
  if (structure > STRUCTURE_LIMIT) {
    const message = `The snippet has ${structure} brackets and operators; the limit is ${STRUCTURE_LIMIT}.`;
    return refusal(source, 0, message, TOO_LONG);
  }
  const deep = firstTooDeep(source);
  if (deep === undefined) return undefined;
  if (source[deep] === "<") {
    return refusal(source, deep, `The limit of ${ANGLE_LIMIT} \`<\` in one snippet is passed here.`, TOO_LONG);
  }
  const message = `Brackets are nested more than ${NESTING_LIMIT} levels deep here.`;
  return refusal(source, deep, message, "Build nested data in steps, with variables or a loop.");
}

const TOO_LONG = "Split the work over several snippets, and do not paste bulk data into the code.";

function refusal(source: string, offset: number, message: string, hint: string): Diagnostic {
  return { ...positionAt(source, offset), severity: "error", code: "too-complex", message, hint };
}

/**
 * One token that matters to nesting: what is skipped comes first. A slash after an operator, an opening bracket or the
 * start of a line begins a regular expression; this may be wrong in rare code, which only shifts the count by a little.
 */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|\/(?<=(?:^|[-+*%=(,;:!&|?{}[<>~^\n]|\breturn|\btypeof|\bcase)[ \t]*\/)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/|[`()[\]{}<]/g;

/**
 * Offset of the first bracket below the limit, or of the first `<` above its own, with strings, comments and regular
 * expressions left out.
 */
function firstTooDeep(source: string): number | undefined {
  const token = new RegExp(TOKEN);
  const open: string[] = [];
  let angles = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match;
    if (text === "`") token.lastIndex = skipTemplate(source, token.lastIndex, open);
    else if (text === "}" && open.at(-1) === "${") {
      open.pop();
      token.lastIndex = skipTemplate(source, token.lastIndex, open);
    } else if (text.length === 1 && "([{".includes(text)) open.push(text);
    else if (text.length === 1 && ")]}".includes(text)) open.pop();
    else if (text === "<") angles += 1;
    if (open.length > NESTING_LIMIT || angles > ANGLE_LIMIT) return match.index;
  }
  return undefined;
}

/** Goes to the end of a template literal or into its next `${`, which it puts on the stack. */
function skipTemplate(source: string, from: number, open: string[]): number {
  const stop = /\\[\s\S]|`|\$\{/g;
  stop.lastIndex = from;
  for (let match = stop.exec(source); match; match = stop.exec(source)) {
    if (match[0] === "`") return stop.lastIndex;
    if (match[0] !== "${") continue;
    open.push("${");
    return stop.lastIndex;
  }
  return source.length;
}
