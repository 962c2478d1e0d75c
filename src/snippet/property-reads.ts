import type { Expression, Node, Program } from "oxc-parser";
import { unwrap, walk } from "./ast.ts";
import { type Binding, bindingsOf, patternKeys } from "./bindings.ts";
import { derivation } from "./derivation.ts";
import { type Expectation, expectationOf, isExpected, shapeTests } from "./expectation.ts";

/** What is known of the object that a property is read from. */
export interface ReadObject {
  /** It is of a type that a server declares. */
  readonly isServers: boolean;
  /** It may be null or undefined by its type: then `?.` is about that. */
  readonly isNullable: boolean;
}

/** Where a snippet reads properties. Places are the offsets at which names begin. */
export interface PropertyReads {
  /**
   * Whether a property is read from the SDK or from a tool's result, and nothing in the snippet reckons with its absence or
   * gives it a value.
   *
   * @param isMisspelt whether the object has a property of a similar name: then a test of the variable that holds the value
   * only hides the mistake, say in a loop over pages that ends with the first.
   */
  isPlain(start: number, object: ReadObject, isMisspelt: boolean): boolean;
  /** Whether a property is read from the SDK or from a tool's result and is given no value. */
  isOfResult(start: number, object: ReadObject): boolean;
  /** Properties that patterns take without a default: `const { name } = value`. */
  keys(): readonly { readonly name: string; readonly start: number }[];
}

interface Read {
  readonly name: string;
  readonly start: number;
  /** What it is read from; nothing when that is the author's own. */
  readonly from: Expression | undefined;
  readonly expected: Expectation;
  readonly isKey: boolean;
}

/**
 * Looks at the snippet only when it is asked for the first time.
 *
 * @param isTool whether an expression is a member of a server.
 */
export function propertyReads(program: Program, isTool: (node: Expression) => boolean): PropertyReads {
  let reads: PropertyReads | undefined;
  const read = (): PropertyReads => {
    reads ??= readProperties(program, isTool);
    return reads;
  };
  return {
    isPlain: (start, object, isMisspelt) => read().isPlain(start, object, isMisspelt),
    isOfResult: (start, object) => read().isOfResult(start, object),
    keys: () => read().keys(),
  };
}

function readProperties(program: Program, isTool: (node: Expression) => boolean): PropertyReads {
  const parents = new Map<Node, Node>();
  const bindings: Binding[] = [];
  const reads = new Map<number, Read>();
  const assigned = new Set<string>();
  const tested = new Set<string>();
  const shapeTested = new Set<string>();
  walk(program, (node, parent) => {
    if (parent) parents.set(node, parent);
    bindings.push(...bindingsOf(node, parent));
    for (const name of shapeTests(node)) shapeTested.add(name);
    for (const name of assignedProperties(node)) assigned.add(name);
    return undefined;
  });
  walk(program, (node) => {
    if (node.type === "Identifier" && isExpected(node, parents)) tested.add(node.name);
    return undefined;
  });
  walk(program, (node) => {
    if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
    const { name, start } = node.property;
    reads.set(start, { name, start, from: node.object, expected: expectationOf(node, parents, tested), isKey: false });
    return undefined;
  });
  for (const { pattern, value } of bindings) {
    for (const { name, start, variable, hasDefault } of patternKeys(pattern)) {
      const expected = hasDefault ? "yes" : variable !== undefined && tested.has(variable) ? "later" : "no";
      reads.set(start, { name, start, from: value, expected, isKey: true });
    }
  }
  const derives = derivation(bindings, isTool);
  const keyOf = ({ from, name }: Read): string => `${from ? rootName(from) : ""}.${name}`;
  const expected = new Set([...reads.values()].map((read) => `${read.expected} ${keyOf(read)}`));
  const isOfResult = (read: Read | undefined, { isServers }: ReadObject): read is Read =>
    read !== undefined && !assigned.has(read.name) && (isServers || (read.from !== undefined && derives(read.from)));
  const isShapeTested = (expression: Expression | undefined): boolean =>
    shapeTested.has((expression && rootName(expression)) ?? "");
  return {
    isPlain(start, object, isMisspelt) {
      const read = reads.get(start);
      if (!isOfResult(read, object) || isShapeTested(read.from)) return false;
      const handlings = ["yes", ...(object.isNullable ? [] : ["optional"]), ...(isMisspelt ? [] : ["later"])];
      return !handlings.some((handling) => expected.has(`${handling} ${keyOf(read)}`));
    },
    isOfResult: (start, object) => isOfResult(reads.get(start), object),
    keys: () => [...reads.values()].filter(({ isKey, expected }) => isKey && expected !== "yes"),
  };
}

/** Properties that a node gives values to: `object.name = …`, `Object.assign(object, { name: … })`. */
function assignedProperties(node: Node): string[] {
  if (node.type === "AssignmentExpression") {
    const { left } = node;
    return left.type === "MemberExpression" && left.property.type === "Identifier" ? [left.property.name] : [];
  }
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return [];
  const { property } = node.callee;
  if (property.type !== "Identifier" || property.name !== "assign") return [];
  return node.arguments.flatMap((argument) => (argument.type === "ObjectExpression" ? literalKeys(argument) : []));
}

const literalKeys = ({ properties }: Extract<Node, { type: "ObjectExpression" }>): string[] =>
  properties.flatMap((each) => (each.type === "Property" && each.key.type === "Identifier" ? [each.key.name] : []));

/** Links of a chain that are followed to its variable; nobody writes longer ones. */
const CHAIN_LIMIT = 50;

/** The variable at the root of `(await a.b).c`. */
function rootName(expression: Expression): string | undefined {
  let inner = unwrap(expression);
  for (let links = 0; links < CHAIN_LIMIT; links++) {
    if (inner.type === "MemberExpression") inner = unwrap(inner.object);
    else if (inner.type === "ChainExpression") inner = unwrap(inner.expression);
    else if (inner.type === "AwaitExpression") inner = unwrap(inner.argument);
    else break;
  }
  return inner.type === "Identifier" ? inner.name : undefined;
}
