import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ToolAccess } from "./calls.ts";
import type { Explaining, Explanation } from "./diagnose.ts";
import { clip } from "./frame.ts";
import { SIGNATURE_WIDTH } from "./limits.ts";
import type { PlacedFinding } from "./severity.ts";
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

/** Explains a property that a value does not have: what it has instead, or that it is a promise. */
export async function explainProperty(
  finding: PlacedFinding,
  explaining: Explaining,
): Promise<Explanation | undefined> {
  const [, name, type] = /^Property '(.+?)' does not exist on type '(?:typeof )?([\s\S]+?)'\./.exec(finding.text) ?? [];
  if (![2339, 2551].includes(finding.code) || name === undefined || type === undefined) return undefined;
  const { source, catalog, checked } = explaining;
  const before = /([\w$]+)\s*\??\.\s*$/.exec(source.slice(Math.max(0, finding.start - RECEIVER_WIDTH), finding.start));
  const receiver = before?.[1];
  if (receiver === "nami" && type.startsWith("{")) return explainUnknownServer(name, explaining);
  if (type.startsWith("Promise<")) return explainPromise(name, receiver);
  const value = receiver === undefined ? undefined : `\`${receiver}\``;
  const destructured = before === null && !source.slice(0, finding.start).trimEnd().endsWith(".");
  const looked = destructured || !before ? undefined : await lookAt(finding, before, checked);
  const properties = looked ?? listedProperties(type);
  const close = /Did you mean '(.+?)'\?/.exec(finding.text)?.[1] ?? nearest(name, properties)[0];
  const owner = value ?? (catalog.servers.some(({ namespace }) => namespace === type) ? type : "this value");
  const message = `\`${name}\` does not exist on ${owner}.${close === undefined ? "" : ` Did you mean \`${close}\`?`}`;
  if (properties.length > 0) return { message, hint: `It has: ${clip(properties.join(", "), 240)}` };
  return { message, hint: `Its type: ${clip(type.replace(/\s+/g, " "), 240)}` };
}

/** Characters in front of a property in which its object's name is looked for. */
const RECEIVER_WIDTH = 200;

function explainUnknownServer(name: string, { catalog }: Explaining): Explanation {
  const namespaces = catalog.servers.map(({ namespace }) => namespace);
  return { message: `There is no server \`${name}\`.`, hint: `Servers: ${clip(namespaces.join(", "), 160)}.` };
}

function explainPromise(name: string, receiver: string | undefined): Explanation {
  const message = `${receiver === undefined ? "This" : `\`${receiver}\``} is a promise: \`${name}\` is there only after \`await\`.`;
  return receiver === undefined ? { message } : { message, hint: `(await ${receiver}).${name}` };
}

/** The properties of the value in front of the dot, unless it is an array or a basic type with its many methods. */
async function lookAt(
  finding: PlacedFinding,
  before: RegExpExecArray,
  checked: Explaining["checked"],
): Promise<string[] | undefined> {
  const receiver = finding.pos - before[0].length;
  const type = await checked.typeAt(receiver).catch(() => undefined);
  if (!type || /\[\]$|^(?:string|number|boolean|any)$/.test(type.text) || type.properties.length > 60) return undefined;
  return [...type.properties];
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
