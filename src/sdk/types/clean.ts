import type { JsonSchema } from "../../catalog/tool.ts";
import { isNestedDeeper, isRecord, type JsonRecord, MAX_JSON_DEPTH } from "../json-record.ts";
import { closedIntersectionOf } from "./clean-closing.ts";
import { type BareObject, cleanArray, cleanObject } from "./clean-containers.ts";
import { breakAliasCycles } from "./clean-cycles.ts";
import { createDefinitionNames, type DefinitionNames } from "./clean-names.ts";
import { limitProducts, MAX_PRODUCT } from "./clean-products.ts";
import {
  type CleanSchema,
  FREE_MAP,
  intersectionOf,
  isUnknown,
  NEVER,
  orNull,
  UNKNOWN,
  unionOf,
} from "./clean-schema.ts";
import { literalType, type TypeName, typesOf } from "./clean-values.ts";
import { describeSchema } from "./describe.ts";
import {
  encodeStep,
  indexReferences,
  MAX_POINTER,
  type Reference,
  type References,
  referencesOf,
  resolveReference,
  type Target,
} from "./references.ts";

/** Whether a schema describes the arguments or the result of a tool. */
export type Side = "input" | "output";

/** A part of a schema that was given up, and where it stands. */
export interface SchemaProblem {
  /** JSON Pointer as a URI fragment, such as `#/properties/a`. */
  readonly pointer: string;
  /** The end of a sentence that begins with "is unknown: ". */
  readonly problem: string;
}

/** A schema in parts that no longer refer to JSON: a name in `tsType` is a key of `definitions`. */
export interface CleanedSchema {
  readonly root: CleanSchema;
  /** What must have a name: recursive parts, and those that are used more than once. `Input` or `Output` is the root. */
  readonly definitions: ReadonlyMap<string, CleanSchema>;
  readonly problems: readonly SchemaProblem[];
}

/** Levels of nesting that are typed. The deepest of 5,574 schemas seen has 14; 150 cost the type checker seconds. */
export const MAX_DEPTH = 64;
/** Subschemas and enum values that are typed of one schema. The largest of 5,574 seen has about 1,200. */
export const MAX_NODES = 10_000;
/**
 * Characters of JSON of a schema that is typed, and characters of names, values and comments that are made of it: parts that
 * are used often are repeated. The largest tool of 4,957 seen has 85,000.
 */
export const MAX_CHARACTERS = 1_000_000;

/** The name of the root where it needs one. */
export const ROOT_NAMES = { input: "Input", output: "Output" } as const satisfies Record<Side, string>;

/**
 * Rewrites a server's schema, of any draft and with any nonsense in it, as the part of JSON Schema that
 * json-schema-to-typescript types exactly. The result is built from keywords that are known here, so nothing else gets
 * through: no `tsType` of a server, no reference to a file. What cannot be typed becomes `unknown` and a problem. `entry`
 * points to the subschema that counts as the root. Never throws.
 */
export function cleanSchema(schema: JsonSchema, side: Side, entry = "#"): CleanedSchema {
  const tooLarge = sizeProblem(schema);
  if (tooLarge !== undefined) {
    return { root: UNKNOWN, definitions: new Map(), problems: [{ pointer: "#", problem: tooLarge }] };
  }
  const rootName = ROOT_NAMES[side];
  const start = resolveReference(schema, entry) ?? { pointer: "#", schema };
  const work: Work = {
    references: indexReferences(schema),
    names: createDefinitionNames(start.pointer, rootName),
    isOutput: side === "output",
    waiting: [],
    problems: new Map(),
    descriptions: new Map(),
    nodes: 0,
    characters: 0,
    isRootReferred: false,
  };
  const bare: BareObject = side === "input" ? "arguments" : "value";
  const definitions = new Map<string, CleanSchema>([
    [rootName, clean(start.schema, { ...TOP, pointer: start.pointer, bare }, work)],
  ]);
  for (const next of work.waiting) {
    const name = work.names.get(next.pointer);
    if (name !== undefined) definitions.set(name, clean(next.schema, { ...TOP, pointer: next.pointer }, work));
  }
  for (const name of breakAliasCycles(definitions)) {
    report(work, work.names.pointer(name) ?? "#", "it is defined by itself alone");
  }
  for (const name of limitProducts(definitions)) {
    report(work, work.names.pointer(name) ?? "#", `its branches have more than ${MAX_PRODUCT} combinations`);
  }
  const root = definitions.get(rootName) ?? UNKNOWN;
  if (!work.isRootReferred) definitions.delete(rootName);
  const problems = [...work.problems].map(([problem, pointer]) => ({ pointer, problem }));
  return { root, definitions, problems };
}

