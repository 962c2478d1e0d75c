import { isRecord, type JsonRecord } from "../json-record.ts";
import { encodeStep, resolveReference } from "../types/references.ts";
import type { Dialect } from "./dialect.ts";

/** Where a part of a schema stands. */
export interface SchemaPlace {
  /** JSON Pointer as a URI fragment, such as `#/properties/a`. */
  readonly pointer: string;
  /** The address against which references in it are resolved. Nothing is ever fetched from there. */
  readonly base: string;
}

/** Everything in a schema that can be referred to. */
export interface SchemaIndex {
  /** By identity. */
  readonly places: ReadonlyMap<unknown, SchemaPlace>;
  /** What an address names: a part with an `$id` (address without fragment), or an anchor (with fragment). */
  readonly named: ReadonlyMap<string, unknown>;
  /** How often each `$dynamicAnchor` is declared; `$recursiveAnchor` under the empty name. */
  readonly dynamic: ReadonlyMap<string, number>;
}

/** The address of a schema that declares none. */
const HOME = "schema:/";

/** Finds all parts of a schema, their names and addresses. Needs a schema that is not endlessly deep. */
export function indexSchema(root: unknown, dialect: Dialect): SchemaIndex {
  const places = new Map<unknown, SchemaPlace>();
  const named = new Map<string, unknown>([[HOME, root]]);
  const dynamic = new Map<string, number>();
  const waiting: [unknown, SchemaPlace][] = [[root, { pointer: "#", base: HOME }]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, place] = next;
    if (typeof node !== "object" || node === null) continue;
    const base = isRecord(node) ? nameNode(node, place.base, dialect, named) : place.base;
    places.set(node, { ...place, base });
    const anchor = isRecord(node) ? dynamicAnchor(node) : undefined;
    if (anchor !== undefined) dynamic.set(anchor, (dynamic.get(anchor) ?? 0) + 1);
    for (const [step, child] of Object.entries(node)) {
      waiting.push([child, { pointer: `${place.pointer}/${encodeStep(step)}`, base }]);
    }
  }
  return { places, named, dynamic };
}

function dynamicAnchor(node: JsonRecord): string | undefined {
  if (node["$recursiveAnchor"] === true) return "";
  const anchor = node["$dynamicAnchor"];
  return typeof anchor === "string" ? anchor : undefined;
}

/** Remembers the names of a node; gives the base of what is in it. */
function nameNode(node: JsonRecord, outerBase: string, dialect: Dialect, named: Map<string, unknown>): string {
  const remember = (address: string): void => {
    // The first one counts: which of two equal names is meant nobody can say.
    if (!named.has(address)) named.set(address, node);
  };
  const id = node[dialect <= 4 ? "id" : "$id"];
  let base = outerBase;
  const isAnchor = typeof id === "string" && id.startsWith("#") && id.length > 1;
  if (typeof id === "string" && !isAnchor) {
    base = URL.parse(id, outerBase)?.href.replace(/#.*$/s, "") ?? outerBase;
    remember(base);
  }
  if (isAnchor) remember(`${base}${id}`);
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    if (typeof node[keyword] === "string") remember(`${base}#${node[keyword]}`);
  }
  return base;
}

/** Whether a dynamic reference can mean only one part: then it is one like any other. */
export function isStatic(reference: string, { dynamic }: SchemaIndex): boolean {
  return (dynamic.get(reference.slice(reference.indexOf("#") + 1)) ?? 0) <= 1;
}

/** The part that a reference means, undefined when it leads out of the schema or nowhere. */
export function followReference(reference: string, base: string, index: SchemaIndex): unknown {
  const split = reference.indexOf("#");
  const address = split < 0 ? reference : reference.slice(0, split);
  const fragment = split < 0 ? "" : reference.slice(split);
  const home = address === "" ? base : URL.parse(address, base)?.href;
  if (home === undefined) return undefined;
  if (fragment.length > 1 && !fragment.startsWith("#/")) return index.named.get(home + fragment);
  if (!index.named.has(home)) return undefined;
  return resolveReference(index.named.get(home), fragment)?.schema;
}
