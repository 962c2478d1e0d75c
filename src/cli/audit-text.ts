import { escapeInvisible } from "../catalog/visible-text.ts";
import type { AuditRecord } from "../gate/audit/query.ts";

/** Characters of arguments that a line shows. `--json` has all that the audit keeps. */
const SHOWN_ARGUMENTS = 160;

/** A line for a person: when (UTC), which call, what it was, and what came of it. Safe to show in a terminal. */
export function auditText(record: AuditRecord): string {
  const { time, run, sequence, caller, server, tool } = record;
  const call = `${time.replace("T", " ").replace(/\.\d+Z$/, "Z")}  ${run} #${sequence} ${caller}  ${server}.${tool}`;
  return oneLine(`${call}  ${record.event === "call-decided" ? decided(record) : finished(record)}`);
}

type Of<Event> = Extract<AuditRecord, { event: Event }>;

function decided({ decision, by, arguments: args }: Of<"call-decided">): string {
  const json = (typeof args === "string" ? args : JSON.stringify(args)) ?? "";
  const shown = json.length > SHOWN_ARGUMENTS ? `${json.slice(0, SHOWN_ARGUMENTS)}…` : json;
  return `${decision} by ${by}  ${shown}`;
}

function finished({ outcome, ms, bytes }: Of<"call-finished">): string {
  return `ended: ${outcome}, ${ms} ms${bytes > 0 ? `, ${bytes} characters` : ""}`;
}

/** Names come from servers, and the file may have been changed: nothing in it may end a line or move the cursor. */
function oneLine(text: string): string {
  return escapeInvisible(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}
