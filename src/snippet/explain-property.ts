import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ToolAccess } from "./calls.ts";
import type { Explaining, Explanation } from "./diagnose.ts";
import { clip } from "./frame.ts";
import { NAMI_MEMBERS } from "./guest-types.ts";
import { SIGNATURE_WIDTH } from "./limits.ts";
import type { ObjectType } from "./object-types.ts";
import { NOT_ITERABLE, type PlacedFinding } from "./severity.ts";
import { member, spell } from "./spelling.ts";
import { suggestTools } from "./suggest.ts";

/** Explains a tool that does not exist. Says how to write the nearest one, and shows its signature. */
export function explainUnknownTool(access: ToolAccess, explaining: Explaining): Explanation & { covers?: number } {
  const { source, catalog, signature } = explaining;
  const shown = (tool: Tool): string => clip(signature(tool), SIGNATURE_WIDTH);
  const subtraction = /^[\w$]+(?:-[\w$]+)+/.exec(source.slice(access.memberStart));
  const dashed = subtraction && catalog.at(access.namespace, subtraction[0]);
  if (dashed) {
    const message = `\`${access.namespace}.${dashed.member}\` is a subtraction. Write \`${spell(dashed)}(…)\`.`;
    return { message, signatures: [shown(dashed)], covers: access.memberStart + dashed.member.length };
  }
  const wrong = `${access.namespace}${member(access.member)}`;
  const tools = suggestTools(access.namespace, access.member, catalog);
  const [best] = tools;
  if (best) {
    const message = `\`${wrong}\` is not a tool. Did you mean ${tools.map((tool) => `\`${spell(tool)}\``).join(" or ")}?`;
    return { message, signatures: [shown(best)] };
  }
  const own = catalog.tools.filter(({ namespace }) => namespace === access.namespace).map((tool) => tool.member);
  return { message: `\`${wrong}\` is not a tool.`, hint: `${access.namespace} has: ${clip(own.join(", "), 300)}` };
}

/**
 * Explains a property that a value does not have: what it has instead, or that it is a promise. What an open result does not
 * declare may be there all the same, and then brackets read it.
 */
export function explainProperty(finding: PlacedFinding, explaining: Explaining): Explanation | undefined {
  const [, name, type] = /^Property '(.+?)' does not exist on type '(?:typeof )?([\s\S]+?)'\./.exec(finding.text) ?? [];
  if (![2339, 2551].includes(finding.code) || name === undefined || type === undefined) return undefined;
  const { source, catalog } = explaining;
  const before = source.slice(Math.max(0, finding.start - RECEIVER_WIDTH), finding.start);
  const receiver = /([\w$]+)\s*\??\.\s*$/.exec(before)?.[1];
  if (receiver === "nami" && type.startsWith("{")) return explainUnknownServer(name, explaining);
  if (type.startsWith("Promise<")) return explainPromise(name, receiver);
  const properties = knownProperties(finding.object) ?? listedProperties(type);
  const close = /Did you mean '(.+?)'\?/.exec(finding.text)?.[1] ?? nearest(name, properties)[0];
  const server = catalog.servers.some(({ namespace }) => namespace === type) ? type : "this value";
  const owner = receiver === undefined ? server : `\`${receiver}\``;
  const isOpen = finding.object?.isOpen === true;
  const missing = isOpen ? "is not declared on" : "does not exist on";
  const message = `\`${name}\` ${missing} ${owner}.${close === undefined ? "" : ` Did you mean \`${close}\`?`}`;
  if (properties.length === 0) return { message, hint: `Its type: ${clip(type.replace(/\s+/g, " "), 240)}` };
  const has = `It has: ${clip(properties.join(", "), 240)}`;
  if (!isOpen) return { message, hint: has };
  return { message, hint: `${has}. \`[${JSON.stringify(name)}]\` reads it if the server sends it all the same.` };
}

/** Explains that one object, or a promise, is gone through like a list. */
export function explainList({ code, text, object }: PlacedFinding, word: string): Explanation | undefined {
  if (code !== NOT_ITERABLE) return undefined;
  const value = `\`${clip(word, 60)}\``;
  if (/^Type 'Promise</.test(text)) return { message: `${value} is a promise: it is a list only after \`await\`.` };
  if (!object?.isServers || object.isUnion) return undefined;
  return { message: `${value} is one object, not a list.`, hint: `It has: ${clip(object.properties.join(", "), 240)}` };
}

/** Characters in front of a property in which its object's name is looked for. */
const RECEIVER_WIDTH = 200;

function explainUnknownServer(name: string, { catalog }: Explaining): Explanation {
  const namespaces = catalog.servers.map(({ namespace }) => namespace);
  const hint = `Servers: ${clip(namespaces.join(", "), 160)}. \`nami\` itself has: ${NAMI_MEMBERS.join(", ")}.`;
  return { message: `There is no server \`${name}\`.`, hint };
}

function explainPromise(name: string, receiver: string | undefined): Explanation {
  const message = `${receiver === undefined ? "This" : `\`${receiver}\``} is a promise: \`${name}\` is there only after \`await\`.`;
  return receiver === undefined ? { message } : { message, hint: `(await ${receiver}).${name}` };
}

/** The properties of an object, unless it is an array or a basic type with its many methods. */
function knownProperties(object: ObjectType | undefined): readonly string[] | undefined {
  if (!object || /\[\]$|^(?:string|number|boolean|any)$/.test(object.text) || object.properties.length > 60)
    return undefined;
  return object.properties;
}

/** The top-level properties of an object type as TypeScript prints it: `{ a: string; b?: { … }; }`. */
function listedProperties(type: string): string[] {
  if (!type.startsWith("{")) return [];
  const names: string[] = [];
  let depth = 0;
  for (const [token, name] of type.matchAll(/[{([]|[})\]]|([\w$]+)\??:/g)) {
    if (name !== undefined && depth === 1) names.push(name);
    else if ("{([".includes(token)) depth += 1;
    else if ("})]".includes(token)) depth -= 1;
  }
  return names;
}
