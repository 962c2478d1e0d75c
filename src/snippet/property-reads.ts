import type { Expression, Node, Program } from "oxc-parser";
import { unwrap, walk } from "./ast.ts";
import { type Binding, bindingsOf, isNothing, patternKeys } from "./bindings.ts";
import { derivation } from "./derivation.ts";

/** Where a snippet reads properties. */
export interface PropertyReads {
  /**
   * Whether the property whose name begins at this offset is read from the SDK or from a tool's result, and nothing in the
   * snippet reckons with its absence or gives it a value.
   */
  isPlain(start: number): boolean;
}

interface Read {
  readonly name: string;
  /** What it is read from; nothing when that is the author's own. */
  readonly from: Expression | undefined;
  /** Its absence is handled where it is read. */
  readonly expected: boolean;
}

/**
 * Looks at the snippet only when it is asked for the first time: most snippets have no property in doubt.
 *
 * @param isTool whether an expression is a member of a server.
 */
export function propertyReads(program: Program, isTool: (node: Expression) => boolean): PropertyReads {
  let reads: PropertyReads | undefined;
  return {
    isPlain(start) {
      reads ??= readProperties(program, isTool);
      return reads.isPlain(start);
    },
  };
}

function readProperties(program: Program, isTool: (node: Expression) => boolean): PropertyReads {
  const parents = new Map<Node, Node>();
  const bindings: Binding[] = [];
  const reads = new Map<number, Read>();
  const assigned = new Set<string>();
  const shapeTested = new Set<string>();
  walk(program, (node, parent) => {
    if (parent) parents.set(node, parent);
    bindings.push(...bindingsOf(node, parent));
    for (const tested of shapeTests(node)) shapeTested.add(tested);
    if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
      if (node.left.property.type === "Identifier") assigned.add(node.left.property.name);
    }
    return undefined;
  });
  walk(program, (node) => {
    if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
    const { name, start } = node.property;
    reads.set(start, { name, from: node.object, expected: isExpected(node, parents) });
    return undefined;
  });
  for (const { pattern, value } of bindings) {
    for (const { name, start, hasDefault } of patternKeys(pattern)) {
      reads.set(start, { name, from: value, expected: hasDefault });
    }
  }
  const derives = derivation(bindings, isTool);
  const keyOf = ({ from, name }: Read): string => `${from ? rootName(from) : ""}.${name}`;
  const expected = new Set([...reads.values()].filter((read) => read.expected).map(keyOf));
  return {
    isPlain(start) {
      const read = reads.get(start);
      if (!read?.from || assigned.has(read.name) || !derives(read.from)) return false;
      return !expected.has(keyOf(read)) && !shapeTested.has(rootName(read.from) ?? "");
    },
  };
}

/** Whether the value that a node reads may be missing where it is read: a default, a test or `?.` follows. */
function isExpected(read: Extract<Node, { type: "MemberExpression" }>, parents: ReadonlyMap<Node, Node>): boolean {
  if (read.optional) return true;
  let node: Node = read;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    switch (parent.type) {
      case "ParenthesizedExpression":
      case "ChainExpression":
      case "TSAsExpression":
      case "TSNonNullExpression":
        node = parent;
        continue;
      case "MemberExpression":
        return parent.object === node && parent.optional;
      case "CallExpression":
        return parent.callee === node ? parent.optional : isArrayTest(parent);
      case "LogicalExpression":
      case "ConditionalExpression":
        return true;
      case "IfStatement":
      case "WhileStatement":
        return parent.test === node;
      case "UnaryExpression":
        return /^(?:!|typeof|delete|void)$/.test(parent.operator);
      case "BinaryExpression":
        return /^[!=]==?$/.test(parent.operator) && (isNothing(parent.left) || isNothing(parent.right));
      default:
        return false;
    }
  }
  return false;
}

const isArrayTest = ({ callee }: Extract<Node, { type: "CallExpression" }>): boolean =>
  callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "isArray";

/** Variables whose own shape a node asks for: with `Array.isArray`, `typeof`, `in` or `instanceof`. */
function shapeTests(node: Node): string[] {
  const tested: Node[] = [];
  if (node.type === "CallExpression" && isArrayTest(node)) tested.push(...node.arguments);
  if (node.type === "UnaryExpression" && node.operator === "typeof") tested.push(node.argument);
  if (node.type === "BinaryExpression" && node.operator === "in") tested.push(node.right);
  if (node.type === "BinaryExpression" && node.operator === "instanceof") tested.push(node.left);
  return tested.flatMap((each) => (each.type === "Identifier" ? [each.name] : []));
}

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
