import { z } from "zod";
import { auditLines } from "./lines.ts";

const common = {
  time: z.string(),
  caller: z.string(),
  run: z.string(),
  sequence: z.number(),
  server: z.string(),
  tool: z.string(),
  previous: z.string(),
};

const recordSchema = z.discriminatedUnion("event", [
  z.looseObject({
    event: z.literal("call-decided"),
    ...common,
    arguments: z.unknown(),
    hash: z.string(),
    decision: z.string(),
    by: z.string(),
  }),
  z.looseObject({
    event: z.literal("call-finished"),
    ...common,
    outcome: z.string(),
    ms: z.number(),
    bytes: z.number(),
  }),
]);

/** A line of the audit as it was read back; fields of newer versions stay in it. */
export type AuditRecord = z.infer<typeof recordSchema>;

/** Which lines are wanted; what is absent does not narrow. */
export interface AuditQuery {
  /** A run's id, or its beginning, with or without `run-`. */
  readonly run?: string;
  /** A tool's name or its ref, exactly. */
  readonly tool?: string;
  readonly server?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Most lines, the newest ones. */
  readonly limit: number;
}

/** A line that was found: read, and as it stands in the file. */
export interface FoundLine {
  readonly record: AuditRecord;
  readonly text: string;
}

/** The lines that were found, oldest first. */
export interface AuditAnswer {
  readonly lines: readonly FoundLine[];
  /** Lines that fit and are older than the limit lets through. */
  readonly left: number;
  /** Lines that cannot be read, of any run. */
  readonly unreadable: number;
}

/** Reads the audit through, keeping no more than `limit` lines. Throws what the file system throws. */
export async function queryAudit(file: string, query: AuditQuery): Promise<AuditAnswer> {
  const lines: FoundLine[] = [];
  let found = 0;
  let unreadable = 0;
  for await (const { line } of auditLines(file)) {
    const text = line.toString("utf8");
    const record = parseRecord(text);
    if (record === undefined) unreadable++;
    else if (fits(record, query)) lines[found++ % query.limit] = { record, text };
  }
  const oldest = found > query.limit ? found % query.limit : 0;
  return {
    lines: [...lines.slice(oldest), ...lines.slice(0, oldest)],
    left: Math.max(0, found - query.limit),
    unreadable,
  };
}

function parseRecord(text: string): AuditRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function fits(record: AuditRecord, { run, tool, server, since }: AuditQuery): boolean {
  if (run !== undefined && !record.run.startsWith(run) && !record.run.startsWith(`run-${run}`)) return false;
  if (tool !== undefined && record.tool !== tool && `${record.server}.${record.tool}` !== tool) return false;
  if (server !== undefined && record.server !== server) return false;
  return since === undefined || Date.parse(record.time) >= since;
}
