import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionEntry, OutcomeEntry } from "../../../src/gate/audit.ts";

/** A decision of a run, with arguments of the wanted length. */
export function decision(run: string, sequence: number, length = 10): DecisionEntry {
  return {
    event: "call-decided",
    run,
    sequence,
    server: "tickets",
    tool: "close_ticket",
    arguments: { reason: "x".repeat(length) },
    hash: "0".repeat(64),
    decision: "allowed",
    by: "--allow",
  };
}

/** How the same call ended. */
export function outcome(run: string, sequence: number): OutcomeEntry {
  const call = { run, sequence, server: "tickets", tool: "close_ticket" };
  return { event: "call-finished", ...call, outcome: "ok", ms: 3, bytes: 20 };
}

/** A path for an audit in a folder of its own. */
export async function auditPath(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "nami-audit-")), "state", "audit.jsonl");
}

/** The lines of a file. */
export async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").slice(0, -1);
}

/** Writes lines back after changing them. */
export async function rewrite(file: string, change: (lines: string[]) => string[]): Promise<void> {
  await writeFile(file, `${change(await linesOf(file)).join("\n")}\n`);
}
