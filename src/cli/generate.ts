import type { Command } from "commander";
import { NamiError } from "../errors.ts";
import { openWorkspace } from "../nami.ts";
import { renderGenerated } from "../sdk/generate.ts";
import { buildSdk, type Sdk } from "../sdk/sdk.ts";
import { EXIT } from "./exit-codes.ts";
import { renderDiff } from "./folder-diff.ts";
import { changeFolder, planFolder } from "./generated-folder.ts";
import type { Io } from "./io.ts";
import { addServerOptions, type ServerFlags } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { reportEvents, reportWarnings } from "./report.ts";
import { savedCatalog } from "./saved-catalog.ts";

interface GenerateFlags extends ServerFlags {
  readonly out: string;
  readonly server: readonly string[];
  readonly from?: readonly string[];
  readonly check?: true;
  readonly learned: boolean;
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
    .option("--check", "write nothing; exit 1 with a diff when the folder is not what would be written")
    .option("--no-learned", "leave out result types that were learned on this machine")
    .option("--json", "print what was written as JSON");
  addServerOptions(command).action(async (flags: GenerateFlags) => {
    using progress = createProgress(io.stderr);
    progress.status(flags.from ? "reading tool lists" : "starting servers");
    const { sdk, failed } = flags.from
      ? { sdk: await buildSdk(await savedCatalog(flags.from)), failed: [] }
      : await liveSource(flags, progress, io);
    const servers = only(sdk.servers, flags.server);
    progress.status("writing the SDK");
    reportWarnings(progress, [...sdk.catalog.warnings, ...servers.flatMap(({ warnings }) => warnings)]);
    const files = await renderGenerated({ servers });
    progress.status("");
    // A server that is down today, or that was not asked for, keeps what it has.
    const keep = (server: string): boolean =>
      failed.includes(server) || (flags.server.length > 0 && !flags.server.includes(server));
    const changes = await planFolder(flags.out, files, keep);
    const changed = changes.map(({ file }) => file);
    if (!flags.check) await changeFolder(flags.out, changes);
    const diff = flags.check && changes.length > 0 ? renderDiff(flags.out, changes) : undefined;
    const missing = failed.filter((server) => flags.server.length === 0 || flags.server.includes(server));
    const summary = { out: flags.out, files: [...files.keys()], changed, failed: missing, ...(diff && { diff }) };
    if (flags.json) io.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    else {
      const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
      io.stdout.write(`${diff ? `${diff}\n\n` : ""}${describe(flags, files.size, tools, changed)}\n`);
    }
    io.exit((flags.check && changed.length > 0) || missing.length > 0 ? EXIT.failed : EXIT.ok);
  });
}

interface Source {
  readonly sdk: Sdk;
  /** Servers that are configured and not there. */
  readonly failed: readonly string[];
}

async function liveSource(flags: GenerateFlags, progress: Progress, io: Io): Promise<Source> {
  await using workspace = await openWorkspace({
    ...(flags.config !== undefined && { config: flags.config }),
    ...(!flags.learned && { learned: false }),
    onEvent: reportEvents(progress),
    signal: io.signal,
  });
  io.signal.throwIfAborted();
  return { sdk: workspace.sdk, failed: workspace.failed.map(({ server }) => server) };
}

/** The servers that are asked for; all when none is named. Names and namespaces are those that they have among all. */
function only(servers: Sdk["servers"], names: readonly string[]): Sdk["servers"] {
  if (names.length === 0) return servers;
  for (const name of names) {
    if (servers.some(({ server }) => server === name)) continue;
    const known = servers.map(({ server }) => server).join(", ");
    throw new NamiError("USAGE", `There is no connected server "${name}". Connected: ${known || "none"}.`);
  }
  return servers.filter(({ server }) => names.includes(server));
}

function describe(flags: GenerateFlags, files: number, tools: number, changed: readonly string[]): string {
  if (!flags.check) return `${files} files for ${tools} tools in ${flags.out} (${changed.length} changed)`;
  if (changed.length === 0) return `${flags.out} is fresh`;
  return `${flags.out} is stale: ${changed.join(", ")}. Run nami generate --out ${flags.out}.`;
}
