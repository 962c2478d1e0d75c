import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { declareServer, type ServerDeclaration } from "./declare.ts";
import { signature, signatureLine } from "./signature.ts";

/** The catalog as TypeScript: whole for the checker, a line a tool for a model. */
export interface Sdk {
  readonly catalog: Catalog;
  /** Declarations by file name. */
  readonly declarations: ReadonlyMap<string, string>;
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

/** Builds the SDK. A bad schema costs its own type only: never throws, reads no file and no network. */
export async function buildSdk(catalog: Catalog): Promise<Sdk> {
  const servers: ServerDeclaration[] = [];
  for (const server of catalog.servers) servers.push(await declareServer(server));
  const texts = new Map(servers.flatMap(({ tools }) => tools.map(({ tool, text }) => [tool, text])));
  return {
    catalog,
    declarations: new Map(servers.map(({ file, text }) => [file, text])),
    servers,
    warnings: servers.flatMap(({ warnings }) => warnings),
    signature,
    signatureLine,
    describe: (tool) => texts.get(tool) ?? "",
  };
}
