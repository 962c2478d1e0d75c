import { nearest } from "../catalog/nearest.ts";
import type { CallIndex, ToolAccess } from "./calls.ts";
import type { Finding } from "./checker.ts";
import type { ObjectType } from "./object-types.ts";

/** A finding with its place in the author's text. */
export interface PlacedFinding extends Finding {
  readonly start: number;
  readonly stop: number;
  /** What a property was looked for in, or what was taken for a list. */
  readonly object?: ObjectType | undefined;
}

/**
 * Whether a finding stops the snippet. Working but careless code must run, and code that is sure to fail must not: tuned on
 * about 320 snippets of the first kind and 155 of the second, which are in the tests. A note is shown only when the run throws.
 */
export function severityOf(finding: PlacedFinding, source: string, index: CallIndex): "error" | "note" | "off" {
  const { code, start, stop } = finding;
  const word = source.slice(start, stop);
  if (unknownToolAt(finding, index) || isMissingOfServer(finding, index) || isIndexOfPromise(finding)) return "error";
  if (code >= 7000 && code < 7100) return "off";
  if (code === NAMESPACE_PLACE) return "off";
  if (code === MODIFIER_PLACE && word === "declare") return "off";
  if (HARMLESS.has(code) || index.probed.has(start)) return "note";
  if (code >= 1000 && code < 2000) return "error";
  if (code === NOT_ITERABLE) return isNoList(finding) ? "error" : "note";
  if (NO_VALUE.test(allText(finding))) return "note";
  if (isOfUnknown(finding) && !EMPTY_OBJECT.test(source.slice(stop))) return "note";
  if (CERTAIN.has(code)) return "error";
  const reason = deepestText(finding);
  if (WIDENED.test(reason) || READONLY.test(reason) || isEmpty(reason)) return "note";
  if (code === 2339 || code === 2551) return isMissing(finding, index) ? "error" : "note";
  return index.callAround(start, stop) ? "error" : "note";
}

/**
 * Whether a property is missing for sure: of a promise, which wants `await`, or of a tool's result. What the author built
 * himself may have more than its type says, and of a value of several types one may have it, unless a server declares all.
 */
function isMissing({ code, text, messageChain, start, object }: PlacedFinding, index: CallIndex): boolean {
  if (/on type '(?:\{\}|never|object|unknown)'/.test(text)) return false;
  if (/on type 'Promise</.test(text)) return true;
  const [, name = ""] = /^Property '(.+?)'/.exec(text) ?? [];
  // The checker names the type without it only when there are several; literals are several too.
  const isOneOfSeveral = (object?.isUnion || (messageChain ?? []).length > 0) && !/on type '"/.test(text);
  if (isOneOfSeveral && !isInNone(name, object)) return false;
  const isMisspelt = code === 2551 || nearest(name, object?.properties ?? []).length > 0;
  return index.reads.isPlain(start, object ?? NO_OBJECT, isMisspelt);
}

/** Whether an object is one of several that a server declares, of which none has a property. */
function isInNone(name: string, object: ObjectType | undefined): boolean {
  return object?.isUnion === true && object.isServers && !object.isMap && !object.properties.includes(name);
}

/** What is assumed of an object that the checker does not tell of. */
const NO_OBJECT = { isServers: false, isNullable: false };

/** Whether a value is used whose type nobody declared: unknown, or `{}` where it was tested for being there. */
function isOfUnknown(finding: PlacedFinding): boolean {
  return (
    finding.code === SPREAD ||
    /^(?:Type|Argument of type) '(?:unknown|\{\})' (?:is not assign|has no)/.test(deepestText(finding))
  );
}

/** Whether what is gone through like a list is one object of a tool's result, or a promise. */
function isNoList({ text, object }: PlacedFinding): boolean {
  return /^Type 'Promise</.test(text) || (object?.isServers === true && !object.isUnion);
}

/** A printed type without what is in brackets. */
function outermost(type: string): string {
  const stripped = type.replace(/\{[^{}]*\}|\([^()]*\)|<[^<>]*>/g, "");
  return stripped === type ? type : outermost(stripped);
}

/** A tool that is taken out of its server by name and is not there: `const { nope } = github`. */
function isMissingOfServer({ code, text }: PlacedFinding, index: CallIndex): boolean {
  return UNKNOWN_PROPERTY.has(code) && index.namespaces.has(/on type '([^']+)'/.exec(text)?.[1] ?? "");
}

/** An element of a promise, which wants `await`. */
function isIndexOfPromise(finding: PlacedFinding): boolean {
  return finding.code === 7053 && /to index type 'Promise</.test(allText(finding));
}

/** The member of a server that a finding says does not exist. */
export function unknownToolAt({ code, start }: PlacedFinding, index: CallIndex): ToolAccess | undefined {
  if (!UNKNOWN_PROPERTY.has(code)) return undefined;
  return index.accesses.find((access) => !access.tool && (access.memberStart === start || access.start === start));
}

/** No property of that name: on a type, with a suggestion, by index. */
const UNKNOWN_PROPERTY = new Set([2339, 2551, 7053]);

/** A namespace or a `declare` in a function: ours is around everything, and both are handled. */
const NAMESPACE_PLACE = 1235;
const MODIFIER_PLACE = 1184;

/** Unknown names and modules, constants assigned to, use before declaration, double names, calls of what is no function. */
const CERTAIN = new Set([
  2300, 2304, 2307, 2349, 2351, 2448, 2449, 2451, 2503, 2552, 2580, 2583, 2584, 2585, 2588, 2591, 2693, 2868,
]);

/**
 * May be null or undefined, unknown, not assigned yet, arithmetic on dates, comparisons without overlap, conditions that
 * are always true; of those that sound like syntax: double keys, annotations that do not fit their place, a test of void.
 */
const HARMLESS = new Set([
  1016, 1064, 1117, 1196, 1345, 1360, 2454, 2362, 2363, 2367, 2531, 2532, 2533, 2571, 2638, 2721, 2722, 2723, 2774,
  2801, 2839, 2869, 2871, 2881, 18046, 18047, 18048, 18049,
]);

/** A string or number variable where a union of literals is wanted: the server's schema is checked at run time anyway. */
const WIDENED = /Type '(?:string|number|string\[\])' is not assignable to type '.*"/;

/** Something without an iterator where one is needed. */
export const NOT_ITERABLE = 2488;

/** A spread of what may be no object. */
const SPREAD = 2698;

/** Behind the name of an argument: an empty object that is written out. */
const EMPTY_OBJECT = /^\s*:\s*\{\s*\}/;

/** A call of what the checker believes can never be there: it does not see assignments in callbacks. */
const NO_VALUE = /Type 'never' has no (?:call|construct) signatures/;

/** A list of constants where a list is wanted: nothing changes it. */
const READONLY = /^The type '.*' is 'readonly' and cannot be assigned/s;

/** Whether what is not assignable is null or undefined, or may be. */
function isEmpty(reason: string): boolean {
  const [, type = ""] = /^Type '([\s\S]+?)' is not assignable/.exec(reason) ?? [];
  return /\b(?:undefined|null)\b/.test(outermost(type));
}

/** The innermost reason of a finding. */
export function deepestText(finding: Pick<Finding, "text" | "messageChain">): string {
  const inner = finding.messageChain?.at(-1);
  return inner ? deepestText(inner) : finding.text;
}

/** All reasons of a finding, a line each. */
export function allText(finding: Pick<Finding, "text" | "messageChain">): string {
  return [finding.text, ...(finding.messageChain ?? []).map(allText)].join("\n");
}
