import { isRecord, type JsonRecord } from "../json-record.ts";

/** A subschema that a reference names, and where it stands. */
export interface Target {
  /** `#`, or `#/…` in one spelling, so that equal targets have equal pointers. */
  readonly pointer: string;
  readonly schema: unknown;
}

/** A reference as a schema states it. */
export interface Reference {
  readonly keyword: (typeof REFERENCE_KEYWORDS)[number];
  readonly text: string;
}

/** The references of one document. */
export interface References {
  /** What a reference in the schema at this pointer names. Undefined when that is not a part of this document. */
  resolve(reference: Reference, from: string): Target | undefined;
  /** How often each pointer is referred to. A definition with one reference can stand in its place. */
  readonly uses: ReadonlyMap<string, number>;
}

/** Keywords that refer to a schema: all drafts, 2020-12, 2019-09. */
const REFERENCE_KEYWORDS = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** Nodes that are searched for names and references; more than `MAX_NODES` since data counts too. */
const SEARCHED_NODES = 100_000;
/** Longest pointer that is followed, in characters: 64 levels of long names. Keeps the sum of all pointers small. */
export const MAX_POINTER = 4000;

/** The references that stand in this schema itself. */
export function referencesOf(schema: JsonRecord): Reference[] {
  return REFERENCE_KEYWORDS.flatMap((keyword) => {
    const text = schema[keyword];
    return typeof text === "string" ? [{ keyword, text }] : [];
  });
}

/**
 * Finds what references name inside their own document: by JSON Pointer, by `$anchor` and `$dynamicAnchor`, by the anchors of
 * older drafts (`$id: "#name"`), and by the `$id` of the document and of schemas in it. References to other documents
 * (`file:`, `https:`, relative paths) name nothing: nothing is ever read from elsewhere. A `$dynamicRef` means the anchor of
 * the outermost schema; one that several others could answer names nothing.
 */
export function indexReferences(root: unknown): References {
  const index = buildIndex(root);
  const resolve = (reference: Reference, base: Base): Target | undefined => toTarget(find(index, reference, base));
  const uses = new Map<string, number>();
  for (const { reference, base } of index.references) {
    const target = resolve(reference, base);
    if (target) uses.set(target.pointer, (uses.get(target.pointer) ?? 0) + 1);
  }
  return { uses, resolve: (reference, from) => resolve(reference, baseAt(index, from)) };
}

