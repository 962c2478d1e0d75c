import type { MemberExpression, Node } from "oxc-parser";
import { isNothing } from "./bindings.ts";

/**
 * How a snippet reckons with the absence of a value: not at all; with a default or a test at once (`yes`); with `?.` behind
 * its object, which may also be about the object; where the variable that holds it is tested, or as the answer of a test
 * (`later`).
 */
export type Expectation = "no" | "optional" | "later" | "yes";

/** How the absence of a property is handled where it is read or by what it is read for. The variables that are tested somewhere are given. */
export function expectationOf(
  read: MemberExpression,
  parents: ReadonlyMap<Node, Node>,
  tested: ReadonlySet<string>,
): Expectation {
  if (isExpected(read, parents)) return "yes";
  const holder = holderOf(read, parents);
  if ((holder !== undefined && tested.has(holder)) || isPredicate(read, parents)) return "later";
  return read.optional ? "optional" : "no";
}

/** The variable that a value is put in as it is. */
function holderOf(read: MemberExpression, parents: ReadonlyMap<Node, Node>): string | undefined {
  let node: Node = read;
  let parent = parents.get(node);
  while (parent && TRANSPARENT.has(parent.type)) {
    node = parent;
    parent = parents.get(node);
  }
  if (parent?.type === "VariableDeclarator") return parent.id.type === "Identifier" ? parent.id.name : undefined;
  if (parent?.type !== "AssignmentExpression" || parent.right !== node) return undefined;
  return parent.left.type === "Identifier" ? parent.left.name : undefined;
}

/** Whether a value is the answer of a function that picks items: `list.filter((item) => item.draft)`. */
function isPredicate(read: MemberExpression, parents: ReadonlyMap<Node, Node>): boolean {
  const picks = parents.get(read);
  if (picks?.type !== "ArrowFunctionExpression" || picks.body !== read) return false;
  const call = parents.get(picks);
  if (call?.type !== "CallExpression" || call.callee.type !== "MemberExpression") return false;
  return call.callee.property.type === "Identifier" && PICKING.test(call.callee.property.name);
}

const PICKING = /^(?:filter|some|every|find(?:Last)?(?:Index)?)$/;

/** Nodes that leave a value what it is. */
const TRANSPARENT = new Set(["ParenthesizedExpression", "ChainExpression", "TSAsExpression", "TSNonNullExpression"]);

/** Whether the value that a node reads may be missing where it is read: a default, a test or `?.` follows. */
export function isExpected(read: Node, parents: ReadonlyMap<Node, Node>): boolean {
  let node: Node = read;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (TRANSPARENT.has(parent.type)) {
      node = parent;
      continue;
    }
    switch (parent.type) {
      case "MemberExpression":
        return parent.object === node && parent.optional;
      case "CallExpression":
        return parent.callee === node ? parent.optional : isArrayTest(parent) || isBoolean(parent);
      case "LogicalExpression":
      case "ConditionalExpression":
        return true;
      case "IfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
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

const isBoolean = ({ callee }: Extract<Node, { type: "CallExpression" }>): boolean =>
  callee.type === "Identifier" && callee.name === "Boolean";

/** Variables whose own shape a node asks for: with `Array.isArray`, `typeof`, `in` or `instanceof`. */
export function shapeTests(node: Node): string[] {
  const tested: Node[] = [];
  if (node.type === "CallExpression" && isArrayTest(node)) tested.push(...node.arguments);
  if (node.type === "CallExpression") tested.push(...ownTest(node));
  if (node.type === "UnaryExpression" && node.operator === "typeof") tested.push(node.argument);
  if (node.type === "BinaryExpression" && node.operator === "in") tested.push(node.right);
  if (node.type === "BinaryExpression" && node.operator === "instanceof") tested.push(node.left);
  return tested.flatMap((each) => (each.type === "Identifier" ? [each.name] : []));
}

/** The object whose own properties a call asks for: `Object.hasOwn(object, …)`, `object.hasOwnProperty(…)`. */
function ownTest({ callee, arguments: args }: Extract<Node, { type: "CallExpression" }>): Node[] {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  if (callee.property.name === "hasOwnProperty") return [callee.object];
  return callee.property.name === "hasOwn" ? args.slice(0, 1) : [];
}
