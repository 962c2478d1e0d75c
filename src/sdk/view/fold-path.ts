import { escapeInvisible } from "../../catalog/visible-text.ts";
import { isPlainName } from "../property-names.ts";

/** One step from a type to a part of it. */
export type Step =
  /** `.name` or `["odd-name"]`. */
  | { readonly kind: "property"; readonly name: string }
  /** `[]`: an item of a list. */
  | { readonly kind: "items" }
  /** `[0]`: an item of a tuple. */
  | { readonly kind: "item"; readonly index: number }
  /** `[*]`: a value under a name that is not declared. */
  | { readonly kind: "values" }
  /** `|2`: a member of a union or an intersection, or a property by its place, from 1. */
  | { readonly kind: "member"; readonly number: number }
  /** `|41..`: what is listed from there on; ends a path. */
  | { readonly kind: "from"; readonly number: number };

/** A path into a tool's types: `args.body.fields[]`. */
export interface FoldPath {
  readonly side: "args" | "result";
  readonly steps: readonly Step[];
}

/** Longest path that is read, in characters: schemas are typed 64 levels deep. */
const PATH_LENGTH = 4000;

const STEP = new RegExp(
  [
    String.raw`\.(?<name>[^\s.[\]|"']+)`,
    String.raw`\[\s*(?<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]`,
    String.raw`\[(?<index>\d{0,9}|\*)\]`,
    String.raw`\|(?<number>[1-9]\d{0,8})(?<from>\.\.)?`,
  ].join("|"),
  "suy",
);

/** Reads a path. Undefined when it is none, does not begin with `args` or `result`, or has more than 4,000 characters. */
export function parsePath(text: string): FoldPath | undefined {
  const [side] = /^(?:args|result)(?![\w$])/.exec(text) ?? [];
  if ((side !== "args" && side !== "result") || text.length > PATH_LENGTH) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = side.length;
  while (STEP.lastIndex < text.length) {
    const groups = steps.at(-1)?.kind === "from" ? undefined : STEP.exec(text)?.groups;
    const step = groups && toStep(groups);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return { side, steps };
}

function toStep({ name, quoted, index, number, from }: Readonly<Record<string, string | undefined>>): Step | undefined {
  if (name !== undefined) return { kind: "property", name };
  if (quoted !== undefined) {
    const unquoted = unquote(quoted);
    return unquoted === undefined ? undefined : { kind: "property", name: unquoted };
  }
  if (index === "") return { kind: "items" };
  if (index === "*") return { kind: "values" };
  if (index !== undefined) return { kind: "item", index: Number(index) };
  return { kind: from === undefined ? "member" : "from", number: Number(number) };
}

/** The text of a string literal with JSON's escapes, `\u{…}` and `\'`; undefined when it is wrong. */
function unquote(literal: string): string | undefined {
  try {
    return literal.slice(1, -1).replace(/\\(?:u\{([0-9a-f]{1,6})\}|u[0-9a-f]{4}|.)/gis, (escaped, code?: string) => {
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return escaped === "\\'" ? "'" : String(JSON.parse(`"${escaped}"`));
    });
  } catch {
    return undefined;
  }
}

/** Where a part of a type stands, as a text that can be asked for. */
export interface Place {
  readonly text: string;
  /** The same with numbers for names, for when names are long. */
  readonly numbers: string;
  /** The same from the definition that it is in: equal for all ways that lead there. */
  readonly key: string;
  /** `|1` where the path goes on through a member of a union that names need not say, but numbers must; else empty. */
  readonly through: string;
}

/** Where a side of a tool begins. */
export function rootPlace(side: FoldPath["side"]): Place {
  return { text: side, numbers: side, key: side, through: "" };
}

/** Longest path that is written with names, and longest name within it, in characters. */
const NAMED_PATH = 160;
const NAMED_STEP = 60;

/** The path to ask for; safe inside a comment. */
export function placeText({ text, numbers }: Place): string {
  return text.length <= NAMED_PATH ? text : numbers;
}

/** The path that shows what is listed at a place from a number on. */
export function listText(place: Place, from: number): string {
  return `${placeText(place)}${place.through}|${from}..`;
}

/** The place of a member that shares that of its union, since the others have no parts. */
export function throughMember(place: Place, number: number): Place {
  return { ...place, through: `${place.through}|${number}` };
}

/** The place of a property; `number` is its place among its sisters, from 1. */
export function propertyPlace(place: Place, name: string, number: number): Place {
  const quoted = quoteName(name);
  const step = isPlainName(name) ? `.${name}` : `[${quoted}]`;
  const byNumber = `${place.through}|${number}`;
  return {
    text: place.text + (step.length <= NAMED_STEP ? step : byNumber),
    numbers: place.numbers + byNumber,
    key: `${place.key}|${number}`,
    through: "",
  };
}

/** The place below this one by a step that is the same in both notations. */
export function below(place: Place, step: string): Place {
  const whole = step.startsWith("|") ? place.through + step : step;
  return { text: place.text + whole, numbers: place.numbers + whole, key: place.key + step, through: "" };
}

/** A name in quotes, on one line, that does not end a comment. */
export function quoteName(name: string): string {
  return escapeInvisible(JSON.stringify(name)).replaceAll("*/", "*\\/");
}
