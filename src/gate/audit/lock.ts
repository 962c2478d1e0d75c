import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../errors.ts";

/** Makes processes take turns. */
export interface FileLock extends Disposable {
  /** Waits for its turn, at most `LOCK_WAIT`, and runs the action. Throws when it gets no turn, and what the action throws. */
  hold(action: () => void): Promise<void>;
}

/** Milliseconds to wait for a turn. A turn takes less than one; whoever has it for so long has stopped or hangs. */
export const LOCK_WAIT = 2000;

/** Milliseconds between two tries, at most. */
const PAUSE = 4;

/**
 * A lock in a file of its own (mode 0600; its folder is made). It is an empty SQLite database: of all that Node brings, that
 * alone takes locks of the operating system, which end with their process however it dies. A file with a process number in
 * it would have to be judged and removed by others, with a race between the two.
 */
export function createFileLock(file: string): FileLock {
  let open: OpenLock | undefined;
  const close = (): void => {
    open?.database.close();
    open = undefined;
  };
  /** The lock of the file that is there now: whoever removed it has let others make a new one. */
  const takeTurn = async (): Promise<OpenLock> => {
    for (;;) {
      open ??= openLock(file);
      await begin(open.database, file);
      if (statSync(file, { throwIfNoEntry: false })?.ino === open.id) return open;
      close();
    }
  };
  return {
    hold: async (action) => {
      const { database } = await takeTurn();
      try {
        action();
      } finally {
        database.exec("ROLLBACK");
      }
    },
    [Symbol.dispose]: close,
  };
}

interface OpenLock {
  readonly database: DatabaseSync;
  /** The file's number: another one means another file. */
  readonly id: number;
}

function openLock(file: string): OpenLock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Never opened when it is there: closing a file gives up all of the process's locks on it.
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const { DatabaseSync } = sqlite();
  return { database: new DatabaseSync(file, { timeout: 0 }), id: statSync(file).ino };
}

/** SQLite, without the warning of Node 24 that it is experimental: nobody who runs a snippet can do anything about that. */
function sqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Takes the lock and writes nothing: a journal on disk would cost five times as much, and fail when the disk is full. */
const BEGIN = "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE";

async function begin(database: DatabaseSync, file: string): Promise<void> {
  const end = performance.now() + LOCK_WAIT;
  for (;;) {
    try {
      database.exec(BEGIN);
      return;
    } catch (error) {
      if (!isBusy(error))
        throw new Error(`its lock ${file} is broken; delete that file (${messageOf(error)})`, { cause: error });
      if (performance.now() > end) {
        throw new Error(`another process has held ${file} for ${LOCK_WAIT / 1000} s`, { cause: error });
      }
    }
    await sleep(Math.random() * PAUSE);
  }
}

/** `SQLITE_BUSY`, https://www.sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}
