import { escapeInvisible } from "../../catalog/visible-text.ts";
import { isPlainName, unmarkName } from "../property-names.ts";
import { type CleanSchema, isUnknown, type Literal } from "../types/clean-schema.ts";
import { clipWords, foldedDoc, isDocWhole } from "./fold-doc.ts";
import { isTuple } from "./fold-locate.ts";
import { below, listText, type Place, placeText, propertyPlace, throughMember } from "./fold-path.ts";
import { definitionOf, propertiesOf, type ShapeSide } from "./fold-shape.ts";

/** How much of a type is printed. */
export interface FoldDetail {
  /** Whether the object or the definition with this key shows what is in it. */
  isOpen(key: string): boolean;
  /** Characters of documentation at each property. */
  readonly docs: number;
  /** Properties of an object. */
  readonly properties: number;
  /** Values of an enum and members of a union, an intersection or a tuple. */
  readonly members: number;
  /** Characters of a literal or of a quoted name. */
  readonly literal: number;
}

/** Prints types of one tool in part, and remembers what it left out. */
export interface FoldPrinter {
  /** A type whose properties begin `level` levels in; what is left out of it is said by `notes`. */
  type(schema: CleanSchema, at: FoldedPlace, level: number, from?: number): FoldedType;
  /** A comment with its indentation, or nothing. */
  doc(text: string, limit: number, level: number): string;
  /** The definitions that were named, as `type Name = …;`, in the order in which they were first named. */
  definitions(): string[];
  /** Where more is to be seen, in the order in which it was left out. */
  readonly more: readonly string[];
  /** Whether documentation or a long literal was shortened. */
  isShortened(): boolean;
}

/** A place on one side of a tool. */
export interface FoldedPlace {
  readonly side: ShapeSide;
  readonly place: Place;
}

/** The text of a type, and notes on what is left out of its last line. */
export interface FoldedType {
  readonly text: string;
  readonly notes: readonly string[];
}

/** The key of a definition: that of no place begins so. */
export function definitionKey({ side }: ShapeSide, name: string): string {
  return `${side}:${name}`;
}

/** A note behind the line that it is about. */
export function noteText(notes: readonly string[]): string {
  return notes.length === 0 ? "" : ` /* ${notes.join("; ")} */`;
}

