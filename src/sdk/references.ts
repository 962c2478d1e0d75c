import { type CleanSchema, UNKNOWN } from "./clean-schema.ts";
import { isRecord, type JsonRecord } from "./json-record.ts";

/** A subschema that a `$ref` names, and where it stands. */
export interface Target {
  /** `#`, or `#/…` in one spelling, so that equal targets have equal pointers. */
  readonly pointer: string;
  readonly schema: unknown;
}

/** Nodes that are looked at when references are counted; more than `MAX_NODES` since data counts too. */
const COUNTED_NODES = 100_000;

/**
 * Finds what a `$ref` names inside its own document. References to other documents (`file:`, `https:`, relative paths),
 * to anchors and to nothing give undefined: nothing is ever read from elsewhere.
 */
export function resolveReference(root: unknown, reference: string): Target | undefined {
  if (reference === "#" || reference === "") return { pointer: "#", schema: root };
  if (!reference.startsWith("#/")) return undefined;
  const steps = reference.slice(2).split("/").map(decodeStep);
  let schema = root;
  for (const step of steps) {
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, step)) return undefined;
    // Holds since the line above found the property.
    schema = (schema as JsonRecord)[step];
  }
  if (!isRecord(schema) && typeof schema !== "boolean") return undefined;
  return { pointer: ["#", ...steps.map(encodeStep)].join("/"), schema };
}

/** One step of a JSON Pointer (RFC 6901). */
export function encodeStep(step: string): string {
  return step.replace(/~/g, "~0").replace(/\//g, "~1");
}

function decodeStep(step: string): string {
  let decoded = step;
  try {
    decoded = decodeURIComponent(step);
  } catch {
    // A literal percent sign: not an encoding.
  }
  return decoded.replace(/~1/g, "/").replace(/~0/g, "~");
}

/** How often each pointer is referred to. A definition with one reference can stand in its place. */
export function countReferences(root: unknown): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const waiting: unknown[] = [root];
  for (let seen = 0; waiting.length > 0 && seen < COUNTED_NODES; seen++) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const reference = isRecord(node) ? node["$ref"] : undefined;
    const target = typeof reference === "string" ? resolveReference(root, reference) : undefined;
    if (target) counts.set(target.pointer, (counts.get(target.pointer) ?? 0) + 1);
    for (const child of Object.values(node)) waiting.push(child);
  }
  return counts;
}

/** Names that generated text uses for something else. */
const RESERVED_NAMES = ["Input", "Output", "Record"];

/** A name for the definition at this pointer that no other has: the last step in PascalCase. */
export function definitionName(pointer: string, used: ReadonlySet<string>): string {
  const words = (pointer.split("/").at(-1) ?? "").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const wanted = joined.replace(/^\d+/, "") || "Definition";
  let name = wanted;
  for (let n = 2; used.has(name) || RESERVED_NAMES.includes(name); n++) name = `${wanted}${n}`;
  return name;
}

/** Definitions that stand for one another, one after the other, before the rest counts as a circle. */
const LONGEST_CHAIN = 64;

/**
 * TypeScript refuses a type that is only itself (`type A = A | string`), which breaks the whole file. Such references,
 * with no object or list in between, become `unknown`. Gives the names of the definitions that had one.
 */
export function breakAliasCycles(definitions: Map<string, CleanSchema>): string[] {
  const broken: string[] = [];
  const finished = new Set<string>();
  const visit = (name: string, open: ReadonlySet<string>): void => {
    const schema = definitions.get(name);
    if (schema === undefined || finished.has(name)) return;
    const within = new Set([...open, name]);
    const rewrite = (node: CleanSchema): CleanSchema => {
      const leadsBack = node.tsType !== undefined && within.has(node.tsType);
      if (leadsBack || (node.tsType !== undefined && definitions.has(node.tsType) && within.size > LONGEST_CHAIN)) {
        broken.push(name);
        return UNKNOWN;
      }
      if (node.tsType !== undefined) visit(node.tsType, within);
      return {
        ...node,
        ...(node.anyOf && { anyOf: node.anyOf.map(rewrite) }),
        ...(node.allOf && { allOf: node.allOf.map(rewrite) }),
      };
    };
    definitions.set(name, rewrite(schema));
    finished.add(name);
  };
  for (const name of definitions.keys()) visit(name, new Set());
  return broken;
}
