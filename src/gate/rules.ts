import type { Catalog } from "../catalog/catalog.ts";
import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ServerConfig } from "../config/config.ts";
import { NamiError } from "../errors.ts";

/** What the rules say of a tool, and which rule said it. A server's own annotations never allow anything. */
export interface Ruling {
  readonly kind: "allow" | "ask";
  /** The rule, for the audit: `safe_tools`, `--allow`, or `default`. */
  readonly rule: string;
}

/** The user's rules: which tools run without asking. */
export interface Rules {
  rule(tool: Tool): Ruling;
  /** Names in `safe_tools` that no connected server has. */
  readonly warnings: readonly string[];
}

/**
 * Builds the rules from `safe_tools` and from the refs that were allowed for this process (`server.tool` or
 * `mcp__server__tool`). Throws `TOOL_UNKNOWN` for an allowed ref that names no tool: a typing mistake must not go
 * unnoticed until the call is refused. A ref of a server that is not there is only warned about.
 */
export function createRules(
  catalog: Catalog,
  servers: readonly ServerConfig[],
  allowed: readonly string[],
  missing: readonly { readonly server: string }[],
): Rules {
  const allowedTools = new Set<Tool>();
  const safeTools = new Set<Tool>();
  const warnings: string[] = [];
  for (const ref of allowed) {
    const gone = missing.find(({ server }) => ref.startsWith(`${server}.`) || ref.startsWith(`mcp__${server}__`));
    if (gone && catalog.find(ref) === undefined)
      warnings.push(`--allow ${ref}: the server "${gone.server}" is not there.`);
    else allowedTools.add(findTool(catalog, ref));
  }
  for (const { name: serverName, safeTools: names } of servers) {
    const server = catalog.servers.find(({ name }) => name === serverName);
    if (server === undefined) continue;
    for (const name of names) {
      const tool = server.tools.find((candidate) => candidate.name === name);
      if (tool) safeTools.add(tool);
      else warnings.push(`safe_tools of "${serverName}": ${unknownTool(catalog, `${serverName}.${name}`)}`);
    }
  }
  return {
    warnings,
    rule: (tool) => {
      if (safeTools.has(tool)) return { kind: "allow", rule: "safe_tools" };
      if (allowedTools.has(tool)) return { kind: "allow", rule: "--allow" };
      return { kind: "ask", rule: "default" };
    },
  };
}

/** The tool of a ref, or `TOOL_UNKNOWN` with the nearest names. */
export function findTool(catalog: Catalog, ref: string): Tool {
  const tool = catalog.find(ref);
  if (tool === undefined) throw new NamiError("TOOL_UNKNOWN", unknownTool(catalog, ref));
  return tool;
}

function unknownTool(catalog: Catalog, ref: string): string {
  if (catalog.named(ref).length > 1) return `"${ref}" means tools of two servers. Rename a server.`;
  const near = nearest(
    ref,
    catalog.tools.map((tool) => tool.ref),
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`nami tools` lists what there is.";
  return `no connected server has a tool "${ref}". ${hint}`;
}
