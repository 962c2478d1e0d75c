import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, NamiError } from "../errors.ts";

/** A file of a folder that is not what it would have to be, to hold the generated files. */
export interface FileChange {
  readonly file: string;
  /** What is there; absent when nothing is. */
  readonly before?: string;
  /** What belongs there; absent for a file that nami wrote for a server that is gone. Nothing else is ever removed. */
  readonly after?: string;
}

/** As much of a manifest's entry as matters here. */
interface Entry {
  readonly server: string;
  readonly tool: string;
  readonly file: string;
}

const MANIFEST = "manifest.json";

/**
 * Compares a folder with the generated files. Its own manifest tells what nami wrote there before; the entries and files of
 * servers that `keep` names stay, for those are not part of what was generated now. Throws `USAGE` when the folder is none, or
 * holds a file of that name that is not nami's.
 */
export async function planFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  keep: (server: string) => boolean,
): Promise<FileChange[]> {
  const there = await stat(folder).catch(() => undefined);
  if (there?.isDirectory() === false) {
    throw new NamiError("USAGE", `${folder} is a file. Choose a folder with --out.`);
  }
  const before = readManifest(await readText(folder, MANIFEST));
  await refuseForeign(folder, files, new Set([MANIFEST, ...before.map(({ file }) => file)]), before.length > 0);
  const now = readManifest(files.get(MANIFEST));
  const fresh = new Set(now.map(({ server }) => server));
  const kept = before.filter(({ server }) => keep(server) && !fresh.has(server));
  const entries = [...kept, ...now].sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool));
  const wanted = new Map(files).set(MANIFEST, `${JSON.stringify(entries, null, 2)}\n`);
  const keptFiles = new Set(kept.map(({ file }) => file));
  const changes: FileChange[] = [];
  for (const file of [...new Set([...wanted.keys(), ...before.map((entry) => entry.file)])].sort(compare)) {
    const [there, belongs] = [await readText(folder, file), wanted.get(file)];
    if (there === belongs || (belongs === undefined && keptFiles.has(file))) continue;
    changes.push({
      file,
      ...(there !== undefined && { before: there }),
      ...(belongs !== undefined && { after: belongs }),
    });
  }
  return changes;
}

/** Throws `USAGE` when a file that would be written is there and nami did not write it. */
async function refuseForeign(
  folder: string,
  files: ReadonlyMap<string, string>,
  ours: ReadonlySet<string>,
  hasManifest: boolean,
): Promise<void> {
  for (const file of files.keys()) {
    const text = await readText(folder, file);
    const isOurs =
      file === MANIFEST ? hasManifest || text?.trim() === "[]" : ours.has(file) || text?.startsWith(HEADER);
    if (text === undefined || isOurs) continue;
    throw new NamiError(
      "USAGE",
      `${join(folder, file)} was not written by nami. Move it, or choose another folder with --out.`,
    );
  }
}

/** How every declaration file of ours begins. */
const HEADER = "// The tools of the MCP server ";

/** Carries out what was planned. Throws `USAGE` when the folder cannot be written. */
export async function changeFolder(folder: string, changes: readonly FileChange[]): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const { file, after } of changes) {
      if (after === undefined) await rm(join(folder, file), { force: true });
      else await writeFile(join(folder, file), after);
    }
  } catch (error) {
    throw new NamiError("USAGE", `Cannot write to ${folder}: ${messageOf(error)}. Choose another folder with --out.`, {
      cause: error,
    });
  }
}

async function readText(folder: string, file: string): Promise<string | undefined> {
  return await readFile(join(folder, file), "utf8").catch(() => undefined);
}

/** The entries of a manifest; none when it is not one of ours. A file outside the folder is no file of ours. */
function readManifest(text: string | undefined): Entry[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { server, tool, file } = value as Partial<Entry>;
  return (
    typeof server === "string" && typeof tool === "string" && typeof file === "string" && /^[^/\\]+\.d\.ts$/.test(file)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