/** Why a schema as a whole is too large to be typed. */
function sizeProblem(schema: JsonSchema): string | undefined {
  if (isNestedDeeper(schema, MAX_JSON_DEPTH)) return `its JSON is nested deeper than ${MAX_JSON_DEPTH} levels`;
  if (JSON.stringify(schema).length > MAX_CHARACTERS) return `its JSON has more than ${MAX_CHARACTERS} characters`;
  return undefined;
}

interface Work {
  readonly references: References;
  readonly names: DefinitionNames;
  /** Objects and tuples that do not say whether they are open are so in results, which may hold more than is declared. */
  readonly isOutput: boolean;
  /** Definitions that have a name; those that still must be cleaned come last. */
  readonly waiting: Target[];
  /** By problem the place where it happened first: kinds that repeat (too large, too deep) are told once. */
  readonly problems: Map<string, string>;
  /** By schema: some stand in several places. */
  readonly descriptions: Map<JsonRecord, string>;
  nodes: number;
  characters: number;
  /** Whether something refers back to the root. */
  isRootReferred: boolean;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly bare: BareObject;
  /** Whether a schema of which this is a part allows no properties but those that are declared. */
  readonly isClosed: boolean;
  /** Places of the references in whose place this stands. */
  readonly via: readonly string[];
}

const TOP = { depth: 0, bare: "value", isClosed: false, via: [] } as const satisfies Partial<Place>;

function clean(schema: unknown, place: Place, work: Work): CleanSchema {
  if (schema === false) return { ...NEVER };
  if (!isRecord(schema)) return { ...UNKNOWN };
  const description = descriptionOf(schema, work);
  work.nodes += 1 + (Array.isArray(schema["enum"]) ? schema["enum"].length : 0);
  work.characters += description.length + ownCharacters(schema);
  if (work.nodes > MAX_NODES) return giveUp(work, place, `the schema has more than ${MAX_NODES} parts`);
  if (work.characters > MAX_CHARACTERS)
    return giveUp(work, place, `its types have more than ${MAX_CHARACTERS} characters`);
  if (place.depth > MAX_DEPTH) return giveUp(work, place, `it is nested deeper than ${MAX_DEPTH} levels`);
  if (place.pointer.length > MAX_POINTER)
    return giveUp(work, place, `its path is longer than ${MAX_POINTER} characters`);
  const type =
    schema["nullable"] === true ? orNull(typeOfSchema(schema, place, work)) : typeOfSchema(schema, place, work);
  return { ...type, ...(description !== "" && { description }) };
}

function descriptionOf(schema: JsonRecord, work: Work): string {
  const known = work.descriptions.get(schema);
  if (known !== undefined) return known;
  const description = describeSchema(schema);
  work.descriptions.set(schema, description);
  return description;
}

/** Characters of the names and values that a schema itself puts into its type. */
function ownCharacters(schema: JsonRecord): number {
  const { properties } = schema;
  const names = isRecord(properties) ? Object.keys(properties).reduce((sum, name) => sum + name.length, 0) : 0;
  const values = "const" in schema ? schema["const"] : schema["enum"];
  return names + (values === undefined ? 0 : (JSON.stringify(values) ?? "").length);
}

/** All that a schema demands at once: its own type, what it refers to, and its branches. */
function typeOfSchema(schema: JsonRecord, place: Place, work: Work): CleanSchema {
  const types = typesOf(schema);
  const isClosed =
    place.isClosed || schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false;
  const within = { ...place, isClosed };
  const parts = [...referredTypes(schema, within, work), ...branches(schema, within, work)];
  const own = ownType(schema, types, parts.length > 0 ? { ...place, bare: "part" } : place, work);
  const all = allOf([own, ...parts], work);
  if (!isUnknown(all) || parts.length === 0) return all;
  // The parts said nothing: then a bare type is all there is.
  const bare = ownType(schema, types, place, work);
  const isObject = place.bare === "value" && [schema["allOf"]].flat().some(isBareObject);
  return isUnknown(bare) && isObject ? FREE_MAP : bare;
}

