import { readFile } from "node:fs/promises";
import { buildCatalog, type Catalog } from "../catalog/catalog.ts";
import type { ListedServer } from "../catalog/tool.ts";
import { messageOf, NamiError } from "../errors.ts";
import { readToolList } from "../mcp/saved-list.ts";

/** The catalog of saved `tools/list` files, each `{ "server", "tools" }`. Throws `USAGE` that names the file. */
export async function savedCatalog(files: readonly string[]): Promise<Catalog> {
  const lists = new Map<string, { readonly file: string; readonly list: ListedServer }>();
  for (const file of files) {
    const list = await readSaved(file);
    const other = lists.get(list.name);
    if (other)
      throw new NamiError("USAGE", `Both ${other.file} and ${file} are tool lists of the server "${list.name}".`);
    lists.set(list.name, { file, list });
  }
  return buildCatalog([...lists.values()].map(({ list }) => list));
}

async function readSaved(file: string): Promise<ListedServer> {
  try {
    return readToolList(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new NamiError("USAGE", `Cannot use ${file} as a saved tool list: ${messageOf(error)}.`, { cause: error });
  }
}
