import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { buildCatalog, type Catalog } from "../catalog/catalog.ts";
import type { ListedServer } from "../catalog/tool.ts";
import { messageOf, NamiError } from "../errors.ts";
import { readToolList } from "../mcp/saved-list.ts";
import { openWorkspace } from "../nami.ts";
import { renderGenerated } from "../sdk/generate.ts";
import { buildSdk } from "../sdk/sdk.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { addServerOptions, type ServerFlags } from "./options.ts";
import { createProgress } from "./progress.ts";
import { reportEvents } from "./report.ts";

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
    const { catalog, failed } = flags.from ? await savedCatalog(flags.from) : await liveCatalog(flags, progress);
    const sdk = await buildSdk(only(catalog, flags.server));
    progress.status("");
    for (const warning of [...catalog.warnings, ...sdk.warnings]) progress.line(`nami: warning: ${warning}`);
    const files = await renderGenerated(sdk);
    const stale = flags.check ? await differences(flags.out, files) : await write(flags.out, files);
    const summary = { out: flags.out, files: [...files.keys()], changed: stale, failed };
    if (flags.json) io.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    else io.stdout.write(`${describe(flags, files.size, sdk.catalog.tools.length, stale)}\n`);
    io.exit((flags.check && stale.length > 0) || failed > 0 ? EXIT.failed : EXIT.ok);
  });
}

async function liveCatalog(
  flags: GenerateFlags,
  progress: ReturnType<typeof createProgress>,
): Promise<{ catalog: Catalog; failed: number }> {
  await using workspace = await openWorkspace({
    ...(flags.config !== undefined && { config: flags.config }),
    onEvent: reportEvents(progress),
  });
  return { catalog: workspace.catalog, failed: workspace.failed.length };
}

async function savedCatalog(files: readonly string[]): Promise<{ catalog: Catalog; failed: number }> {
  const lists: ListedServer[] = [];
  for (const file of files) {
    try {
      lists.push(readToolList(JSON.parse(await readFile(file, "utf8"))));
    } catch (error) {
      throw new NamiError("USAGE", `Cannot use ${file} as a saved tool list: ${messageOf(error)}.`, { cause: error });
    }
  }
  return { catalog: buildCatalog(lists), failed: 0 };
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

/** Files that are missing, different, or left over from a server that is gone. */
async function differences(folder: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const changed: string[] = [];
  for (const [file, text] of files) {
    const present = await readFile(join(folder, file), "utf8").catch(() => undefined);
    if (present !== text) changed.push(file);
  }
  const present = await readdir(folder).catch(() => []);
  return [...changed, ...present.filter((file) => /\.d\.ts$/.test(file) && !files.has(file))];
}

/** Writes what differs and removes declarations of servers that are gone. */
async function write(folder: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const changed = await differences(folder, files);
  await mkdir(folder, { recursive: true });
  for (const file of changed) {
    const text = files.get(file);
    if (text === undefined) await rm(join(folder, file));
    else await writeFile(join(folder, file), text);
  }
  return changed;
}

function describe(flags: GenerateFlags, files: number, tools: number, changed: readonly string[]): string {
  if (!flags.check) return `${files} files for ${tools} tools in ${flags.out} (${changed.length} changed)`;
  if (changed.length === 0) return `${flags.out} is fresh`;
  return `${flags.out} is stale: ${changed.join(", ")}. Run nami generate --out ${flags.out}.`;
}
