import { nearest } from "../../catalog/nearest.ts";
import { isPlainName, markName, unmarkName } from "../property-names.ts";
import { type CleanSchema, intersectionOf, isUnknown, unionOf } from "../types/clean-schema.ts";
import {
  below,
  type FoldPath,
  type Place,
  placeText,
  propertyPlace,
  quoteName,
  rootPlace,
  type Step,
} from "./fold-path.ts";
import { definitionOf, propertiesOf, type ShapeSide, type ToolShape } from "./fold-shape.ts";

/** A part of a tool's types. */
export interface Located {
  readonly kind: "found";
  readonly side: ShapeSide;
  readonly schema: CleanSchema;
  readonly place: Place;
  /** Where the list of what is there begins, from 1. */
  readonly from: number;
}

/** Nothing at this path, with what there is. */
export interface NotLocated {
  readonly kind: "missing";
  readonly message: string;
}

/** Follows a path. What is missing is answered with the nearest names, or with all names at the last right step. */
export function locate(shape: ToolShape, path: FoldPath): Located | NotLocated {
  const side = path.side === "args" ? shape.input : shape.output;
  if (side === undefined)
    return { kind: "missing", message: "The tool does not declare its result, so it has any type." };
  let schema = side.root;
  let place = rootPlace(path.side);
  for (const step of path.steps) {
    if (step.kind === "from") {
      const listed = listLength(schema, side);
      if (step.number > listed) {
        return { kind: "missing", message: `The list at ${shorten(placeText(place))} ends at ${listed}.` };
      }
      return { kind: "found", side, schema: definitionOf(schema, side)?.schema ?? schema, place, from: step.number };
    }
    const found = take(schema, step, side);
    if (found === undefined) return { kind: "missing", message: missing(schema, step, place, side) };
    place = placeBelow(place, step, schema, side);
    schema = found;
  }
  return { kind: "found", side, schema, place, from: 1 };
}

/** The part of a type at one step. Through unions and intersections that a step does not number, all members count. */
function take(schema: CleanSchema, step: Step, side: ShapeSide, open: readonly string[] = []): CleanSchema | undefined {
  const definition = definitionOf(schema, side);
  if (definition) {
    return open.includes(definition.name) ? undefined : take(definition.schema, step, side, [...open, definition.name]);
  }
  const members = schema.anyOf ?? schema.allOf;
  if (members !== undefined) {
    if (step.kind === "member") return members[step.number - 1];
    const found = members.flatMap((member) => take(member, step, side, open) ?? []);
    if (found.length === 0) return undefined;
    return schema.anyOf ? unionOf(found) : intersectionOf(found);
  }
  switch (step.kind) {
    case "property": {
      const key = markName(step.name);
      return schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    }
    case "member":
      return propertiesOf(schema)[step.number - 1]?.schema;
    case "values":
      return schema.additionalProperties || undefined;
    case "items":
    case "item":
      return takeItem(schema, step);
    case "from":
      return undefined;
    default:
      return step satisfies never;
  }
}

/** `[0]` of a list is any of its items; `[]` of a tuple is one of those beyond the listed. */
function takeItem(
  { type, items, additionalItems }: CleanSchema,
  step: Extract<Step, { kind: "items" | "item" }>,
): CleanSchema | undefined {
  if (type !== "array") return undefined;
  if (items === undefined || !isTuple(items)) return items;
  return (step.kind === "item" ? items[step.index] : undefined) ?? (additionalItems || undefined);
}

/** Whether items are listed one by one. */
export function isTuple(items: CleanSchema | readonly CleanSchema[]): items is readonly CleanSchema[] {
  return Array.isArray(items);
}

function placeBelow(place: Place, step: Step, schema: CleanSchema, side: ShapeSide): Place {
  switch (step.kind) {
    case "property": {
      const number = numberOf(step.name, schema, side);
      // Of several members of a union only the name is the same.
      return number === undefined
        ? below(place, isPlainName(step.name) ? `.${step.name}` : `[${quoteName(step.name)}]`)
        : propertyPlace(place, step.name, number);
    }
    case "items":
      return below(place, "[]");
    case "item":
      return below(place, `[${step.index}]`);
    case "values":
      return below(place, "[*]");
    case "member":
    case "from":
      return below(place, `|${step.number}`);
    default:
      return step satisfies never;
  }
}

function numberOf(name: string, schema: CleanSchema, side: ShapeSide): number | undefined {
  const { properties } = definitionOf(schema, side)?.schema ?? schema;
  if (properties === undefined) return undefined;
  const index = propertiesOf(definitionOf(schema, side)?.schema ?? schema).findIndex(
    ({ key }) => unmarkName(key) === name,
  );
  return index === -1 ? undefined : index + 1;
}

/** How many properties, values or members are listed at a type. */
function listLength(schema: CleanSchema, side: ShapeSide): number {
  const there = definitionOf(schema, side)?.schema ?? schema;
  const tuple = there.items !== undefined && isTuple(there.items) ? there.items.length : 1;
  return Math.max(
    1,
    there.enum?.length ??
      there.anyOf?.length ??
      there.allOf?.length ??
      (there.properties ? propertiesOf(there).length : tuple),
  );
}

function missing(schema: CleanSchema, step: Step, place: Place, side: ShapeSide): string {
  const wanted = placeText(placeBelow(place, step, schema, side));
  const near = step.kind === "property" ? nearest(step.name, namesAt(schema, side)) : [];
  const meant = near.map((name) => shorten(placeText(placeBelow(place, { kind: "property", name }, schema, side))));
  const hint = meant.length > 0 ? ` Did you mean ${meant.join(" or ")}?` : "";
  return `There is no ${shorten(wanted)}.${hint} ${contents(schema, place, side)}`;
}

/** Names that are listed when a path is wrong, and the longest of them, in characters. */
const LISTED_NAMES = 30;
const NAME_LENGTH = 60;

/** One sentence on what a path can lead to from here. */
function contents(schema: CleanSchema, place: Place, side: ShapeSide): string {
  const at = shorten(placeText(place));
  const names = namesAt(schema, side);
  if (names.length > 0) {
    const shown = names.slice(0, LISTED_NAMES).map(shortName);
    const rest = names.length - shown.length;
    return `At ${at} there is: ${shown.join(", ")}${rest > 0 ? `, … (${rest} more)` : ""}.`;
  }
  const there = definitionOf(schema, side)?.schema ?? schema;
  const members = there.anyOf ?? there.allOf;
  if (members) return `At ${at} there are ${members.length} types: ask for ${at}|1 to ${at}|${members.length}.`;
  if (there.type === "array") return `At ${at} there is a list: ask for ${at}[].`;
  if (there.additionalProperties) return `At ${at} any name may stand: ask for ${at}[*].`;
  if (isUnknown(there)) return `At ${at} any value may stand.`;
  return `At ${at} there is nothing below.`;
}

function namesAt(schema: CleanSchema, side: ShapeSide, open: readonly string[] = []): string[] {
  const definition = definitionOf(schema, side);
  if (definition) {
    return open.includes(definition.name) ? [] : namesAt(definition.schema, side, [...open, definition.name]);
  }
  const members = schema.anyOf ?? schema.allOf;
  if (members) return [...new Set(members.flatMap((member) => namesAt(member, side, open)))];
  return propertiesOf(schema).map(({ key }) => unmarkName(key));
}

function shortName(name: string): string {
  return shorten(isPlainName(name) ? name : quoteName(name));
}

function shorten(text: string): string {
  return text.length <= NAME_LENGTH * 2 ? text : `${text.slice(0, NAME_LENGTH).toWellFormed()}…`;
}
