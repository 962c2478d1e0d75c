import { assignNamespaces } from "./names.ts";
import type { ListedServer, Tool } from "./tool.ts";

/** A connected server and its tools, in name order. */
export interface CatalogServer {
  readonly name: string;
  readonly namespace: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
}

/** All tools of all connected servers, and the only table from names to tools: names are never reversed by rule. */
export interface Catalog {
  readonly servers: readonly CatalogServer[];
  /** Every tool, by server and then by name. */
  readonly tools: readonly Tool[];
  /** What a person should know: names that had to be changed, tools that were left out, refs that mean two tools. */
  readonly warnings: readonly string[];
  /**
   * Finds a tool by `server.tool` or by `mcp__server__tool`, with the server's exact names. A ref that fits two tools
   * (`a.b.c` for tool `b.c` of `a` and for tool `c` of `a.b`) finds none.
   */
  find(ref: string): Tool | undefined;
  /** All tools that a ref fits: none, one, or several. */
  named(ref: string): readonly Tool[];
  /** Finds a tool by the names that a snippet uses. */
  at(namespace: string, member: string): Tool | undefined;
}

/** Builds the catalog. The same servers give the same catalog in whatever order they come. */
export function buildCatalog(listed: readonly ListedServer[]): Catalog {
  const sorted = [...listed].sort((a, b) => compare(a.name, b.name));
  const { namespaces, warnings } = assignNamespaces(sorted.map((server) => server.name));
  const servers = sorted.map((server) => toCatalogServer(server, namespaces.get(server.name) ?? server.name, warnings));
  const tools = servers.flatMap((server) => server.tools);
  const byRef = new Map<string, Tool[]>();
  for (const tool of tools) {
    for (const ref of [tool.ref, `mcp__${tool.server}__${tool.name}`]) {
      byRef.set(ref, [...(byRef.get(ref) ?? []), tool]);
    }
  }
  for (const [ref, { length }] of byRef) {
    if (length > 1) warnings.push(`"${ref}" means tools of two servers, so it names neither. Rename a server.`);
  }
  const byMember = new Map(tools.map((tool) => [memberKey(tool.namespace, tool.member), tool]));
  return {
    servers,
    tools,
    warnings,
    find: (ref) => {
      const [tool, other] = byRef.get(ref) ?? [];
      return other === undefined ? tool : undefined;
    },
    named: (ref) => byRef.get(ref) ?? [],
    at: (namespace, member) => byMember.get(memberKey(namespace, member)),
  };
}

function toCatalogServer(server: ListedServer, namespace: string, warnings: string[]): CatalogServer {
  const tools = new Map<string, Tool>();
  for (const listed of [...server.tools].sort((a, b) => compare(a.name, b.name))) {
    const { name } = listed;
    if (tools.has(name))
      warnings.push(`Server "${server.name}" lists the tool "${name}" twice; the second one is left out.`);
    else tools.set(name, { ...listed, server: server.name, ref: `${server.name}.${name}`, namespace, member: name });
  }
  const { instructions } = server;
  return { name: server.name, namespace, tools: [...tools.values()], ...(instructions && { instructions }) };
}

/** Order by code unit: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Unambiguous, since a namespace is an identifier. */
const memberKey = (namespace: string, member: string): string => `${namespace}.${member}`;
