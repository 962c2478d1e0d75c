import type { Tool } from "../catalog/tool.ts";
import { escapeInvisible } from "../catalog/visible-text.ts";
import { firstSentence } from "./doc-comment.ts";
import type { ObservedSchema } from "./learned/observe.ts";
import { observedSchema } from "./learned/observed-schema.ts";
import { isPlainName, unmarkName } from "./property-names.ts";
import { resultSchema } from "./result-schema.ts";
import { type CleanedSchema, cleanSchema } from "./types/clean.ts";
import { type CleanSchema, isUnknown, type Literal } from "./types/clean-schema.ts";

/** Longest signature in characters, but for the tool's own name: about 100 tokens. */
const SIGNATURE_LENGTH = 420;
/** Longest description behind a signature, in characters. */
const SENTENCE_LENGTH = 100;

/**
 * A tool in one line, as it is shown to a model: `github.list_issues(args: { owner: string; state?: "open" | "closed" }):
 * Promise<{ issues: {…}[]; total: number }>`. What is nested deeper, and what does not fit in 420 characters, is `…`;
 * required arguments are the last to go. A result that the server does not declare is what was observed, marked so. Costs
 * about 0.2 ms.
 */
export function signature(tool: Tool, observed?: ObservedSchema): string {
  const input = cleanSchema(tool.inputSchema, "input");
  const declared = resultSchema(tool);
  const result = declared ?? (observed && { schema: observedSchema(observed, "asSeen"), entry: "#" });
  const output = result && cleanSchema(result.schema, "output", result.entry);
  const mark = !declared && observed ? " /* observed */" : "";
  const question = acceptsNothing(input) ? "?" : "";
  const head = `${toolExpression(tool)}(args${question}: `;
  const room = SIGNATURE_LENGTH - "(args?: ): Promise<>".length;
  let shortest = "";
  for (const detail of DETAILS) {
    const args = printShort(input, { ...detail, depth: detail.inputDepth });
    const value = output ? printShort(output, { ...detail, depth: detail.outputDepth }) : "any";
    shortest = `${head}${args}): Promise<${value}${mark}>`;
    if (args.length + value.length <= room) return shortest;
  }
  return shortest;
}

/** The signature with the first sentence of the description as a comment. */
export function signatureLine(tool: Tool, observed?: ObservedSchema): string {
  const sentence = firstSentence(tool.description || tool.title || "", SENTENCE_LENGTH);
  return sentence === "" ? signature(tool, observed) : `${signature(tool, observed)} // ${sentence}`;
}

/** How a snippet names a tool: `github.list_issues` or `everything["get-sum"]`. */
export function toolExpression({ namespace, member }: Tool): string {
  return isPlainName(member) ? `${namespace}.${member}` : `${namespace}[${escapeInvisible(JSON.stringify(member))}]`;
}

/** Whether a tool can be called without arguments. */
export function acceptsNothing({ root, definitions }: CleanedSchema): boolean {
  // A definition that is still open counts as demanding something: it cannot be satisfied by itself.
  const known = new Map<string, boolean>();
  const optional = (schema: CleanSchema): boolean => {
    const definition = schema.tsType === undefined ? undefined : definitions.get(schema.tsType);
    if (definition && schema.tsType !== undefined) {
      if (!known.has(schema.tsType)) known.set(schema.tsType, false).set(schema.tsType, optional(definition));
      return known.get(schema.tsType) === true;
    }
    if (schema.anyOf) return schema.anyOf.some(optional);
    if (schema.allOf) return schema.allOf.every(optional);
    if (schema.type === "object") return (schema.required ?? []).length === 0;
    return schema.tsType?.startsWith("Record<") === true || isUnknown(schema);
  };
  return optional(root);
}

/** How much of a type is printed. */
interface Detail {
  /** Levels of objects whose properties are shown. */
  readonly depth: number;
  /** Properties of an object that are shown. */
  readonly properties: number;
  /** Values of a union that are shown. */
  readonly members: number;
}

/** Types that are looked at for one signature: a hostile schema may lead to any number. */
const PRINTED_PARTS = 2000;

