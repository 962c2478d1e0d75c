import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Counts that survive the process and hold across processes. */
export interface DayCounts {
  /** Counts one more for a rule on this local day and gives the count. Throws what the file system throws. */
  take(rule: string): Promise<number>;
}

/** Bytes of one count in a file: as many random ones, so that each finds its own place again. */
const RECORD = 16;

/** Files that nobody has written to for so long are removed, in milliseconds: two days, for all time zones. */
const KEPT = 2 * 24 * 60 * 60 * 1000;

/**
 * Keeps counts in a folder, a file for each rule and day. To count is to append one record; the place at which it landed is
 * the count. Appending is one step for the operating system, so that calls at once get different places and there is no lock
 * that a dead process could leave.
 */
export function openDayCounts(folder: string, now: () => Date = () => new Date()): DayCounts {
  let swept: Promise<void> | undefined;
  /** Bytes of each file up to the last record of our own: our next ones come after. */
  const passed = new Map<string, number>();
  return {
    take: async (rule) => {
      swept ??= mkdir(folder, { recursive: true, mode: 0o700 }).then(() => sweep(folder, now().getTime()));
      await swept.catch(() => {});
      const file = join(folder, `${localDay(now())}-${createHash("sha256").update(rule).digest("hex").slice(0, 32)}`);
      const end = await append(file, passed.get(file) ?? 0);
      passed.set(file, Math.max(end, passed.get(file) ?? 0));
      return end / RECORD;
    },
  };
}

/** Appends a record and finds it from `start` on. Gives the position of its end. */
async function append(file: string, start: number): Promise<number> {
  const record = randomBytes(RECORD);
  await using handle = await open(file, "a+", 0o600);
  await handle.appendFile(record);
  const { size } = await handle.stat();
  // A file that is shorter than before was emptied by somebody: it is read from its start.
  const from = start < size ? start : 0;
  const bytes = Buffer.alloc(size - from);
  await handle.read(bytes, 0, bytes.length, from);
  for (let at = 0; at + RECORD <= bytes.length; at += RECORD) {
    if (record.equals(bytes.subarray(at, at + RECORD))) return from + at + RECORD;
  }
  throw new Error(`${file} was changed by another program; delete it to count anew`);
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (now - (await stat(file)).mtimeMs > KEPT) await rm(file, { force: true });
  }
}

function localDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
