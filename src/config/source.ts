import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { NamiError } from "../errors.ts";

/** A path of keys and indexes inside a configuration. */
export type KeyPath = readonly (string | number)[];

/** A configuration as plain data, and how to say where a key of it stands. */
export interface Source {
  readonly value: unknown;
  /** "file:line: key.path" of the nearest key that exists, for the start of an error message. */
  place(path: KeyPath): string;
}

/**
 * Reads JSON with comments, trailing commas and a byte-order mark. An empty text is an empty object. Throws
 * `CONFIG_INVALID` with file and line on a syntax error.
 */
export function readSource(text: string, file: string): Source {
  const body = text.replace(/^\ufeff/, "");
  const errors: ParseError[] = [];
  const root = body.trim() === "" ? undefined : parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const problem = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    throw new NamiError("CONFIG_INVALID", `${file}:${lineAt(body, first.offset)}: not valid JSON: ${problem}.`);
  }
  const twice = root && keyThatComesTwice(root);
  if (twice) {
    const name = String(twice.value);
    throw new NamiError(
      "CONFIG_INVALID",
      `${file}:${lineAt(body, twice.offset)}: "${name}" is there twice. Rename or remove one.`,
    );
  }
  return {
    value: root ? plainValue(root) : {},
    place: (path) => {
      for (let length = path.length; length >= 0; length--) {
        const node = root && findNodeAtLocation(root, path.slice(0, length));
        if (!node) continue;
        const line = lineAt(body, node.parent?.type === "property" ? node.parent.offset : node.offset);
        return [`${file}:${line}`, ...(path.length > 0 ? [path.join(".")] : [])].join(": ");
      }
      return file;
    },
  };
}

/** A configuration that a program gave as an object: places are key paths alone. */
export function objectSource(value: unknown): Source {
  return { value, place: (path) => ["configuration", ...(path.length > 0 ? [path.join(".")] : [])].join(": ") };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The second of two equal keys in one object: JSON would let it win without a word. */
function keyThatComesTwice(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0] : undefined;
    if (key && seen.has(key.value)) return key;
    seen.add(key?.value);
    const inside = keyThatComesTwice(key ? (child.children?.[1] ?? child) : child);
    if (inside) return inside;
  }
  return undefined;
}

/** The value of a parsed node; every key becomes an own property, also `__proto__`. */
function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue);
  if (node.type !== "object") return node.value;
  const entries = (node.children ?? []).flatMap((property): [string, unknown][] => {
    const [key, value] = property.children ?? [];
    return key && value ? [[String(key.value), plainValue(value)]] : [];
  });
  return Object.fromEntries(entries);
}
