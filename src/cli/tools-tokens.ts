import type { Tool } from "../catalog/tool.ts";
import { inLine } from "../output/section.ts";
import { type CountTokens, loadTokenCounter, manifestEntry } from "../sdk/manifest.ts";
import { nameLines } from "../sdk/view/view-names.ts";
import type { ToolsSource } from "./tools-source.ts";

/** What tools cost in a prompt, in tokens of o200k_base. */
export interface TokenCosts {
  readonly tools: number;
  /** As definitions of a chat model's API. */
  readonly raw: number;
  /** As declarations in full. */
  readonly full: number;
  /** As a signature line each. */
  readonly lines: number;
  /** By name only. */
  readonly names: number;
}

/** A row for each server that has some of the tools, and a total: a table for a person, or JSON. */
export async function renderTokens(tools: readonly Tool[], source: ToolsSource, json: boolean): Promise<string> {
  const count = await loadTokenCounter();
  const wanted = new Set(tools);
  const servers = source.servers.flatMap(({ name, tools: own }) => {
    const chosen = own.filter((tool) => wanted.has(tool));
    return chosen.length === 0 ? [] : [{ server: name, ...tokenCosts(chosen, source, count) }];
  });
  const total = sum(servers);
  return json ? JSON.stringify({ servers, total }, null, 2) : table(servers, total);
}

/** What these tools cost. */
export function tokenCosts(tools: readonly Tool[], { sdk }: Pick<ToolsSource, "sdk">, count: CountTokens): TokenCosts {
  const wanted = new Set(tools);
  const entries = sdk.servers.flatMap(({ file, tools: declared }) =>
    declared.filter(({ tool }) => wanted.has(tool)).map((declaration) => manifestEntry(declaration, file, count)),
  );
  return {
    tools: tools.length,
    raw: entries.reduce((all, { tokens }) => all + tokens.raw, 0),
    full: entries.reduce((all, { tokens }) => all + tokens.full, 0),
    lines: entries.reduce((all, { tokens }) => all + tokens.line, 0),
    names: count(nameLines(tools).join("\n")),
  };
}

const COLUMNS = ["tools", "raw", "full", "lines", "names"] as const satisfies readonly (keyof TokenCosts)[];

function sum(costs: readonly TokenCosts[]): TokenCosts {
  const of = (column: keyof TokenCosts): number => costs.reduce((all, cost) => all + cost[column], 0);
  return { tools: of("tools"), raw: of("raw"), full: of("full"), lines: of("lines"), names: of("names") };
}

function table(servers: readonly (TokenCosts & { readonly server: string })[], total: TokenCosts): string {
  const numbers = (costs: TokenCosts): string[] => COLUMNS.map((column) => costs[column].toLocaleString("en-US"));
  const rows = [
    ["server", ...COLUMNS],
    ...servers.map((server) => [inLine(server.server), ...numbers(server)]),
    ["total", ...numbers(total)],
    ["", "", ...(["raw", "full", "lines", "names"] as const).map((column) => percent(total[column], total.raw))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n")}\n\n${LEGEND}`;
}

const LEGEND =
  "Tokens of o200k_base. raw: definitions as a chat model's API takes them; full: declarations; lines: a signature each; names: names only.";

function percent(part: number, whole: number): string {
  if (whole === 0) return "";
  const value = (part / whole) * 100;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}