/** Ever less detail, until the signature is short enough; the last one always is. */
const DETAILS: readonly (Omit<Detail, "depth"> & { readonly inputDepth: number; readonly outputDepth: number })[] = [
  { inputDepth: 2, outputDepth: 3, properties: 40, members: 12 },
  { inputDepth: 2, outputDepth: 2, properties: 40, members: 12 },
  { inputDepth: 2, outputDepth: 1, properties: 40, members: 12 },
  { inputDepth: 1, outputDepth: 1, properties: 40, members: 12 },
  { inputDepth: 1, outputDepth: 1, properties: 12, members: 6 },
  { inputDepth: 1, outputDepth: 0, properties: 12, members: 4 },
  { inputDepth: 1, outputDepth: 0, properties: 8, members: 3 },
  { inputDepth: 1, outputDepth: 0, properties: 5, members: 1 },
  { inputDepth: 0, outputDepth: 0, properties: 0, members: 1 },
];

function printShort({ root, definitions }: CleanedSchema, detail: Detail): string {
  let parts = PRINTED_PARTS;
  const print = (schema: CleanSchema, depth: number, open: readonly CleanSchema[]): string => {
    if (parts-- <= 0) return "…";
    const definition = schema.tsType === undefined ? undefined : definitions.get(schema.tsType);
    if (definition) return open.includes(definition) ? "…" : print(definition, depth, [...open, definition]);
    if (schema.tsType !== undefined) return schema.tsType.startsWith("{") ? "{…}" : shorten(schema.tsType);
    if (schema.enum) return list(schema.enum.map(printLiteral), " | ");
    if (schema.anyOf) return list(unique(schema.anyOf.map((member) => print(member, depth, open))), " | ");
    if (schema.allOf) return list(unique(schema.allOf.map((member) => inUnion(print(member, depth, open)))), " & ");
    if (schema.type === "array") return printArray(schema, depth, open);
    if (schema.type === "object") return depth <= 0 ? "{…}" : printObject(schema, depth - 1, open);
    return schema.type ?? "unknown";
  };
  const printArray = ({ items }: CleanSchema, depth: number, open: readonly CleanSchema[]): string => {
    if (items === undefined) return "unknown[]";
    if (!isList(items)) return `${inUnion(print(items, depth, open))}[]`;
    const types = items.map((item) => print(item, depth, open));
    return `[${list(types, ", ")}]`;
  };
  const printObject = (schema: CleanSchema, depth: number, open: readonly CleanSchema[]): string => {
    const required = new Set(schema.required);
    const all = Object.entries(schema.properties ?? {});
    const rank = all.map(([name], index) => ({ name, index, needed: required.has(name) }));
    rank.sort((a, b) => Number(b.needed) - Number(a.needed) || a.index - b.index);
    const shown = new Set(rank.slice(0, detail.properties).map(({ name }) => name));
    const members = all
      .filter(([name]) => shown.has(name))
      .map(([name, property]) => {
        return `${printName(unmarkName(name))}${required.has(name) ? "" : "?"}: ${print(property, depth, open)}`;
      });
    if (shown.size < all.length) members.push("…");
    const rest = schema.additionalProperties;
    if (rest && !isUnknown(rest)) members.push(`[key: string]: ${print(rest, depth, open)}`);
    return `{ ${members.join("; ")} }`;
  };
  const list = (types: readonly string[], separator: string): string => {
    const shown = types.slice(0, detail.members);
    if (shown.length < types.length) shown.push("…");
    return shown.join(separator);
  };
  return print(root, detail.depth, [root]);
}

function printName(name: string): string {
  return isPlainName(name) ? name : printLiteral(name);
}

function printLiteral(literal: Literal): string {
  return shorten(JSON.stringify(literal));
}

/** Longest literal or quoted name, in characters. */
const LITERAL_LENGTH = 60;

function shorten(literal: string): string {
  const visible = escapeInvisible(literal);
  return visible.length <= LITERAL_LENGTH ? visible : "…";
}

function inUnion(type: string): string {
  return / [|&] /.test(type) && !/^[{[]/.test(type) ? `(${type})` : type;
}

function unique(types: readonly string[]): string[] {
  return [...new Set(types)];
}

function isList(items: CleanSchema | readonly CleanSchema[]): items is readonly CleanSchema[] {
  return Array.isArray(items);
}
