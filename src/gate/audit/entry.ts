/** Who makes the calls: a command, a program with the library, or a client of a served nami. */
export type AuditCaller = "exec" | "run" | "library" | "serve";

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

/** An entry as it waits to be written. */
export type TimedEntry = AuditEntry & {
  /** When it happened, in UTC with milliseconds (ISO 8601). */
  readonly time: string;
  readonly caller: AuditCaller;
};
