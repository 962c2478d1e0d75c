import { buildCatalog, type Catalog } from "../../../src/catalog/catalog.ts";
import type { ListedTool, Tool } from "../../../src/catalog/tool.ts";
import { parseConfig } from "../../../src/config/parse.ts";
import type { RuleEntry } from "../../../src/config/rules.ts";
import { objectSource } from "../../../src/config/source.ts";
import type { DayCounts } from "../../../src/gate/rules/day-counts.ts";
import { createRules, type Rules } from "../../../src/gate/rules.ts";

/** Servers by name with their tools: names, or whole tools. */
export type Servers = Readonly<Record<string, readonly (string | ListedTool)[]>>;

/** Rules as the file has them, on servers that are not started. */
export function ruleSet(
  servers: Servers,
  entries: readonly RuleEntry[],
  options: { safe?: Record<string, string[]>; allow?: string[]; days?: DayCounts; missing?: string[] } = {},
): { readonly catalog: Catalog; readonly rules: Rules; readonly tool: (ref: string) => Tool } {
  const catalog = buildCatalog(
    Object.entries(servers).map(([name, tools]) => ({
      name,
      tools: tools.map((tool) => (typeof tool === "string" ? { name: tool, inputSchema: {} } : tool)),
    })),
  );
  const names = [...Object.keys(servers), ...(options.missing ?? [])];
  const config = parseConfig(
    objectSource({
      servers: Object.fromEntries(
        names.map((name) => [name, { command: "x", safe_tools: options.safe?.[name] ?? [] }]),
      ),
      rules: entries,
    }),
    {},
  );
  const rules = createRules(
    catalog,
    config.servers,
    options.allow ?? [],
    (options.missing ?? []).map((server) => ({ server })),
    { rules: config.rules, days: options.days ?? { take: async () => 1 } },
  );
  const tool = (ref: string): Tool => {
    const found = catalog.find(ref);
    if (found === undefined) throw new Error(`no ${ref}`);
    return found;
  };
  return { catalog, rules, tool };
}
