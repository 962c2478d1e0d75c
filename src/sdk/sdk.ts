import type { Catalog, CatalogServer } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { declareServer, type ServerDeclaration } from "./declare.ts";
import type { ObservedSchema } from "./learned/observe.ts";
import { signature, signatureLine } from "./signature.ts";

/** The catalog as TypeScript: whole for the checker, a line a tool for a model. */
export interface Sdk {
  readonly catalog: Catalog;
  /** Declarations by file name. */
  readonly declarations: ReadonlyMap<string, string>;
  /** Of those, the files with results that were only observed: the same text with `any` in their place. */
  readonly certain: ReadonlyMap<string, string>;
  /** In the catalog's order. */
  readonly servers: readonly ServerDeclaration[];
  /** Parts of schemas that became `unknown`. */
  readonly warnings: readonly string[];
  /** `github.list_issues(args: { owner: string }): Promise<any>`, at most about 420 characters. */
  signature(tool: Tool): string;
  /** The signature and the first sentence of the description. */
  signatureLine(tool: Tool): string;
  /** All that is declared about one tool, with its documentation. Empty for a tool of another catalog. */
  describe(tool: Tool): string;
}

/** What an SDK is built from besides the catalog. */
export interface SdkSources {
  /** What results of a server's tools looked like, by tool. The same map as before means: nothing new. */
  readonly observed?: (server: string) => ReadonlyMap<string, ObservedSchema>;
  /** An SDK whose servers are taken over where nothing has changed. */
  readonly previous?: Sdk;
}

/** Builds the SDK. A bad schema costs its own type only: never throws, reads no file and no network. */
export async function buildSdk(catalog: Catalog, { observed, previous }: SdkSources = {}): Promise<Sdk> {
  const before = new Map(previous?.servers.map((declaration) => [declaration.server, declaration]));
  const servers: ServerDeclaration[] = [];
  for (const server of catalog.servers) {
    const seen = observed?.(server.name) ?? NOTHING_SEEN;
    const known = before.get(server.name);
    servers.push(known && isMadeFrom(known, server, seen) ? known : await declare(server, seen));
  }
  const byName = new Map(servers.map((declaration) => [declaration.server, declaration]));
  const seenOf = (tool: Tool): ObservedSchema | undefined => declarationOf(byName.get(tool.server), tool)?.observed;
  return {
    catalog,
    declarations: new Map(servers.map(({ file, text }) => [file, text])),
    certain: new Map(servers.flatMap(({ file, certain }) => (certain === undefined ? [] : [[file, certain]]))),
    servers,
    warnings: servers.flatMap(({ warnings }) => warnings),
    signature: (tool) => signature(tool, seenOf(tool)),
    signatureLine: (tool) => signatureLine(tool, seenOf(tool)),
    describe: (tool) => declarationOf(byName.get(tool.server), tool)?.text ?? "",
  };
}

const NOTHING_SEEN: ReadonlyMap<string, ObservedSchema> = new Map();

interface Origin {
  readonly server: CatalogServer;
  readonly seen: ReadonlyMap<string, ObservedSchema>;
  readonly tools: ReadonlyMap<string, ServerDeclaration["tools"][number]>;
}

/** What each declaration was made from. */
const origins = new WeakMap<ServerDeclaration, Origin>();

function isMadeFrom(declaration: ServerDeclaration, server: CatalogServer, seen: Origin["seen"]): boolean {
  const origin = origins.get(declaration);
  return origin !== undefined && origin.server === server && origin.seen === seen;
}

async function declare(server: CatalogServer, seen: Origin["seen"]): Promise<ServerDeclaration> {
  const declaration = await declareServer(server, seen);
  origins.set(declaration, { server, seen, tools: new Map(declaration.tools.map((each) => [each.tool.name, each])) });
  return declaration;
}

function declarationOf(
  server: ServerDeclaration | undefined,
  tool: Tool,
): ServerDeclaration["tools"][number] | undefined {
  const declared = server && origins.get(server)?.tools.get(tool.name);
  return declared?.tool === tool ? declared : undefined;
}
