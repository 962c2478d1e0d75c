import type { Expression } from "oxc-parser";
import { unwrap } from "./ast.ts";
import { type Binding, boundNames, isNothing } from "./bindings.ts";

/** Rounds in which names learn from one another: a value that is renamed more often counts as the author's own. */
const ROUNDS = 10;

/**
 * Whether an expression comes from the SDK. A name does when one of its values does and none of them is the author's own;
 * scopes are ignored.
 *
 * @param isTool whether an expression is a member of a server.
 */
export function derivation(
  bindings: readonly Binding[],
  isTool: (node: Expression) => boolean,
): (expression: Expression) => boolean {
  const names = new Set<string>(["nami"]);
  const derives = (expression: Expression): boolean => {
    // A loop along the chain, which may be thousands of links long.
    for (let next: Expression | undefined = expression; next; ) {
      const inner = unwrap(next);
      if (isTool(inner)) return true;
      if (inner.type === "Identifier") return names.has(inner.name);
      if (inner.type === "ConditionalExpression") return derives(inner.consequent) && derives(inner.alternate);
      if (inner.type === "ArrayExpression") {
        return inner.elements.some((each) => each && derives(each.type === "SpreadElement" ? each.argument : each));
      }
      next = sourceOf(inner);
    }
    return false;
  };
  const values = bindings.flatMap(({ pattern, value }) =>
    value && isNothing(value) ? [] : boundNames(pattern).map((name) => ({ name, value })),
  );
  const settle = (change: (name: string, comesFromSdk: boolean) => void): void => {
    for (let round = 0, before = -1; round < ROUNDS && names.size !== before; round++) {
      before = names.size;
      for (const { name, value } of values) change(name, value !== undefined && derives(value));
    }
  };
  settle((name, comesFromSdk) => comesFromSdk && names.add(name));
  settle((name, comesFromSdk) => !comesFromSdk && names.delete(name));
  return derives;
}

/** The part of an expression that its value is taken from. */
function sourceOf(expression: Expression): Expression | undefined {
  switch (expression.type) {
    case "AwaitExpression":
      return expression.argument;
    case "ChainExpression":
    case "TSNonNullExpression":
      return expression.expression;
    case "MemberExpression":
      return expression.object;
    case "LogicalExpression":
      return expression.left;
    case "CallExpression": {
      if (!isCombinator(expression.callee)) return expression.callee;
      const [first] = expression.arguments;
      return first?.type === "SpreadElement" ? undefined : first;
    }
    default:
      return undefined;
  }
}

/** `Promise.all` and the like, and `Object.values`: what they give is made of what they take. */
function isCombinator(callee: Expression): boolean {
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false;
  return /^(?:Promise|Object|Array)$/.test(callee.object.name);
}
