import type { BindingPattern, Expression, MemberExpression, Node, Program } from "oxc-parser";
import type { Catalog } from "../catalog/catalog.ts";
import { unwrap, walk } from "./ast.ts";

/** A member of a server, by the names that snippets use. */
export interface ToolName {
  readonly namespace: string;
  readonly member: string;
}

/** What the variables of a snippet stand for. Scopes are ignored: one meaning for each name. */
export interface SdkNames {
  /** Namespace by variable. */
  readonly servers: ReadonlyMap<string, string>;
  readonly tools: ReadonlyMap<string, ToolName>;
}

/** Finds the variables that hold a server or a tool; takes out the names that the snippet gives to something else. */
export function sdkNames(program: Program, catalog: Catalog, aliases: ReadonlyMap<string, string>): SdkNames {
  const servers = new Map(catalog.servers.map(({ namespace }) => [namespace, namespace]));
  const tools = new Map<string, ToolName>();
  const names = { servers, tools };
  for (const [local, target] of aliases) {
    const tool = catalog.tools.find(({ namespace, member }) => target === `${namespace}.${member}`);
    if (servers.has(target)) servers.set(local, target);
    else if (tool) tools.set(local, { namespace: tool.namespace, member: tool.member });
  }
  walk(program, (node) => {
    if (node.type === "VariableDeclarator") bind(node.id, node.init ? unwrap(node.init) : undefined, servers, tools);
    else if ("params" in node && Array.isArray(node.params)) {
      for (const parameter of node.params) if (isIdentifier(parameter)) servers.delete(parameter.name);
    }
    return undefined;
  });
  return names;
}

/** The server that an expression stands for: `github`, `nami.github`. */
export function serverOf(expression: Expression, { servers }: Pick<SdkNames, "servers">): string | undefined {
  if (expression.type === "Identifier") return servers.get(expression.name);
  if (expression.type !== "MemberExpression" || !isSdk(expression.object)) return undefined;
  const name = propertyName(expression);
  return name !== undefined && servers.get(name) === name ? name : undefined;
}

/** The name of a property that is written out: `a.name`, `a["name"]`. */
export function propertyName(node: MemberExpression): string | undefined {
  if (!node.computed) return node.property.type === "Identifier" ? node.property.name : undefined;
  return node.property.type === "Literal" && typeof node.property.value === "string" ? node.property.value : undefined;
}

function bind(
  pattern: BindingPattern,
  value: Expression | undefined,
  servers: Map<string, string>,
  tools: Map<string, ToolName>,
): void {
  const namespace = value && serverOf(value, { servers });
  if (pattern.type === "Identifier") {
    servers.delete(pattern.name);
    if (namespace !== undefined) servers.set(pattern.name, namespace);
    const member = value?.type === "MemberExpression" ? propertyName(value) : undefined;
    const owner = value?.type === "MemberExpression" ? serverOf(unwrap(value.object), { servers }) : undefined;
    if (owner !== undefined && member !== undefined) tools.set(pattern.name, { namespace: owner, member });
    return;
  }
  if (pattern.type !== "ObjectPattern") return;
  for (const property of pattern.properties) {
    if (property.type !== "Property" || property.value.type !== "Identifier") continue;
    const key = keyName(property.key);
    if (key === undefined) continue;
    if (namespace !== undefined) tools.set(property.value.name, { namespace, member: key });
    else if (value && isSdk(value) && servers.get(key) === key) servers.set(property.value.name, key);
    else servers.delete(property.value.name);
  }
}

function keyName(key: Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

const isSdk = (expression: Node): boolean => expression.type === "Identifier" && expression.name === "nami";

const isIdentifier = (node: Node): node is Extract<Node, { type: "Identifier" }> => node.type === "Identifier";
