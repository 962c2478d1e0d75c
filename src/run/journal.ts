import type { Tool } from "../catalog/tool.ts";
import type { CallOutcome } from "../gate/caller.ts";

/** One call of a run, as far as it has come. Sizes are of JSON in UTF-16 units, times in milliseconds. */
export interface CallRecord {
  /** The call's number in its run, from 1. */
  readonly sequence: number;
  readonly ref: string;
  readonly decision: "pending" | "allowed" | "denied" | "refused" | "cancelled" | "invalid" | "planned";
  readonly outcome: "pending" | "ok" | "tool-error" | "error" | "cancelled" | "not sent";
  readonly ms: number;
  readonly bytes: number;
  /** The cap of a rule that is why it was refused. */
  readonly cap?: string;
}

/** The calls of one run, in the order in which the snippet made them. */
export interface Journal {
  begin(sequence: number, tool: Tool): void;
  /** Before a call is sent: from here on it may take effect. */
  decided(sequence: number, decision: CallRecord["decision"]): void;
  end(sequence: number, outcome: CallOutcome): void;
  /** A call that the snippet did not make after all. */
  forget(sequence: number): void;
  calls(): readonly CallRecord[];
}

export function createJournal(): Journal {
  const records = new Map<number, CallRecord>();
  return {
    begin: (sequence, tool) => {
      records.set(sequence, { sequence, ref: tool.ref, decision: "pending", outcome: "pending", ms: 0, bytes: 0 });
    },
    decided: (sequence, decision) => {
      const record = records.get(sequence);
      if (record) records.set(sequence, { ...record, decision });
    },
    end: (sequence, outcome) => {
      const record = records.get(sequence);
      if (record) records.set(sequence, { ...record, ...ending(outcome) });
    },
    forget: (sequence) => void records.delete(sequence),
    calls: () => [...records.values()].sort((a, b) => a.sequence - b.sequence),
  };
}

function ending(outcome: CallOutcome): Pick<CallRecord, "decision" | "outcome" | "ms" | "bytes" | "cap"> {
  if (outcome.kind === "planned") return { decision: "planned", outcome: "not sent", ms: 0, bytes: 0 };
  if (outcome.kind === "not-sent") {
    const { why, cap } = outcome;
    return { decision: why, outcome: "not sent", ms: 0, bytes: 0, ...(cap !== undefined && { cap }) };
  }
  const bytes = "bytes" in outcome ? outcome.bytes : 0;
  return { decision: "allowed", outcome: outcome.kind === "value" ? "ok" : outcome.kind, ms: outcome.ms, bytes };
}
