import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { buildCatalog, type Catalog } from "../catalog/catalog.ts";
import type { ListedServer } from "../catalog/tool.ts";
import { messageOf, NamiError } from "../errors.ts";
import { readToolList } from "../mcp/saved-list.ts";
import { openWorkspace } from "../nami.ts";
import { renderGenerated } from "../sdk/generate.ts";
import { buildSdk } from "../sdk/sdk.ts";
import { EXIT } from "./exit-codes.ts";
import { changeFolder, planFolder } from "./generated-folder.ts";
import type { Io } from "./io.ts";
import { addServerOptions, type ServerFlags } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { reportEvents, reportWarnings } from "./report.ts";

interface GenerateFlags extends ServerFlags {
  readonly out: string;
  readonly server: readonly string[];
  readonly from?: readonly string[];
  readonly check?: true;
  readonly json?: true;
}

/** `nami generate`: writes the SDK as files, one `.d.ts` a server, and a manifest. */
export function generateCommand(program: Command, io: Io): void {
  const command = program
    .command("generate")
    .description("write the generated SDK: one .d.ts per server and manifest.json")
    .option("--out <folder>", "where to write", "generated")
    .option(
      "--server <name>",
      "only this server; may be repeated",
      (name: string, names: string[]) => [...names, name],
      [],
    )
    .option("--from <files...>", 'saved tool lists ({ "server", "tools" }) instead of running servers')
    .option("--check", "write nothing; exit 1 when the folder is not what would be written")
    .option("--json", "print what was written as JSON");
  addServerOptions(command).action(async (flags: GenerateFlags) => {
    using progress = createProgress(io.stderr);
    progress.status("starting servers");
    const { catalog, failed } = flags.from ? await savedCatalog(flags.from) : await liveCatalog(flags, progress, io);
    const sdk = await buildSdk(only(catalog, flags.server));
    progress.status("");
    reportWarnings(progress, [...catalog.warnings, ...sdk.warnings]);
    const files = await renderGenerated(sdk);
    // A server that is down today, or that was not asked for, keeps what it has.
    const keep = (server: string): boolean =>
      failed.includes(server) || (flags.server.length > 0 && !flags.server.includes(server));
    const plan = await planFolder(flags.out, files, keep);
    const changed = [...plan.write.keys(), ...plan.remove];
    if (!flags.check) await changeFolder(flags.out, plan);
    const missing = failed.filter((server) => flags.server.length === 0 || flags.server.includes(server));
    const summary = { out: flags.out, files: [...files.keys()], changed, failed: missing };
    if (flags.json) io.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    else io.stdout.write(`${describe(flags, files.size, sdk.catalog.tools.length, changed)}\n`);
    io.exit((flags.check && changed.length > 0) || missing.length > 0 ? EXIT.failed : EXIT.ok);
  });
}

async function liveCatalog(
  flags: GenerateFlags,
  progress: Progress,
  io: Io,
): Promise<{ catalog: Catalog; failed: readonly string[] }> {
  await using workspace = await openWorkspace({
    ...(flags.config !== undefined && { config: flags.config }),
    onEvent: reportEvents(progress),
    signal: io.signal,
  });
  io.signal.throwIfAborted();
  return { catalog: workspace.catalog, failed: workspace.failed.map(({ server }) => server) };
}

async function savedCatalog(files: readonly string[]): Promise<{ catalog: Catalog; failed: readonly string[] }> {
  const lists: ListedServer[] = [];
  for (const file of files) {
    try {
      lists.push(readToolList(JSON.parse(await readFile(file, "utf8"))));
    } catch (error) {
      throw new NamiError("USAGE", `Cannot use ${file} as a saved tool list: ${messageOf(error)}.`, { cause: error });
    }
  }
  return { catalog: buildCatalog(lists), failed: [] };
}

/** The catalog of the named servers; all when none is named. */
function only(catalog: Catalog, names: readonly string[]): Catalog {
  if (names.length === 0) return catalog;
  for (const name of names) {
    if (catalog.servers.some((server) => server.name === name)) continue;
    const known = catalog.servers.map((server) => server.name).join(", ");
    throw new NamiError("USAGE", `There is no connected server "${name}". Connected: ${known || "none"}.`);
  }
  return buildCatalog(catalog.servers.filter((server) => names.includes(server.name)));
}

function describe(flags: GenerateFlags, files: number, tools: number, changed: readonly string[]): string {
  if (!flags.check) return `${files} files for ${tools} tools in ${flags.out} (${changed.length} changed)`;
  if (changed.length === 0) return `${flags.out} is fresh`;
  return `${flags.out} is stale: ${changed.join(", ")}. Run nami generate --out ${flags.out}.`;
}
