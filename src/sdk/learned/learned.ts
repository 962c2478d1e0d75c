import { isDeepStrictEqual } from "node:util";
import type { Tool } from "../../catalog/tool.ts";
import { messageOf } from "../../errors.ts";
import { resultSchema } from "../result-schema.ts";
import { learnedPath, listLearned, readLearned, writeLearned } from "./learned-file.ts";
import { mergeObserved, type ObservedSchema, observe } from "./observe.ts";

/** A server as far as it matters here: another version may answer otherwise. */
export interface LearnedServer {
  /** The name in the user's configuration. */
  readonly name: string;
  /** What the server calls itself, with its version. */
  readonly version?: string;
}

/** Types of results that were seen, for tools that declare none. */
export interface LearnedTypes {
  /** What is known of a server's results, by tool. Another map when something new was seen; a map never changes. */
  of(server: string): ReadonlyMap<string, ObservedSchema>;
  /**
   * Takes in a successful result of a tool that declares none; `see` gives it and is called only when it is looked at. Keeps no
   * values. Costs some milliseconds at most.
   */
  observe(tool: Tool, see: () => unknown): void;
  /** Writes what is new, together with what other processes have written meanwhile. Throws when the folder is not writable. */
  save(): Promise<void>;
  /** Files that could not be read; they are replaced at the next `save`. */
  readonly problems: readonly string[];
}

/**
 * Results of one tool that are looked at between two calls of `save`: a loop over a thousand pages learns nothing more from
 * the last ones.
 */
const LOOKS = 20;

/** Reads what was learned of these servers. Without a folder, what is learned is forgotten at the end. Never throws. */
export async function openLearned(
  folder: string | undefined,
  servers: readonly LearnedServer[],
): Promise<LearnedTypes> {
  const known = new Map<string, Known>();
  const problems: string[] = [];
  for (const { name, version = "" } of servers) {
    const path = folder === undefined ? undefined : learnedPath(folder, name, version);
    let tools: ReadonlyMap<string, ObservedSchema> = new Map();
    try {
      tools = (path === undefined ? undefined : await readLearned(path))?.tools ?? tools;
    } catch (error) {
      problems.push(`The learned types in ${path} cannot be read and are learned anew: ${firstLine(messageOf(error))}`);
    }
    known.set(name, { path, version, tools, widened: new Set(), looks: new Map() });
  }
  return {
    problems,
    of: (server) => known.get(server)?.tools ?? NOTHING,
    observe: (tool, see) => {
      const server = known.get(tool.server);
      const looks = server?.looks.get(tool.name) ?? 0;
      if (server === undefined || looks >= LOOKS || resultSchema(tool) !== undefined) return;
      server.looks.set(tool.name, looks + 1);
      const before = server.tools.get(tool.name) ?? {};
      const after = mergeObserved(before, observe(see()));
      if (isDeepStrictEqual(before, after)) return;
      server.tools = new Map(server.tools).set(tool.name, after);
      server.widened.add(tool.name);
    },
    save: async () => {
      for (const [name, server] of known) await saveServer(name, server);
    },
  };
}

interface Known {
  readonly path: string | undefined;
  readonly version: string;
  tools: ReadonlyMap<string, ObservedSchema>;
  /** Tools whose type has grown since the last save. */
  readonly widened: Set<string>;
  readonly looks: Map<string, number>;
}

const NOTHING: ReadonlyMap<string, ObservedSchema> = new Map();

async function saveServer(name: string, server: Known): Promise<void> {
  server.looks.clear();
  if (server.widened.size === 0) return;
  const widened = new Map([...server.widened].map((tool) => [tool, server.tools.get(tool) ?? {}]));
  server.widened.clear();
  if (server.path === undefined) return;
  const there = (await readLearned(server.path).catch(() => undefined))?.tools ?? NOTHING;
  const tools = new Map(there);
  for (const [tool, schema] of widened) tools.set(tool, mergeObserved(there.get(tool) ?? {}, schema));
  await writeLearned(server.path, { server: name, version: server.version, tools });
}

/** Tools of which something was learned, as `server.tool`, sorted. */
export async function learnedRefs(folder: string): Promise<readonly string[]> {
  const files = await listLearned(folder);
  const refs = files.flatMap(({ file }) => [...file.tools.keys()].map((tool) => `${file.server}.${tool}`));
  return [...new Set(refs)].sort();
}

/** Forgets what was learned of a tool, for every version of its server. Gives whether there was anything. */
export async function forgetLearned(folder: string, ref: string): Promise<boolean> {
  let found = false;
  for (const { path, file } of await listLearned(folder)) {
    const kept = new Map([...file.tools].filter(([tool]) => `${file.server}.${tool}` !== ref));
    if (kept.size === file.tools.size) continue;
    found = true;
    await writeLearned(path, { ...file, tools: kept });
  }
  return found;
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
