import { randomUUID } from "node:crypto";
import { constants, mkdirSync, realpathSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { nameProblem } from "./note-name.ts";

/** One note as a listing shows it. */
export interface NoteEntry {
  readonly name: string;
  readonly bytes: number;
}

/** The notes of one folder. Every method throws, with a message for a reader, on a bad name or a missing note. */
export interface NoteFolder {
  /** By name. What is not a plain Markdown file is not listed. */
  list(): Promise<readonly NoteEntry[]>;
  read(name: string): Promise<string>;
  /** Replaces the note as a whole; `created` says that there was none. */
  write(name: string, text: string): Promise<NoteEntry & { readonly created: boolean }>;
  delete(name: string): Promise<void>;
}

/** Opens the folder, and makes it when there is none. Nothing outside it is ever read or written. */
export function openFolder(directory: string): NoteFolder {
  mkdirSync(directory, { recursive: true });
  const folder = realpathSync(directory);
  return {
    async list() {
      const names = (await readdir(folder)).filter((name) => nameProblem(name) === undefined).sort();
      const entries = await Promise.all(names.map((name) => entryOf(join(folder, name), name)));
      return entries.filter((entry) => entry !== undefined);
    },
    async read(name) {
      const file = await openNote(pathOf(folder, name), name);
      try {
        return await file.readFile("utf8");
      } finally {
        await file.close();
      }
    },
    async write(name, text) {
      const path = pathOf(folder, name);
      const created = (await kindOf(path, name)) === "missing";
      // Written beside it and moved over it: a reader sees the old text or the new one, and a link is never followed.
      const temporary = join(folder, `.${name}.${randomUUID()}`);
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(text, "utf8");
        await file.close();
        await rename(temporary, path);
      } catch (error) {
        await file.close();
        await rm(temporary, { force: true });
        throw error;
      }
      return { name, bytes: Buffer.byteLength(text), created };
    },
    async delete(name) {
      const path = pathOf(folder, name);
      if ((await kindOf(path, name)) === "missing") throw missing(name);
      await unlink(path);
    },
  };
}

function pathOf(folder: string, name: string): string {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new Error(`${JSON.stringify(name)} cannot be the name of a note: ${problem}.`);
  return join(folder, name);
}

/** Opens a note to read it. The check and the opening are one step, so that nobody can put a link in between. */
async function openNote(path: string, name: string): Promise<FileHandle> {
  if ((await kindOf(path, name)) === "missing") throw missing(name);
  // O_NOFOLLOW refuses a link, O_NONBLOCK does not wait for a pipe's writer; Windows has neither.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notAFile(name);
}

/** Whether there is a note. Throws when there is something else: a link, a folder, a pipe. */
async function kindOf(path: string, name: string): Promise<"note" | "missing"> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return "missing";
  if (!stats.isFile()) throw notAFile(name);
  return "note";
}

async function entryOf(path: string, name: string): Promise<NoteEntry | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() ? { name, bytes: stats.size } : undefined;
}

const missing = (name: string): Error => new Error(`There is no note ${name}.`);
const notAFile = (name: string): Error => new Error(`${name} is not a plain file; links and folders are not notes.`);
