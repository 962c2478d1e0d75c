import { inLine } from "../output/section.ts";
import { type ToolsSource, toolsOf } from "./tools-source.ts";

/** More tools than this are not listed unasked: a person looks for one server, or searches. */
const LISTED_TOOLS = 200;

/** Every server with its tools, a signature a line; with hundreds of tools a line a server. Servers that are not there come last. */
export function listTools(
  source: ToolsSource,
  flags: { readonly server: readonly string[]; readonly json?: true },
): string {
  if (flags.json) return listAsJson(source);
  const { servers, failed, sdk, file } = source;
  const { length } = toolsOf(servers);
  const isLong = length > LISTED_TOOLS && flags.server.length === 0;
  const parts = isLong
    ? [listServers(source), `${length} tools. ${HOW_TO_GO_ON}`]
    : servers.map(({ name, tools }) =>
        [`${inLine(name)} (${toolCount(tools.length)})`, ...tools.map((tool) => `  ${sdk.signatureLine(tool)}`)].join(
          "\n",
        ),
      );
  for (const { server, message } of failed) parts.push(`${inLine(server)}: not there. ${message}`);
  if (parts.length === 0) parts.push(`No servers in ${file ?? "the configuration"}. Add one under "servers".`);
  return parts.join("\n\n");
}

const HOW_TO_GO_ON =
  "nami tools --server <name> lists those of one server, nami tools <words> searches, nami tools --view lines lists all.";

function listServers({ servers }: ToolsSource): string {
  const names = servers.map(({ name }) => inLine(name));
  const width = Math.max(...names.map((name) => name.length));
  return servers
    .map(({ tools }, index) => `${(names[index] ?? "").padEnd(width)}  ${toolCount(tools.length)}`)
    .join("\n");
}

function toolCount(count: number): string {
  return `${count} ${count === 1 ? "tool" : "tools"}`;
}

function listAsJson({ servers, failed, sdk }: ToolsSource): string {
  const listed = servers.map(({ name, namespace, tools }) => ({
    server: name,
    namespace,
    tools: tools.map((tool) => ({ ref: tool.ref, signature: sdk.signature(tool) })),
  }));
  return JSON.stringify({ servers: listed, failed }, null, 2);
}
