import { loadTokenCounter, manifestEntry } from "./manifest.ts";
import type { Sdk } from "./sdk.ts";

/**
 * The generated folder: file name → text, sorted by name. One `.d.ts` a server and `manifest.json`, a list with an entry a
 * tool. The same tools give the same bytes in whatever order they were listed.
 */
export async function renderGenerated(sdk: Sdk): Promise<ReadonlyMap<string, string>> {
  const count = await loadTokenCounter();
  const entries = sdk.servers.flatMap(({ file, tools }) => tools.map((tool) => manifestEntry(tool, file, count)));
  const files = new Map([...sdk.declarations, ["manifest.json", `${JSON.stringify(entries, null, 2)}\n`]]);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
