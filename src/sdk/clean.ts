import type { JsonSchema } from "../catalog/tool.ts";
import { type BareObject, cleanArray, cleanObject } from "./clean-containers.ts";
import { type CleanSchema, intersectionOf, isUnknown, NEVER, orNull, UNKNOWN, unionOf } from "./clean-schema.ts";
import { literalType, type TypeName, typesOf } from "./clean-values.ts";
import { describeSchema } from "./describe.ts";
import { isNestedDeeper, isRecord, type JsonRecord, MAX_JSON_DEPTH } from "./json-record.ts";
import {
  breakAliasCycles,
  countReferences,
  definitionName,
  encodeStep,
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

/** The name of the root where it needs one. */
export const ROOT_NAMES = { input: "Input", output: "Output" } as const satisfies Record<Side, string>;

/**
 * Rewrites a server's schema, of any draft and with any nonsense in it, as the part of JSON Schema that
 * json-schema-to-typescript types exactly. The result is built from keywords that are known here, so nothing else gets
 * through: no `tsType` of a server, no reference to a file. What cannot be typed becomes `unknown` and a problem. `entry`
 * points to the subschema that counts as the root. Never throws.
 */
export function cleanSchema(schema: JsonSchema, side: Side, entry = "#"): CleanedSchema {
  if (isNestedDeeper(schema, MAX_JSON_DEPTH)) {
    const problem = `its JSON is nested deeper than ${MAX_JSON_DEPTH} levels`;
    return { root: UNKNOWN, definitions: new Map(), problems: [{ pointer: "#", problem }] };
  }
  const rootName = ROOT_NAMES[side];
  const start = resolveReference(schema, entry) ?? { pointer: "#", schema };
  const work: Work = {
    document: schema,
    uses: countReferences(schema),
    names: new Map([[start.pointer, rootName]]),
    waiting: [],
    problems: [],
    nodes: 0,
    isRootReferred: false,
  };
  const bare: BareObject = side === "input" ? "arguments" : "value";
  const definitions = new Map<string, CleanSchema>([
    [rootName, clean(start.schema, { ...TOP, pointer: start.pointer, bare }, work)],
  ]);
  for (let next = work.waiting.shift(); next !== undefined; next = work.waiting.shift()) {
    const name = work.names.get(next.pointer);
    if (name !== undefined) definitions.set(name, clean(next.schema, { ...TOP, pointer: next.pointer }, work));
  }
  for (const name of breakAliasCycles(definitions)) {
    report(work, [...work.names].find((named) => named[1] === name)?.[0] ?? "#", "it is defined by itself alone");
  }
  const root = definitions.get(rootName) ?? UNKNOWN;
  if (!work.isRootReferred) definitions.delete(rootName);
  return { root, definitions, problems: work.problems };
}

interface Work {
  readonly document: unknown;
  readonly uses: ReadonlyMap<string, number>;
  /** Names of definitions by pointer. */
  readonly names: Map<string, string>;
  /** Definitions that have a name and still must be cleaned. */
  readonly waiting: Target[];
  readonly problems: SchemaProblem[];
  nodes: number;
  /** Whether something refers back to the root. */
  isRootReferred: boolean;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly bare: BareObject;
  /** Places of the references in whose place this stands. */
  readonly via: readonly string[];
}

const TOP = { depth: 0, bare: "value", via: [] } as const satisfies Partial<Place>;

function clean(schema: unknown, place: Place, work: Work): CleanSchema {
  if (schema === false) return { ...NEVER };
  if (!isRecord(schema)) return { ...UNKNOWN };
  work.nodes += 1 + (Array.isArray(schema["enum"]) ? schema["enum"].length : 0);
  if (work.nodes > MAX_NODES) return giveUp(work, place, `the schema has more than ${MAX_NODES} parts`);
  if (place.depth > MAX_DEPTH) return giveUp(work, place, `it is nested deeper than ${MAX_DEPTH} levels`);
  const type =
    schema["nullable"] === true ? orNull(typeOfSchema(schema, place, work)) : typeOfSchema(schema, place, work);
  const description = describeSchema(schema);
  return { ...type, ...(description !== "" && { description }) };
}

/** All that a schema demands at once: its own type, what it refers to, and its branches. */
function typeOfSchema(schema: JsonRecord, place: Place, work: Work): CleanSchema {
  const types = typesOf(schema);
  const parts = [...references(schema, place, work), ...branches(schema, place, work)];
  const own = ownType(schema, types, parts.length > 0 ? { ...place, bare: "part" } : place, work);
  const all = intersectionOf([own, ...parts]);
  // The parts said nothing: then a bare type is all there is.
  return isUnknown(all) && parts.length > 0 ? ownType(schema, types, place, work) : all;
}

function ownType(schema: JsonRecord, types: readonly TypeName[], place: Place, work: Work): CleanSchema {
  const child = (subschema: unknown, ...steps: string[]): CleanSchema =>
    clean(subschema, { ...TOP, pointer: below(place, ...steps), depth: place.depth + 1, via: place.via }, work);
  const literal = literalType(schema, types);
  if (literal) return literal;
  if (types.length === 0) return UNKNOWN;
  return unionOf(
    types.map((type): CleanSchema => {
      if (type === "object") return cleanObject(schema, place.bare, child);
      if (type === "array") return cleanArray(schema, child);
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
      return clean(branch, { pointer, depth: place.depth + 1, bare, via: place.via }, work);
    });
    parts.push(keyword === "allOf" ? intersectionOf(members) : unionOf(members));
  }
  return parts;
}

/**
 * What `$ref` stands for: the type in its place when nothing else refers to it, else its name. References that lead
 * elsewhere are given up.
 */
function references(schema: JsonRecord, place: Place, work: Work): CleanSchema[] {
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (typeof schema[keyword] === "string") return [giveUp(work, place, `${keyword} is not supported`)];
  }
  const reference = schema["$ref"];
  if (typeof reference !== "string") return [];
  const target = resolveReference(work.document, reference);
  if (target === undefined) {
    return [giveUp(work, place, `"${reference.slice(0, 100)}" does not lead to a part of this schema`)];
  }
  const known = work.names.get(target.pointer);
  if (known !== undefined) {
    work.isRootReferred ||= known === "Input" || known === "Output";
    return [{ tsType: known }];
  }
  const via = [...place.via, place.pointer];
  const isRecursive = via.some((pointer) => `${pointer}/`.startsWith(`${target.pointer}/`));
  if (!isRecursive && (work.uses.get(target.pointer) === 1 || isSmall(target.schema))) {
    return [clean(target.schema, { ...place, pointer: target.pointer, depth: place.depth + 1, via }, work)];
  }
  const name = definitionName(target.pointer, new Set(work.names.values()));
  work.names.set(target.pointer, name);
  work.waiting.push(target);
  return [{ tsType: name }];
}

/** Whether a definition is no longer than its name, so that a name would only hide what it is. */
function isSmall(schema: unknown): boolean {
  if (!isRecord(schema) || ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema)) return false;
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

/** Remembers a problem; of a kind that repeats (too large, too deep) only where it happened first. */
function report(work: Work, pointer: string, problem: string): void {
  if (!work.problems.some((known) => known.problem === problem)) work.problems.push({ pointer, problem });
}
