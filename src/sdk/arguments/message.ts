import { isRecord } from "../json-record.ts";
import { mustBeOneOf, ruleOfAlternatives } from "./alternatives.ts";
import { allowedValues } from "./branches.ts";
import type { BrokenRule, Finding } from "./compile.ts";
import { FORMATS } from "./format.ts";
import { propertyAt, ruleOfProperty } from "./property.ts";
import { article, typeWords } from "./type-words.ts";
import { clip, count, describeValue, joinWords, literal, pathOf, propertyAccess, propertyName } from "./words.ts";

/** What is wrong with a value, as one sentence or two for a model and a person, and where. */
export interface Explanation {
  /** The value in question, or the property that is missing: `args.items[3].price`. */
  readonly path: string;
  readonly message: string;
}

/** Says in words what was found. `args` is what the finding's pointer starts from, `root` has the definitions. */
export function explainFinding(finding: Finding, args: unknown, root: unknown): Explanation {
  const path = pathOf(args, finding.pointer);
  const name = propertyAt(finding);
  if (name === undefined) return { path, message: `${path} ${ruleOf(finding, root)}` };
  if (finding.params["propertyName"] !== undefined) {
    return {
      path,
      message: `${path} has a property with a name that is not allowed: ${literal(name)} ${ruleOf(finding, root)}`,
    };
  }
  const property = `${path}${propertyAccess(name)}`;
  return { path: property, message: `${property} ${ruleOfProperty(finding, name, root)}` };
}

/** Says the little that is known of a broken rule. */
export function explainRule({ keyword, pointer, params }: BrokenRule, args: unknown): Explanation {
  const path = pathOf(args, pointer);
  const name = params["unevaluatedProperty"];
  if (typeof name !== "string")
    return { path, message: `${path} does not fulfil "${clip(keyword)}" of the tool's schema.` };
  const property = `${path}${propertyAccess(name)}`;
  return { path: property, message: `${property} is not allowed.` };
}

/** The rest of a sentence that begins with a path. */
function ruleOf(finding: Finding, root: unknown): string {
  const { keyword, demand, value, params, around } = finding;
  const but = `, but is ${describeValue(value)}.`;
  switch (keyword) {
    case "type":
      return `must be ${joinWords([demand].flat().map(article))}${but}`;
    case "enum":
    case "const":
      return mustBeOneOf(allowedValues(finding), value);
    case "minimum":
      return `must be at least ${demand}${but}`;
    case "maximum":
      return `must be at most ${demand}${but}`;
    case "exclusiveMinimum":
      return `must be more than ${demand}${but}`;
    case "exclusiveMaximum":
      return `must be less than ${demand}${but}`;
    case "multipleOf":
      return `must be a multiple of ${demand}${but}`;
    case "minLength":
      return `must have at least ${count(demand, "character")}, but has ${lengthOf(value)}: ${literal(value)}.`;
    case "maxLength":
      return `must have at most ${count(demand, "character")}, but has ${lengthOf(value)}: ${literal(value)}.`;
    case "pattern":
      return `must match the pattern ${clip(String(demand), 100)}${but}`;
    case "format": {
      const example = FORMATS.get(String(demand))?.example;
      return `must match format ${demand}${example === undefined ? "" : ` (such as ${example})`}${but}`;
    }
    case "minItems":
      return `must have at least ${count(demand, "item")}, but has ${sizeOf(value)}.`;
    case "maxItems":
      return `must have at most ${count(demand, "item")}, but has ${sizeOf(value)}.`;
    case "items":
      // Only reported where no further items are allowed after those that are listed.
      return `must have at most ${count(params["limit"], "item")}, but has ${sizeOf(value)}.`;
    case "uniqueItems": {
      const item = Array.isArray(value) ? value[Number(params["i"])] : undefined;
      return `must not have equal items, but items ${params["j"]} and ${params["i"]} are both ${describeValue(item)}.`;
    }
    case "contains": {
      const { minContains = 1, maxContains } = around;
      const range = maxContains === undefined ? `at least ${minContains}` : `${minContains} to ${maxContains}`;
      const kind = typeWords(demand, root);
      return `must have ${range} of its items ${kind === "" ? "of a certain kind" : `that are ${kind}`}, but has ${params["count"]}.`;
    }
    case "minProperties":
      return `must have at least ${count(demand, "property")}, but has ${sizeOf(value)}.`;
    case "maxProperties":
      return `must have at most ${count(demand, "property")}, but has ${sizeOf(value)}.`;
    case "not":
      return ruledOut(demand, value);
    case "anyOf":
    case "oneOf":
      return ruleOfAlternatives(finding);
    case "false schema":
      return "is not allowed here.";
    default:
      return `does not fulfil "${clip(keyword)}" of the tool's schema.`;
  }
}

function ruledOut(demand: unknown, value: unknown): string {
  if (isRecord(demand)) {
    const values = "const" in demand ? [demand["const"]] : demand["enum"];
    if (Array.isArray(values)) return `must not be ${joinWords(values.slice(0, 12).map(literal))}.`;
    const { required, type } = demand;
    if (Array.isArray(required)) return `must not have ${joinWords(required.map(propertyName), "and")} together.`;
    if (Object.keys(demand).join() === "type") {
      return `must not be ${joinWords([type].flat().map(article))}, but is ${describeValue(value)}.`;
    }
  }
  return `has a value that the tool's schema rules out ("not"): ${describeValue(value)}.`;
}

/** In code points, as JSON Schema counts. */
function lengthOf(value: unknown): number {
  let length = 0;
  for (const _ of String(value)) length++;
  return length;
}

function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
