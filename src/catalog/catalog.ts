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
  /** What a person should know: names that had to be changed, tools that were left out. */
  readonly warnings: readonly string[];
  /** Finds a tool by `server.tool` or by `mcp__server__tool`, with the server's exact names. */
  find(ref: string): Tool | undefined;
  /** Finds a tool by the names that a snippet uses. */
  at(namespace: string, member: string): Tool | undefined;
}

/** Builds the catalog. The same servers give the same catalog in whatever order they come. */
export function buildCatalog(listed: readonly ListedServer[]): Catalog {
  const sorted = [...listed].sort((a, b) => compare(a.name, b.name));
  const { namespaces, warnings } = assignNamespaces(sorted.map((server) => server.name));
  const byRef = new Map<string, Tool>();
  const byMember = new Map<string, Tool>();
  const servers = sorted.map((server): CatalogServer => {
    const namespace = namespaces.get(server.name) ?? server.name;
    const tools: Tool[] = [];
    for (const listedTool of [...server.tools].sort((a, b) => compare(a.name, b.name))) {
      const ref = `${server.name}.${listedTool.name}`;
      if (byRef.has(ref)) {
        warnings.push(`Server "${server.name}" lists the tool "${listedTool.name}" twice; the second one is left out.`);
        continue;
      }
      const tool: Tool = { ...listedTool, server: server.name, ref, namespace, member: listedTool.name };
      tools.push(tool);
      byRef.set(ref, tool);
      byMember.set(memberKey(namespace, tool.member), tool);
    }
    return { name: server.name, namespace, tools, ...(server.instructions && { instructions: server.instructions }) };
  });
  const byQualifiedName = new Map([...byRef.values()].map((tool) => [`mcp__${tool.server}__${tool.name}`, tool]));
  return {
    servers,
    tools: servers.flatMap((server) => server.tools),
    warnings,
    find: (ref) => byRef.get(ref) ?? byQualifiedName.get(ref),
    at: (namespace, member) => byMember.get(memberKey(namespace, member)),
  };
}

/** Order by code unit: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const memberKey = (namespace: string, member: string): string => `${namespace}.${member}`;
