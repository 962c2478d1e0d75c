import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ListedServer, Tool } from "../../src/catalog/tool.ts";
import { readToolList } from "../../src/mcp/saved-list.ts";

/** Where saved tool lists of real servers lie beside the project, on machines that have them. */
const CORPUS = join(import.meta.dirname, "../../../shared/corpus/tools");

/** Why there is nothing to try on, or undefined when the lists are there. */
export const corpusMissing = existsSync(CORPUS) ? undefined : `SKIPPED: the corpus of real tools is not at ${CORPUS}.`;

/** The tool lists of real servers. */
export async function readCorpus(): Promise<ListedServer[]> {
  const files = (await readdir(CORPUS)).filter((file) => file.endsWith(".json")).sort();
  return await Promise.all(
    files.map(async (file) => readToolList(JSON.parse(await readFile(join(CORPUS, file), "utf8")))),
  );
}

/** The first tools when every server gives one in turn, so that a small number is no single server's. */
export function roundRobin(servers: readonly { readonly tools: readonly Tool[] }[], count: number): Tool[] {
  const rounds = Math.max(0, ...servers.map(({ tools }) => tools.length));
  const inTurn = Array.from({ length: rounds }, (_, round) => servers.flatMap(({ tools }) => tools[round] ?? []));
  return inTurn.flat().slice(0, count);
}