/** The schema at a JSON Pointer as a URI fragment (`#/properties/result`), from the root whatever that is called. */
export function resolveReference(root: unknown, pointer: string): Target | undefined {
  if (pointer !== "" && pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  return toTarget(walk(rootNode(root, ROOT_URI), pointer.slice(1)));
}

function toTarget(node: Node | undefined): Target | undefined {
  if (node === undefined || !(isRecord(node.value) || typeof node.value === "boolean")) return undefined;
  const pointer = pointerOf(node);
  return pointer === undefined ? undefined : { pointer, schema: node.value };
}

/** A part of the document; its pointer is made when it is asked for. */
interface Node {
  readonly value: unknown;
  readonly parent: Node | undefined;
  /** The key in the parent. */
  readonly step: string;
  /** Whether its keys are names of schemas, not keywords. */
  readonly isMap: boolean;
  /** The schema with an `$id` in which this stands. */
  readonly base: Base;
  pointer?: string;
}

/** A schema with an `$id` of its own. */
interface Base {
  readonly uri: string;
  /** Undefined for the root. */
  readonly node: Node | undefined;
}

interface Index {
  readonly root: Node;
  readonly bases: ReadonlyMap<string, Node>;
  /** The bases but the root by pointer. */
  readonly embedded: ReadonlyMap<string, Base>;
  /** By URI with fragment. */
  readonly anchors: ReadonlyMap<string, Node>;
  /** By name: the places of `$dynamicAnchor`. */
  readonly dynamic: ReadonlyMap<string, readonly Node[]>;
  readonly references: readonly { readonly reference: Reference; readonly base: Base }[];
}

/** The URI of a document that does not give itself one. Nothing is ever read from it. */
const ROOT_URI = "schema:/";

const rootNode = (value: unknown, uri: string): Node => ({
  value,
  parent: undefined,
  step: "#",
  isMap: false,
  base: { uri, node: undefined },
});

function buildIndex(value: unknown): Index {
  const id = isRecord(value) ? (value["$id"] ?? value["id"]) : undefined;
  const root = rootNode(value, (typeof id === "string" && uriOf(id, ROOT_URI)) || ROOT_URI);
  const bases = new Map([[root.base.uri, root]]);
  const embedded = new Map<string, Base>();
  const anchors = new Map<string, Node>();
  const dynamic = new Map<string, Node[]>();
  const references: { reference: Reference; base: Base }[] = [];
  const isDraft4 = isRecord(value) && /draft-0[34]/.test(String(value["$schema"]));
  const waiting = [root];
  for (let seen = 0; seen < waiting.length && seen < SEARCHED_NODES; seen++) {
    let node = waiting[seen];
    if (node === undefined) break;
    const { value: schema, isMap } = node;
    if (isRecord(schema) && !isMap) {
      const { $anchor, $dynamicAnchor, $id, id } = schema;
      const named = $id ?? (isDraft4 || isAnchor(id) ? id : undefined);
      if (isAnchor(named)) keepFirst(anchors, `${node.base.uri}${named}`, node);
      else if (typeof named === "string" && node !== root) {
        const uri = uriOf(named, node.base.uri);
        const pointer = pointerOf(node);
        if (uri !== undefined && uri !== node.base.uri && pointer !== undefined) {
          const base: Base = { uri, node };
          node = { ...node, base };
          keepFirst(bases, uri, node);
          embedded.set(pointer, base);
        }
      }
      for (const anchor of [$anchor, $dynamicAnchor]) {
        if (typeof anchor === "string") keepFirst(anchors, `${node.base.uri}#${anchor}`, node);
      }
      if (typeof $dynamicAnchor === "string") {
        const places = dynamic.get($dynamicAnchor);
        if (places) places.push(node);
        else dynamic.set($dynamicAnchor, [node]);
      }
      for (const reference of referencesOf(schema)) references.push({ reference, base: node.base });
    }
    waiting.push(...childrenOf(node));
  }
  return { root, bases, embedded, anchors, dynamic, references };
}

function keepFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** Keywords whose value is data, in which nothing refers to anything. */
const DATA = new Set(["enum", "const", "default", "examples", "example"]);
/** Keywords whose value has a schema for each name. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]);

function childrenOf(parent: Node): Node[] {
  const { value, base } = parent;
  if (typeof value !== "object" || value === null) return [];
  const isSchema = isRecord(value) && !parent.isMap;
  return Object.entries(value).flatMap(([step, child]) => {
    if (typeof child !== "object" || child === null || (isSchema && DATA.has(step))) return [];
    return [{ value: child, parent, step, isMap: isSchema && MAPS.has(step), base }];
  });
}

/** Whether an identifier only names its schema, as in drafts 4 to 7. */
function isAnchor(id: unknown): id is string {
  return typeof id === "string" && /^#[^/]/.test(id);
}

/** An absolute URI without its fragment; undefined when it is only a fragment, or none. */
function uriOf(reference: string, base: string): string | undefined {
  const [address = ""] = reference.split("#");
  try {
    return address === "" ? undefined : new URL(address, base).href;
  } catch {
    return undefined;
  }
}

/** The node that a reference names. A pointer that leads nowhere from an embedded schema is tried from the root. */
function find(index: Index, { keyword, text }: Reference, base: Base): Node | undefined {
  const from = base.node ?? index.root;
  if (keyword === "$recursiveRef") return isOpenToRecursion(from) && isOpenToRecursion(index.root) ? index.root : from;
  const hash = text.indexOf("#");
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const uri = hash === 0 || text === "" ? base.uri : uriOf(text, base.uri);
  const resource = uri === undefined ? undefined : (index.bases.get(uri) ?? (uri === base.uri ? from : undefined));
  if (uri === undefined || resource === undefined) return undefined;
  if (fragment === "") return resource;
  if (fragment.startsWith("/"))
    return walk(resource, fragment) ?? (hash === 0 ? walk(index.root, fragment) : undefined);
  const name = decode(fragment);
  const found = index.anchors.get(`${uri}#${name}`);
  const places = index.dynamic.get(name) ?? [];
  if (keyword === "$ref" || found === undefined || !places.includes(found)) return found;
  return places.find((place) => place.base.node === undefined) ?? (places.length === 1 ? found : undefined);
}

function isOpenToRecursion({ value }: Node): boolean {
  return isRecord(value) && value["$recursiveAnchor"] === true;
}

/** Follows the steps of a pointer (`/a/b`) from a node. */
function walk(from: Node, pointer: string): Node | undefined {
  let node = from;
  for (const step of pointer.split("/").slice(1).map(decodeStep)) {
    const { value, base } = node;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // Holds since the line above found the property.
    node = { value: (value as JsonRecord)[step], parent: node, step, isMap: false, base };
  }
  return node;
}

/** The innermost schema with an `$id` around a place. */
function baseAt({ root, embedded }: Index, pointer: string): Base {
  if (embedded.size === 0) return root.base;
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const base = embedded.get(pointer.slice(0, end));
    if (base) return base;
  }
  return root.base;
}

/** Undefined for pointers that are too long. */
function pointerOf(node: Node): string | undefined {
  if (node.pointer !== undefined) return node.pointer;
  const steps: string[] = [];
  let length = 0;
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
    const step = at.parent === undefined ? at.step : encodeStep(at.step);
    length += step.length + 1;
    if (length > MAX_POINTER) return undefined;
    steps.push(step);
  }
  node.pointer = steps.reverse().join("/");
  return node.pointer;
}

/** One step of a JSON Pointer (RFC 6901). */
export function encodeStep(step: string): string {
  return step.replace(/~/g, "~0").replace(/\//g, "~1");
}

function decodeStep(step: string): string {
  return decode(step).replace(/~1/g, "/").replace(/~0/g, "~");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A literal percent sign: not an encoding.
    return text;
  }
}
