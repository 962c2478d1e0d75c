import type { Expression, Node, Program } from "oxc-parser";
import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { unwrap, walk } from "./ast.ts";
import { type PropertyReads, propertyReads } from "./property-reads.ts";
import { propertyName, type SdkNames, sdkNames, serverOf, type ToolName } from "./sdk-names.ts";

/** A place where the snippet names a member of a server. Offsets are in the author's text. */
export interface ToolAccess extends ToolName {
  /** The tool, unless there is none of that name. */
  readonly tool?: Tool;
  readonly start: number;
  readonly end: number;
  /** The member's name, with its quotes when it has any. */
  readonly memberStart: number;
}

/** A call of a member of a server. */
export interface ToolCall extends ToolAccess {
  /** End of the callee; `end` is the end of the call. */
  readonly calleeEnd: number;
  /** The call is a statement by itself: nobody waits for it. */
  readonly floating: boolean;
}

/** What a snippet does with the SDK, and the habits that the type checker says nothing about. */
export interface CallIndex {
  readonly calls: readonly ToolCall[];
  readonly accesses: readonly ToolAccess[];
  readonly reads: PropertyReads;
  /** The globals of the servers, which are also the names of their types. */
  readonly namespaces: ReadonlySet<string>;
  /** Offsets of names that are only asked for their type, which need not exist: `typeof fetch`. */
  readonly probed: ReadonlySet<number>;
  /** Places of `.forEach(async …)`: start and end of the word. */
  readonly asyncForEach: readonly { readonly start: number; readonly end: number }[];
  /** The call of a tool whose callee or arguments a range is in, unless another call stands between. */
  callAround(start: number, end: number): ToolCall | undefined;
}

/**
 * Indexes a snippet's calls. Follows `nami.github`, `server["get-sum"]`, imports (`aliases`, expression by local name),
 * `const gh = github` and `const { list_issues } = github`; a name that the snippet declares for itself is not the SDK's.
 */
export function indexCalls(program: Program, catalog: Catalog, aliases: ReadonlyMap<string, string>): CallIndex {
  const names = sdkNames(program, catalog, aliases);
  const calls: ToolCall[] = [];
  const accesses: ToolAccess[] = [];
  const probed = new Set<number>();
  const allCalls: { readonly start: number; readonly end: number }[] = [];
  const asyncForEach: { start: number; end: number }[] = [];
  const last = program.body.findLast((statement) => statement.type !== "EmptyStatement");
  walk(program, (node, parent) => {
    if (node.type === "MemberExpression") {
      const access = accessOf(node, names, catalog);
      if (access) accesses.push(access);
    } else if (node.type === "UnaryExpression" && node.operator === "typeof" && node.argument.type === "Identifier") {
      probed.add(node.argument.start);
    } else if (node.type === "NewExpression") {
      allCalls.push(node);
    } else if (node.type === "CallExpression") {
      allCalls.push(node);
      const callee = unwrap(node.callee);
      const access = accessOf(callee, names, catalog);
      // The last expression of a snippet is awaited by nami.
      const floating = parent?.type === "ExpressionStatement" && parent !== last;
      if (access) calls.push({ ...access, start: node.start, end: node.end, calleeEnd: access.end, floating });
      const word = forEachWord(callee, node.arguments[0]);
      if (word) asyncForEach.push(word);
    }
    return undefined;
  });
  return {
    calls,
    namespaces: new Set(catalog.servers.map(({ namespace }) => namespace)),
    accesses,
    reads: propertyReads(program, (node) => accessOf(node, names, catalog) !== undefined),
    asyncForEach,
    probed,
    callAround(start, end) {
      const innermost = allCalls
        .filter((call) => call.start <= start && end <= call.end && call.end - call.start > end - start)
        .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
      return calls.find((call) => call.start === innermost?.start && call.end === innermost.end);
    },
  };
}

/** A server's member, named through the server or through a variable that holds the member itself. */
function accessOf(node: Expression, names: SdkNames, catalog: Catalog): ToolAccess | undefined {
  if (node.type === "Identifier") {
    const held = names.tools.get(node.name);
    return held && { ...found(held, catalog), start: node.start, end: node.end, memberStart: node.start };
  }
  if (node.type !== "MemberExpression") return undefined;
  const namespace = serverOf(unwrap(node.object), names);
  const member = propertyName(node);
  if (namespace === undefined || member === undefined) return undefined;
  const place = { start: node.start, end: node.end, memberStart: node.property.start };
  return { ...found({ namespace, member }, catalog), ...place };
}

function found({ namespace, member }: ToolName, catalog: Catalog): ToolName & { tool?: Tool } {
  const tool = catalog.at(namespace, member);
  return { namespace, member, ...(tool && { tool }) };
}

function forEachWord(callee: Expression, argument: Node | undefined): { start: number; end: number } | undefined {
  if (callee.type !== "MemberExpression" || propertyName(callee) !== "forEach") return undefined;
  const isAsync = argument !== undefined && "async" in argument && argument.async === true;
  return isAsync ? { start: callee.property.start, end: callee.property.end } : undefined;
}
