import type { Tool } from "../catalog/tool.ts";
import { NamiError } from "../errors.ts";
import { loadTokenCounter } from "../sdk/manifest.ts";
import { renderFolded } from "../sdk/view/fold.ts";
import { renderView } from "../sdk/view/view.ts";
import { nameLines } from "../sdk/view/view-names.ts";
import type { ToolsSource } from "./tools-source.ts";

/** How much is shown of each tool. */
export const VIEWS = ["names", "lines", "full"] as const;
export type ToolsView = (typeof VIEWS)[number];

/** Tools to show. */
interface ShownTools {
  readonly tools: readonly Tool[];
  readonly isNamed?: boolean;
  readonly path?: string;
}

interface ViewFlags {
  readonly view?: ToolsView;
  readonly budget?: number;
  readonly json?: true;
}

/** Below so many tokens a tool, types in full say less than a line. */
const LEAST_SHARE = 200;

/**
 * Tools in one view: what is named in full, what was found a line each, unless `--view` says otherwise. Throws `USAGE` for a
 * path that leads nowhere and for a budget that is too small for types in full.
 */
export async function renderTools(shown: ShownTools, source: ToolsSource, flags: ViewFlags): Promise<string> {
  const { tools, isNamed = false } = shown;
  if (flags.json) return asJson(tools, isNamed, source);
  const { sdk } = source;
  const view = flags.view ?? (isNamed ? "full" : "lines");
  if (view === "full") return await renderFull(shown, source, flags.budget);
  if (flags.budget === undefined)
    return view === "names" ? nameLines(tools).join("\n") : tools.map(sdk.signatureLine).join("\n");
  return renderView({ tools, sdk, detail: view, budgetTokens: flags.budget, count: await loadTokenCounter() });
}

async function renderFull(
  { tools, path }: ShownTools,
  { sdk }: ToolsSource,
  budget: number | undefined,
): Promise<string> {
  if (budget === undefined && path === undefined) return tools.map((tool) => sdk.describe(tool)).join("\n");
  const count = await loadTokenCounter();
  const share = budget === undefined ? WHOLE : Math.floor(budget / Math.max(1, tools.length));
  if (share < LEAST_SHARE) {
    throw new NamiError(
      "USAGE",
      `${tools.length} tools in full need --budget ${tools.length * LEAST_SHARE} or more. Show fewer, or use --view lines.`,
    );
  }
  const texts = tools.map((tool) => {
    const { kind, text } = renderFolded({ tool, sdk, count, budgetTokens: share, ...(path !== undefined && { path }) });
    if (kind === "missing") throw new NamiError("USAGE", `${tool.ref}: ${text}`);
    return text;
  });
  return texts.join("\n");
}

/** For a person: as long as it is. */
const WHOLE = Number.MAX_SAFE_INTEGER;

function asJson(tools: readonly Tool[], isNamed: boolean, { sdk }: ToolsSource): string {
  if (isNamed) return tools.map((tool) => JSON.stringify(tool, null, 2)).join("\n");
  return JSON.stringify(
    tools.map((tool) => ({ ref: tool.ref, signature: sdk.signature(tool) })),
    null,
    2,
  );
}