/** Whether a branch says that there is an object, and nothing else. */
function isBareObject(branch: unknown): boolean {
  if (!isRecord(branch)) return false;
  const types = typesOf(branch);
  return types.length === 1 && types[0] === "object";
}

function allOf(members: readonly CleanSchema[], work: Work): CleanSchema {
  return work.isOutput ? closedIntersectionOf(members) : intersectionOf(members);
}

function ownType(schema: JsonRecord, types: readonly TypeName[], place: Place, work: Work): CleanSchema {
  const child = (subschema: unknown, ...steps: string[]): CleanSchema =>
    clean(subschema, { ...TOP, pointer: below(place, ...steps), depth: place.depth + 1, via: place.via }, work);
  const literal = literalType(schema, types);
  if (literal) return literal;
  if (types.length === 0) return UNKNOWN;
  return unionOf(
    types.map((type): CleanSchema => {
      if (type === "object") return cleanObject(schema, place.bare, work.isOutput && !place.isClosed, child);
      if (type === "array") return cleanArray(schema, work.isOutput, child);
      return { type };
    }),
  );
}

/** The branches of `allOf`, `anyOf` and `oneOf`. Exclusiveness, `not` and `if` have no counterpart in types. */
function branches(schema: JsonRecord, place: Place, work: Work): CleanSchema[] {
  const parts: CleanSchema[] = [];
  // Beside properties of its own, an object that says nothing must not open the whole.
  const hasProperties = isRecord(schema["properties"]) && Object.keys(schema["properties"]).length > 0;
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    const listed = schema[keyword];
    if (!Array.isArray(listed) || listed.length === 0) continue;
    const bare: BareObject = keyword === "allOf" || hasProperties ? "part" : "value";
    const members = listed.map((branch, index) => {
      const pointer = below(place, keyword, String(index));
      return clean(branch, { ...place, pointer, depth: place.depth + 1, bare }, work);
    });
    parts.push(keyword === "allOf" ? allOf(members, work) : unionOf(members));
  }
  return parts;
}

/**
 * What the references of a schema stand for: the type in its place when nothing else refers to it, else its name. References
 * that lead elsewhere are given up.
 */
function referredTypes(schema: JsonRecord, place: Place, work: Work): CleanSchema[] {
  return referencesOf(schema).map((reference) => referredType(reference, place, work));
}

function referredType(reference: Reference, place: Place, work: Work): CleanSchema {
  const target = work.references.resolve(reference, place.pointer);
  if (target === undefined) {
    return giveUp(work, place, `"${reference.text.slice(0, 100)}" does not lead to a part of this schema`);
  }
  const known = work.names.get(target.pointer);
  if (known !== undefined) {
    work.isRootReferred ||= known === "Input" || known === "Output";
    work.characters += known.length;
    return { tsType: known };
  }
  const via = [...place.via, place.pointer];
  const isRecursive = via.some((pointer) => `${pointer}/`.startsWith(`${target.pointer}/`));
  if (!isRecursive && (work.references.uses.get(target.pointer) === 1 || isSmall(target.schema))) {
    return clean(target.schema, { ...place, pointer: target.pointer, depth: place.depth + 1, via }, work);
  }
  const name = work.names.claim(target.pointer);
  work.waiting.push(target);
  return { tsType: name };
}

/** Whether a definition is no longer than its name, so that a name would only hide what it is. */
function isSmall(schema: unknown): boolean {
  if (!isRecord(schema) || ["allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema)) return false;
  if (referencesOf(schema).length > 0) return false;
  if (Array.isArray(schema["enum"])) return schema["enum"].length <= 6;
  return typesOf(schema).every((type) => type !== "object" && type !== "array");
}

function below(place: Place, ...steps: string[]): string {
  return [place.pointer, ...steps.map(encodeStep)].join("/");
}

function giveUp(work: Work, place: Place, problem: string): CleanSchema {
  report(work, place.pointer, problem);
  return { ...UNKNOWN };
}

/** Remembers a problem. */
function report(work: Work, pointer: string, problem: string): void {
  if (!work.problems.has(problem)) work.problems.set(problem, pointer);
}
