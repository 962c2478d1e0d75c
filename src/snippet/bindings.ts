import type { Expression, Node } from "oxc-parser";
import { asFunction, unwrap } from "./ast.ts";

/** A pattern and where its values come from; nothing when the author alone knows: a parameter, a type of his own. */
export interface Binding {
  readonly pattern: Node;
  readonly value: Expression | undefined;
}

/** The names that a node gives values to. A callback's parameters get the values of the object whose method is called. */
export function bindingsOf(node: Node, parent: Node | undefined): Binding[] {
  switch (node.type) {
    case "VariableDeclarator":
      return node.init ? [typed(node.id, node.init)] : [];
    case "ForOfStatement": {
      const [declarator] = node.left.type === "VariableDeclaration" ? node.left.declarations : [];
      return declarator ? [typed(declarator.id, node.right)] : [];
    }
    case "AssignmentExpression":
      return node.operator === "=" && node.left.type !== "MemberExpression"
        ? [{ pattern: node.left, value: node.right }]
        : [];
    case "CallExpression":
      return callbackBindings(node);
    case "CatchClause":
      return node.param ? [{ pattern: node.param, value: undefined }] : [];
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      // A callback's are found with its call.
      if (parent?.type === "CallExpression") return [];
      return node.params.map((pattern) => ({ pattern, value: undefined }));
    default:
      return [];
  }
}

/** The variables in a pattern. */
export function boundNames(pattern: Node): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "RestElement":
      return boundNames(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? boundNames(element) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => boundNames(each.type === "Property" ? each.value : each));
    default:
      return [];
  }
}

/** A property that a pattern takes. */
export interface PatternKey {
  readonly name: string;
  /** Offset of the name. */
  readonly start: number;
  /** The variable that gets it, unless it is taken apart itself. */
  readonly variable: string | undefined;
  readonly hasDefault: boolean;
}

/** The properties that a pattern takes by names that are written without quotes. */
export function patternKeys(pattern: Node): PatternKey[] {
  switch (pattern.type) {
    case "AssignmentPattern":
      return patternKeys(pattern.left);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? patternKeys(element) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => {
        if (each.type !== "Property" || each.computed || each.key.type !== "Identifier") return [];
        const { key, value } = each;
        const variable = value.type === "Identifier" ? value.name : undefined;
        const own = { name: key.name, start: key.start, variable, hasDefault: value.type === "AssignmentPattern" };
        return [own, ...patternKeys(value)];
      });
    default:
      return [];
  }
}

/** `null` and `undefined`: a variable that begins with one is still what it gets later. */
export function isNothing(node: Node): boolean {
  return node.type === "Literal" ? node.raw === "null" : node.type === "Identifier" && node.name === "undefined";
}

function typed(pattern: Node, value: Expression): Binding {
  return { pattern, value: "typeAnnotation" in pattern && pattern.typeAnnotation ? undefined : value };
}

function callbackBindings({ callee, arguments: args }: Extract<Node, { type: "CallExpression" }>): Binding[] {
  const method = unwrap(callee);
  const object = method.type === "MemberExpression" ? method.object : undefined;
  const isReduce = method.type === "MemberExpression" && /^reduce/.test(nameOf(method.property));
  return args.flatMap((argument) => {
    const callback = argument.type === "SpreadElement" ? undefined : asFunction(argument);
    return (callback?.params ?? []).map((pattern, index): Binding => {
      // The first parameter of a reducer is the sum so far, not an item.
      if (object === undefined || (isReduce && index === 0)) return { pattern, value: undefined };
      return typed(pattern, object);
    });
  });
}

const nameOf = (node: Node): string => (node.type === "Identifier" ? node.name : "");