/** Makes a printer. */
export function createFoldPrinter(detail: FoldDetail): FoldPrinter {
  /** Definitions that were named, by key. */
  const named = new Map<string, { readonly name: string; readonly schema: CleanSchema; readonly at: FoldedPlace }>();
  const more: string[] = [];
  let shortened = false;

  const moreAt = (place: string): string => {
    more.push(place);
    return place;
  };
  const doc = (text: string, limit: number, level: number): string => {
    shortened ||= !isDocWhole(text, limit);
    return foldedDoc(text, limit, level);
  };

  const type = (schema: CleanSchema, at: FoldedPlace, level: number, from = 1): FoldedType => {
    const definition = definitionOf(schema, at.side);
    if (definition) return printNamed(definition.name, definition.schema, at);
    if (schema.tsType !== undefined) return plain(constantText(escapeInvisible(schema.tsType)));
    if (schema.enum) return printEnum(schema.enum, at, from);
    if (schema.anyOf) return printMembers(schema.anyOf, " | ", at, level, from);
    if (schema.allOf) return printMembers(schema.allOf, " & ", at, level, from);
    if (schema.type === "array") return printArray(schema, at, level, from);
    if (schema.type === "object") return printObject(schema, at, level, from);
    return plain(schema.type ?? "unknown");
  };

  const printNamed = (name: string, schema: CleanSchema, at: FoldedPlace): FoldedType => {
    const key = definitionKey(at.side, name);
    const text = at.side.nameOf(name);
    if (named.has(key)) return plain(text);
    named.set(key, { name: text, schema, at });
    if (detail.isOpen(key)) return plain(text);
    const count = Object.keys(schema.properties ?? {}).length;
    const size = count > 0 ? ` has ${plural(count, "property", "properties")}` : "";
    return { text, notes: [`${text}${size}: ${moreAt(placeText(at.place))}`] };
  };

  const printEnum = (values: readonly Literal[], at: FoldedPlace, from: number): FoldedType => {
    const rest = values.slice(from - 1);
    const shown = rest.slice(0, detail.members);
    const texts = shown.map((value) => literalText(value) ?? shortLiteral(value));
    const notes: string[] = [];
    if (rest.length > shown.length) {
      texts.push("…");
      const next = moreAt(listText(at.place, from + shown.length));
      notes.push(`${plural(rest.length - shown.length, "more value", "more values")}: ${next}`);
    }
    return { text: texts.join(" | "), notes };
  };

  const printMembers = (
    members: readonly CleanSchema[],
    separator: " | " | " & ",
    at: FoldedPlace,
    level: number,
    from: number,
  ): FoldedType => {
    const isTransparent = isOneWithParts(members, at.side);
    const rest = members.slice(from - 1);
    const shown = rest.slice(0, Math.max(detail.members, 1));
    const types = shown.map((member, index) => {
      const number = from + index;
      const place = isTransparent ? throughMember(at.place, number) : below(at.place, `|${number}`);
      const { text, notes } = type(member, { ...at, place }, level);
      return { text: separator === " & " || member.allOf ? inParentheses(text, member) : text, notes };
    });
    const notes = types.flatMap((member) => member.notes);
    const texts = types.map(({ text }) => text);
    const printed = notes.length === 0 ? [...new Set(texts)] : texts;
    if (rest.length > shown.length) {
      printed.push("…");
      const next = moreAt(listText(at.place, from + shown.length));
      notes.push(`${plural(rest.length - shown.length, "more type", "more types")}: ${next}`);
    }
    return { text: printed.join(separator), notes };
  };

  const printArray = (schema: CleanSchema, at: FoldedPlace, level: number, from: number): FoldedType => {
    const { items } = schema;
    if (items === undefined) return plain("unknown[]");
    if (!isTuple(items)) {
      const item = type(items, { ...at, place: below(at.place, "[]") }, level);
      return { text: `${inParentheses(item.text, items)}[]`, notes: item.notes };
    }
    return printTuple(schema, items, at, level, from);
  };

  const printTuple = (
    { additionalItems, minItems = 0 }: CleanSchema,
    items: readonly CleanSchema[],
    at: FoldedPlace,
    level: number,
    from: number,
  ): FoldedType => {
    const rest = items.slice(from - 1);
    const shown = rest.slice(0, detail.members);
    const types = shown.map((item, index) =>
      type(item, { ...at, place: below(at.place, `[${from - 1 + index}]`) }, level),
    );
    const texts = types.map(({ text }, index) => {
      return from - 1 + index < minItems ? text : `${inParentheses(text, shown[index] ?? {})}?`;
    });
    const notes = types.flatMap((item) => item.notes);
    if (rest.length > shown.length) {
      texts.push("…");
      const next = moreAt(listText(at.place, from + shown.length));
      notes.push(`${plural(rest.length - shown.length, "more item", "more items")}: ${next}`);
    } else if (additionalItems) {
      const item = type(additionalItems, { ...at, place: below(at.place, "[]") }, level);
      texts.push(`...${inParentheses(item.text, additionalItems)}[]`);
      notes.push(...item.notes);
    }
    return { text: `[${texts.join(", ")}]`, notes };
  };

  const printObject = (schema: CleanSchema, at: FoldedPlace, level: number, from: number): FoldedType => {
    const properties = propertiesOf(schema);
    const others = schema.additionalProperties;
    if (properties.length > 0 && !detail.isOpen(at.place.key)) return printClosed(schema, at);
    const indent = "  ".repeat(level);
    const lines = properties.slice(from - 1, from - 1 + detail.properties).map((property, index) => {
      const name = unmarkName(property.key);
      const place = propertyPlace(at.place, name, from + index);
      const { text, notes } = type(property.schema, { ...at, place }, level + 1);
      const comment = doc(property.schema.description ?? "", detail.docs, level + 1);
      return `${comment}${indent}  ${propertyName(name)}${property.required ? "" : "?"}: ${text};${noteText(notes)}\n`;
    });
    const left = properties.length - (from - 1) - lines.length;
    if (left > 0) {
      const next = moreAt(listText(at.place, from + lines.length));
      lines.push(`${indent}  …${noteText([`${plural(left, "more property", "more properties")}: ${next}`])}\n`);
    }
    // A result may have more than it declares anyway.
    const isSilent = others && isUnknown(others) && properties.length > 0 && at.side.side === "output";
    if (others && !isSilent && left === 0) lines.push(printOthers(others, properties.length, at, level));
    return plain(`{\n${lines.join("")}${indent}}`);
  };

  /** Beside properties of its own, TypeScript wants the type of other names to hold for all. */
  const printOthers = (others: CleanSchema, properties: number, at: FoldedPlace, level: number): string => {
    const indent = "  ".repeat(level + 1);
    const { text, notes } = type(others, { ...at, place: below(at.place, "[*]") }, level + 1);
    if (properties === 0 || isUnknown(others)) return `${indent}[k: string]: ${text};${noteText(notes)}\n`;
    const hint = /\n|\/\*/.test(text) ? moreAt(placeText(below(at.place, "[*]"))) : text.replaceAll("*/", "*\\/");
    return `${indent}[k: string]: unknown;${noteText([`other names have: ${hint}`, ...notes])}\n`;
  };

  /** An object without its properties but those that say which of several objects it is. */
  const printClosed = (schema: CleanSchema, at: FoldedPlace): FoldedType => {
    const properties = propertiesOf(schema);
    const telling = properties.flatMap((property) => {
      const [value, ...rest] = property.schema.enum ?? [];
      const text = value === undefined || rest.length > 0 || !property.required ? undefined : JSON.stringify(value);
      if (text === undefined || text.length > TELLING_LENGTH || !isPlainName(unmarkName(property.key))) return [];
      return [`${unmarkName(property.key)}: ${escapeInvisible(text)}; `];
    });
    const shown = telling.slice(0, TELLING_PROPERTIES);
    const more = shown.length > 0 ? "more " : "";
    const count = plural(properties.length - shown.length, `${more}property`, `${more}properties`);
    return { text: `{ ${shown.join("")}… }`, notes: [`${count}: ${moreAt(placeText(at.place))}`] };
  };

  /** A type that is written out: of a value with parts its signs alone when it is too long. */
  const constantText = (text: string): string => {
    const folded = text.startsWith("{") ? "{ … }" : "[…]";
    if (text.length <= detail.literal || !/^[[{]/.test(text)) return text;
    shortened = true;
    return folded;
  };

  const literalText = (value: Literal): string | undefined => {
    const text = escapeInvisible(JSON.stringify(value));
    return text.length <= detail.literal ? text : undefined;
  };
  const shortLiteral = (value: Literal): string => {
    shortened = true;
    return escapeInvisible(JSON.stringify(clipWords(String(value), detail.literal)));
  };

  const propertyName = (name: string): string => {
    if (isPlainName(name) && name.length <= detail.literal) return name;
    return literalText(name) ?? shortLiteral(name);
  };

  return {
    type,
    doc,
    more,
    isShortened: () => shortened,
    definitions: () => {
      const texts: string[] = [];
      // More may be named while the ones before are printed.
      for (const [key, { name, schema, at }] of named) {
        if (!detail.isOpen(key)) continue;
        const comment = doc(schema.description ?? "", detail.docs, 0);
        const { text, notes } = type(schema, { ...at, place: { ...at.place, key } }, 0);
        texts.push(`${comment}type ${name} = ${text};${noteText(notes)}\n`);
      }
      return texts;
    },
  };
}

/** Properties of a folded object that are shown since they have only one value, and the longest of these, in characters. */
const TELLING_PROPERTIES = 2;
const TELLING_LENGTH = 40;

function plain(text: string): FoldedType {
  return { text, notes: [] };
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Whether at most one of these has parts, so that a path leads through to it without a number. */
export function isOneWithParts(members: readonly CleanSchema[], side: ShapeSide): boolean {
  const isWithParts = (schema: CleanSchema): boolean =>
    schema.type === "object" ||
    schema.type === "array" ||
    (schema.anyOf ?? schema.allOf ?? definitionOf(schema, side)) !== undefined;
  return members.filter(isWithParts).length <= 1;
}

function inParentheses(text: string, { anyOf, allOf, enum: values }: CleanSchema): string {
  const isJoined = (anyOf ?? allOf ?? values ?? []).length > 1;
  return isJoined ? `(${text})` : text;
}
