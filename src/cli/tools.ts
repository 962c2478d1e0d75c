import type { Command } from "commander";
import { nearest } from "../catalog/nearest.ts";
import { createSearch } from "../catalog/search.ts";
import { NamiError } from "../errors.ts";
import { openWorkspace, type Workspace } from "../nami.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { addServerOptions, parseCount, type ServerFlags } from "./options.ts";
import { createProgress } from "./progress.ts";
import { reportEvents } from "./report.ts";

interface ToolsFlags extends ServerFlags {
  readonly limit: number;
  readonly json?: true;
}

/** `nami tools`: what there is, what matches words, or one tool in full. */
export function toolsCommand(program: Command, io: Io): void {
  const command = program
    .command("tools")
    .description("list the tools of your servers; with words search them; with server.tool show one in full")
    .argument("[query...]", "words, or server.tool")
    .option("--limit <n>", "most tools that a search shows", parseCount, 20)
    .option("--json", "print JSON");
  addServerOptions(command).action(async (words: string[], flags: ToolsFlags) => {
    using progress = createProgress(io.stderr);
    progress.status("starting servers");
    await using workspace = await openWorkspace({
      ...(flags.config !== undefined && { config: flags.config }),
      onEvent: reportEvents(progress),
      signal: io.signal,
    });
    io.signal.throwIfAborted();
    progress.status("");
    const query = words.join(" ").trim();
    const shown = query === "" ? list(workspace, flags) : find(workspace, query, flags);
    io.stdout.write(`${shown}\n`);
    io.exit(workspace.failed.length > 0 && workspace.catalog.servers.length === 0 ? EXIT.failed : EXIT.ok);
  });
}

/** Every server with its tools, a signature a line; servers that are not there with the reason. */
function list({ catalog, sdk, failed, config }: Workspace, flags: ToolsFlags): string {
  if (flags.json) {
    const servers = catalog.servers.map(({ name, namespace, tools }) => ({
      server: name,
      namespace,
      tools: tools.map((tool) => ({ ref: tool.ref, signature: sdk.signature(tool) })),
    }));
    return JSON.stringify({ servers, failed }, null, 2);
  }
  const parts = catalog.servers.map(({ name, tools }) =>
    [
      `${name} (${tools.length} tool${tools.length === 1 ? "" : "s"})`,
      ...tools.map((tool) => `  ${sdk.signatureLine(tool)}`),
    ].join("\n"),
  );
  for (const { server, message } of failed) parts.push(`${server}: not there. ${message}`);
  if (parts.length === 0) parts.push(`No servers in ${config.file ?? "the configuration"}. Add one under "servers".`);
  return parts.join("\n\n");
}

/** One tool in full when the query names it, else the best matches. */
function find({ catalog, sdk }: Workspace, query: string, flags: ToolsFlags): string {
  const named = catalog.named(query);
  if (named.length > 0)
    return named.map((tool) => (flags.json ? JSON.stringify(tool, null, 2) : sdk.describe(tool))).join("\n");
  const isRef = catalog.servers.some(({ name }) => query.startsWith(`${name}.`) || query.startsWith(`mcp__${name}__`));
  const found = isRef ? [] : createSearch(catalog).search(query, flags.limit);
  if (flags.json)
    return JSON.stringify(
      found.map((match) => ({ ref: match.ref, signature: sdk.signature(match) })),
      null,
      2,
    );
  if (found.length > 0) return found.map(sdk.signatureLine).join("\n");
  const near = nearest(
    query,
    catalog.tools.map(({ ref }) => ref),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new NamiError("TOOL_UNKNOWN", `No tool matches "${query}".${hint}`);
}
