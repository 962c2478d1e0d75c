import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf, NamiError } from "../errors.ts";

/** What the gate decided on a call, written before anything is sent. */
export interface DecisionEntry {
  readonly event: "call-decided";
  readonly run: string;
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  /** Redacted and cut; `hash` is of the exact arguments. */
  readonly arguments: unknown;
  readonly hash: string;
  readonly decision: "allowed" | "denied" | "refused" | "cancelled" | "invalid" | "planned";
  /** The rule or the person that decided. */
  readonly by: string;
}

/** How an allowed call ended. */
export interface OutcomeEntry {
  readonly event: "call-finished";
  readonly run: string;
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  readonly outcome: "ok" | "tool-error" | "error" | "cancelled";
  /** Milliseconds from sending to the answer. */
  readonly ms: number;
  /** Size of the result as JSON, in UTF-16 units. */
  readonly bytes: number;
}

export type AuditEntry = DecisionEntry | OutcomeEntry;

/** Where every decision and every call is written down. */
export interface Audit extends AsyncDisposable {
  /** Resolves when the line is handed to the operating system; throws `AUDIT_UNWRITABLE` otherwise. */
  write(entry: AuditEntry): Promise<void>;
}

/**
 * An audit that appends JSON lines to a file (mode 0600, its folder is made). Lines of several processes do not mix: each
 * is one write in append mode.
 */
export function openAudit(file: string): Audit {
  let handle: Promise<FileHandle> | undefined;
  const opened = (): Promise<FileHandle> => {
    handle ??= mkdir(dirname(file), { recursive: true, mode: 0o700 }).then(() => open(file, "a", 0o600));
    return handle;
  };
  return {
    write: async (entry) => {
      try {
        const target = await opened();
        await target.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
      } catch (error) {
        // The next write tries a fresh handle: the disk may have room again by then.
        void handle?.then((broken) => broken.close()).catch(() => {});
        handle = undefined;
        throw new NamiError(
          "AUDIT_UNWRITABLE",
          `No call is made, because the audit file ${file} cannot be written: ${messageOf(error)}. Free the disk, fix its permissions, or set NAMI_HOME to another folder.`,
          { cause: error },
        );
      }
    },
    [Symbol.asyncDispose]: async () => {
      const target = await handle?.catch(() => undefined);
      await target?.close();
    },
  };
}
