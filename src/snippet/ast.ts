import type { ArrowFunctionExpression, Expression, Function as FunctionNode, Node, Statement } from "oxc-parser";

/** A function written as an expression. */
export type FunctionExpression = ArrowFunctionExpression | FunctionNode;

/** Whether to go into the children of a node. */
export type Visit = (node: Node, parent: Node | undefined) => "skip" | undefined;

/** Visits every node below a root, parents first and in source order. Has no depth limit: it keeps its own stack. */
export function walk(root: Node | readonly Node[], visit: Visit): void {
  const stack: { node: Node; parent: Node | undefined }[] = [];
  const pushAll = (nodes: readonly Node[], parent: Node | undefined): void => {
    for (const node of nodes.toReversed()) stack.push({ node, parent });
  };
  pushAll(isNodeList(root) ? root : [root], undefined);
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (visit(next.node, next.parent) !== "skip") pushAll(childrenOf(next.node), next.node);
  }
}

/** The expression without the parentheses around it. */
export function unwrap(expression: Expression): Expression {
  let inner = expression;
  while (inner.type === "ParenthesizedExpression") inner = inner.expression;
  return inner;
}

/** The function that an expression is, if it is one. */
export function asFunction(expression: Expression | null | undefined): FunctionExpression | undefined {
  const inner = expression && unwrap(expression);
  return inner?.type === "ArrowFunctionExpression" || inner?.type === "FunctionExpression" ? inner : undefined;
}

/** Whether these statements return from the function they are in. */
export function containsReturn(statements: readonly Statement[]): boolean {
  let found = false;
  walk(statements, (node) => {
    if (node.type === "ReturnStatement") found = true;
    return found || OWN_RETURN.test(node.type) ? "skip" : undefined;
  });
  return found;
}

/** Nodes whose `return` is not ours. */
const OWN_RETURN = /Function|Class|^TSModule/;

const isNodeList = (value: Node | readonly Node[]): value is readonly Node[] => Array.isArray(value);

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent") continue;
    for (const candidate of Array.isArray(value) ? value : [value]) if (isNode(candidate)) children.push(candidate);
  }
  return children;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value;
