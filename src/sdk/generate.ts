import { loadTokenCounter, manifestEntry } from "./manifest.ts";
import type { Sdk } from "./sdk.ts";

/**
 * The generated folder: file name → text, sorted by name. One `.d.ts` a server and `manifest.json`, a list with an entry a
 * tool. The same tools give the same bytes in whatever order they were listed.
 */
export async function renderGenerated({ servers }: Pick<Sdk, "servers">): Promise<ReadonlyMap<string, string>> {
  const count = await loadTokenCounter();
  const entries = servers.flatMap(({ file, tools }) => tools.map((tool) => manifestEntry(tool, file, count)));
  const declarations = servers.map(({ file, text }) => [file, text] as const);
  const files = new Map([...declarations, ["manifest.json", `${JSON.stringify(entries, null, 2)}\n`]]);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
