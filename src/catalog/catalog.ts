import { assignNamespaces } from "./names.ts";
import { ambiguousRefs, namedTools } from "./refs.ts";
import type { ListedServer, Tool } from "./tool.ts";

/** A connected server and its tools, in name order. */
export interface CatalogServer {
  readonly name: string;
  readonly namespace: string;
  /** What the server calls itself, with its version. */
  readonly version?: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  /** The same tools by name. */
  readonly byName: ReadonlyMap<string, Tool>;
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

/**
 * Builds the catalog. The same servers give the same catalog in whatever order they come. A server whose list and namespace
 * are those of `previous` (the same objects) is taken over as it is, so that a change costs its own server only.
 */
export function buildCatalog(listed: readonly ListedServer[], previous?: Catalog): Catalog {
  const sorted = [...listed].sort((a, b) => compare(a.name, b.name));
  const { namespaces, warnings } = assignNamespaces(sorted.map((server) => server.name));
  const before = new Map(previous?.servers.map((server) => [server.name, server]));
  const servers = sorted.map((server) => {
    const namespace = namespaces.get(server.name) ?? server.name;
    const known = before.get(server.name);
    const isSame = known !== undefined && known.namespace === namespace && sources.get(known) === server;
    return isSame ? known : toCatalogServer(server, namespace);
  });
  const byServer = new Map(servers.map((server) => [server.name, server]));
  const byNamespace = new Map(servers.map((server) => [server.namespace, server]));
  const named = (ref: string): readonly Tool[] => namedTools(ref, byServer);
  return {
    servers,
    tools: servers.flatMap(({ tools }) => tools),
    warnings: [...warnings, ...servers.flatMap((server) => repeated.get(server) ?? []), ...ambiguousRefs(byServer)],
    find: (ref) => {
      const [tool, other] = named(ref);
      return other === undefined ? tool : undefined;
    },
    named,
    at: (namespace, member) => byNamespace.get(namespace)?.byName.get(member),
  };
}

/** What each server was made from. */
const sources = new WeakMap<CatalogServer, ListedServer>();
/** Warnings about tools that a server listed twice. */
const repeated = new WeakMap<CatalogServer, readonly string[]>();

function toCatalogServer(server: ListedServer, namespace: string): CatalogServer {
  const warnings: string[] = [];
  const byName = new Map<string, Tool>();
  for (const listed of [...server.tools].sort((a, b) => compare(a.name, b.name))) {
    const { name } = listed;
    if (byName.has(name))
      warnings.push(`Server "${server.name}" lists the tool "${name}" twice; the second one is left out.`);
    else byName.set(name, { ...listed, server: server.name, ref: `${server.name}.${name}`, namespace, member: name });
  }
  const { name, version, instructions } = server;
  const made: CatalogServer = {
    name,
    namespace,
    ...(version && { version }),
    ...(instructions && { instructions }),
    tools: [...byName.values()],
    byName,
  };
  sources.set(made, server);
  repeated.set(made, warnings);
  return made;
}

/** Order by code unit: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
