import type { Catalog, CatalogServer } from "../catalog/catalog.ts";
import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import { NamiError } from "../errors.ts";
import type { FailedServer } from "../mcp/connect-all.ts";
import { openWorkspace } from "../nami.ts";
import { buildSdk, type Sdk } from "../sdk/sdk.ts";
import type { Io } from "./io.ts";
import type { ServerFlags } from "./options.ts";
import type { Progress } from "./progress.ts";
import { reportEvents } from "./report.ts";
import { savedCatalog } from "./saved-catalog.ts";

/** Where tools come from. */
export interface SourceFlags extends ServerFlags {
  /** Only these servers; all when empty. */
  readonly server: readonly string[];
  /** Saved lists instead of running servers. */
  readonly from?: readonly string[];
}

/** Tools that can be shown. */
export interface ToolsSource {
  readonly catalog: Catalog;
  readonly sdk: Sdk;
  /** Those that are asked for. */
  readonly servers: readonly CatalogServer[];
  /** Servers that are asked for and not there. */
  readonly failed: readonly FailedServer[];
  /** The configuration file, if there is one. */
  readonly file?: string;
}

/**
 * Starts the servers and lists their tools, or reads saved lists. Throws `USAGE` for a server that does not exist or is not there,
 * `CONFIG_INVALID`, and what an interruption throws.
 */
export async function openToolsSource(flags: SourceFlags, progress: Progress, io: Io): Promise<ToolsSource> {
  progress.status(flags.from ? "reading tool lists" : "starting servers");
  const source = flags.from ? await saved(flags.from) : await live(flags, progress, io);
  progress.status("");
  if (flags.server.length === 0) return { ...source, servers: source.catalog.servers };
  for (const name of flags.server) refuseUnknown(name, source);
  const isWanted = (name: string): boolean => flags.server.includes(name);
  return {
    ...source,
    servers: source.catalog.servers.filter(({ name }) => isWanted(name)),
    failed: source.failed.filter(({ server }) => isWanted(server)),
  };
}

/** The tools of these servers, in their order. */
export function toolsOf(servers: readonly CatalogServer[]): readonly Tool[] {
  return servers.flatMap(({ tools }) => tools);
}

async function saved(files: readonly string[]): Promise<Omit<ToolsSource, "servers">> {
  const catalog = await savedCatalog(files);
  return { catalog, sdk: await buildSdk(catalog), failed: [] };
}

async function live(flags: SourceFlags, progress: Progress, io: Io): Promise<Omit<ToolsSource, "servers">> {
  await using workspace = await openWorkspace({
    ...(flags.config !== undefined && { config: flags.config }),
    onEvent: reportEvents(progress),
    signal: io.signal,
  });
  io.signal.throwIfAborted();
  const { catalog, sdk, failed, config } = workspace;
  return { catalog, sdk, failed, ...(config.file !== undefined && { file: config.file }) };
}

function refuseUnknown(name: string, { catalog, failed }: Omit<ToolsSource, "servers">): void {
  const known = catalog.servers.map((server) => server.name);
  if (known.includes(name)) return;
  const reason = failed.find(({ server }) => server === name);
  if (reason) throw new NamiError("USAGE", `Server "${name}" is not there. ${reason.message}`);
  const near = nearest(name, known);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new NamiError(
    "USAGE",
    `There is no connected server "${name}".${hint} Connected: ${known.join(", ") || "none"}.`,
  );
}
