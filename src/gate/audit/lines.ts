import { type FileHandle, open } from "node:fs/promises";
import { setAsideFiles } from "./files.ts";

/** A line of the audit and where it stands. */
export interface PlacedLine {
  readonly file: string;
  /** From 1, in its file. */
  readonly number: number;
  /** Without its line break. */
  readonly line: Buffer;
  /** Whether a line break ends it: the last line of a file may have been cut. */
  readonly hasBreak: boolean;
}

/**
 * All lines of an audit, oldest first: of the files that were set aside and of the current one, as far as they are written
 * when their turn comes. Holds one line at a time. No file at all gives no lines; throws what the file system throws.
 */
export async function* auditLines(file: string): AsyncGenerator<PlacedLine> {
  const { current, setAside } = await openAll(file);
  try {
    for (const name of setAside) {
      await using handle = await open(name);
      yield* linesOf(name, handle);
    }
    if (current) yield* linesOf(file, current);
  } finally {
    await current?.close();
  }
}

/** The current file, opened, and the names of the others, taken at one moment: the current one may be set aside at any time. */
async function openAll(
  file: string,
): Promise<{ readonly current: FileHandle | undefined; readonly setAside: readonly string[] }> {
  let setAside = setAsideFiles(file);
  for (;;) {
    const current = await openIfThere(file);
    const now = setAsideFiles(file);
    if (now.at(-1) === setAside.at(-1)) return { current, setAside };
    setAside = now;
    await current?.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const LINE_BREAK = 0x0a;

async function* linesOf(file: string, handle: FileHandle): AsyncGenerator<PlacedLine> {
  let number = 0;
  let rest: Buffer[] = [];
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) {
    // Without an encoding, a file's stream gives buffers.
    const bytes = chunk as Buffer;
    let start = 0;
    for (let end = bytes.indexOf(LINE_BREAK); end !== -1; end = bytes.indexOf(LINE_BREAK, start)) {
      yield { file, number: ++number, line: Buffer.concat([...rest, bytes.subarray(start, end)]), hasBreak: true };
      rest = [];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) yield { file, number: ++number, line: Buffer.concat(rest), hasBreak: false };
}
