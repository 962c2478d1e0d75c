import { messageOf, NamiError } from "../errors.ts";
import { createChain } from "./audit/chain.ts";
import type { AuditCaller, AuditEntry, TimedEntry } from "./audit/entry.ts";
import { AUDIT_FILE_BYTES } from "./audit/files.ts";
import { createFileLock } from "./audit/lock.ts";

export type { AuditCaller, AuditEntry, DecisionEntry, OutcomeEntry } from "./audit/entry.ts";

/** Where every decision and every call is written down. */
export interface Audit extends AsyncDisposable {
  /**
   * Resolves when the line is handed to the operating system; throws `AUDIT_UNWRITABLE` otherwise. Decisions are written at
   * once; how a call ended waits up to `COMPANY` milliseconds for other lines. Lines keep the order of the calls of `write`.
   */
  write(entry: AuditEntry): Promise<void>;
  /** Resolves when nothing waits any more, be it written or failed. Never throws. */
  flush(): Promise<void>;
}

export interface AuditOptions {
  /** Default `library`. */
  readonly caller?: AuditCaller;
  /** Bytes from which a file is set aside; default `AUDIT_FILE_BYTES`. */
  readonly fullAt?: number;
}

/** Milliseconds that the line of a finished call waits for others, so that calls one after the other cost one write each. */
const COMPANY = 20;

/**
 * An audit that appends JSON lines to a file (mode 0600, its folder is made). Each line carries the hash of the one before,
 * also across files that were set aside, and across processes that write at the same time: they take turns.
 */
export function openAudit(file: string, options: AuditOptions = {}): Audit {
  const { caller = "library", fullAt = AUDIT_FILE_BYTES } = options;
  const chain = createChain(file, fullAt);
  const lock = createFileLock(`${file}.lock`);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll();
    return writing;
  };
  /** All that comes in the same turn of the event loop is one write. */
  const writeAll = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await lock.hold(() => chain.append(batch.map(({ entry }) => entry)));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(unwritable(file, error));
      }
    }
    writing = undefined;
  };
  return {
    write: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ entry: { ...entry, time: new Date().toISOString(), caller }, resolve, reject });
        if (entry.event === "call-decided") void start();
        else timer ??= setTimeout(start, COMPANY);
      }),
    flush: start,
    [Symbol.asyncDispose]: async () => {
      await start();
      lock[Symbol.dispose]();
    },
  };
}

interface Waiting {
  readonly entry: TimedEntry;
  readonly resolve: () => void;
  readonly reject: (error: NamiError) => void;
}

function unwritable(file: string, error: unknown): NamiError {
  return new NamiError(
    "AUDIT_UNWRITABLE",
    `No call is made, because the audit file ${file} cannot be written: ${messageOf(error)}. Free the disk, fix its permissions, or set NAMI_HOME to another folder.`,
    { cause: error },
  );
}
