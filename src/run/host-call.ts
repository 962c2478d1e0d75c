import type { HostCall, HostReply } from "../../sandbox/index.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { messageOf } from "../errors.ts";
import type { SnippetLine } from "../gate/ask.ts";
import type { Caller, CallOutcome } from "../gate/caller.ts";
import type { Redactor } from "../output/redact.ts";
import { redactValue } from "../output/redact-value.ts";
import type { Emit, RunEvent } from "./events.ts";
import type { CallRecord, Journal } from "./journal.ts";
import type { Meter } from "./receipt.ts";

/** What a guest's call passes on its way to the gate and back. */
export interface HostCallOptions {
  readonly run: string;
  readonly catalog: Catalog;
  readonly caller: Caller;
  readonly journal: Journal;
  readonly meter: Meter;
  /** Masks what looks like a secret in texts for people and models. */
  readonly redact: Redactor;
  /** Masks only the configured secrets: data must not change for looking like one. */
  readonly maskSecrets: Redactor;
  /** Told of each successful result; `see` gives it with all masked that output would mask. Must not throw. */
  readonly observe: (tool: Tool, see: () => unknown) => void;
  readonly emit: Emit;
  /** The value that stands for a planned call's result. */
  readonly placeholder: (tool: Tool, sequence: number) => unknown;
  /** The author's line at a place in the code that runs. */
  readonly lineAt: (line: number, column: number) => SnippetLine | undefined;
}

/** A host call that can say when all its calls have ended. */
export interface TrackedHostCall {
  readonly call: HostCall;
  /** Resolves when every call has its outcome; calls that are cancelled have theirs at once. */
  settled(): Promise<void>;
}

/** The sandbox's way out: names become a tool, the gate decides, the result goes back as JSON with secrets masked. */
export function createHostCall(options: HostCallOptions): TrackedHostCall {
  const open = new Set<Promise<unknown>>();
  const answer = answerCalls(options);
  return {
    call: (call, context) => {
      const reply = answer(call, context).finally(() => open.delete(reply));
      open.add(reply);
      return reply;
    },
    settled: async () => {
      await Promise.race([Promise.allSettled(open), new Promise((resolve) => setTimeout(resolve, SETTLING).unref())]);
    },
  };
}

/** Milliseconds that the end of a run waits for its cancelled calls to be written down. */
const SETTLING = 1000;

function answerCalls(options: HostCallOptions): HostCall {
  const { run, catalog, caller, journal, meter, redact, maskSecrets, observe, emit, lineAt, placeholder } = options;
  return async ({ sequence, namespace, member, args, line, column }, { signal, pauseClock }) => {
    const tool = catalog.at(namespace, member);
    if (tool === undefined) return failure("ToolError", `${namespace}.${member} is not connected`);
    const { ref } = tool;
    journal.begin(sequence, tool);
    emit({ kind: "call-started", run, sequence, ref });
    const place = line === undefined || column === undefined ? undefined : lineAt(line, column);
    let outcome: CallOutcome;
    const onDecided = (decision: CallRecord["decision"]): void => journal.decided(sequence, decision);
    try {
      outcome = await caller.call({
        ...{ sequence, tool, args, signal, pauseClock, onDecided },
        ...(place !== undefined && { line: place }),
      });
    } catch (error) {
      // The gate cannot do its duty (the audit is not writable), so the call was not made.
      outcome = { kind: "not-sent", why: "cancelled", message: messageOf(error) };
    }
    journal.end(sequence, outcome);
    emit({ kind: "call-ended", run, sequence, ref, ...endOf(outcome) });
    if (outcome.kind === "planned") return { kind: "value", json: JSON.stringify(placeholder(tool, sequence)) };
    if (outcome.kind !== "value") return toFailure(outcome, options);
    const value = redactValue(outcome.value, maskSecrets);
    observe(tool, () => redactValue(value, redact));
    const json = JSON.stringify(value) ?? "null";
    meter.result(json);
    return { kind: "value", json };
  };
}

function endOf(outcome: CallOutcome): Pick<Extract<RunEvent, { kind: "call-ended" }>, "outcome" | "ms"> {
  if (outcome.kind === "not-sent") return { outcome: outcome.why, ms: 0 };
  return { outcome: outcome.kind, ms: outcome.kind === "planned" ? 0 : outcome.ms };
}

/** The kinds of failure that a snippet can tell apart by `error.name`. */
type FailureName = "ToolError" | "ProtocolError" | "PermissionError" | "ArgumentError";

function toFailure(
  outcome: Exclude<CallOutcome, { kind: "value" | "planned" }>,
  { redact, maskSecrets }: HostCallOptions,
): HostReply {
  switch (outcome.kind) {
    case "tool-error":
      return failure("ToolError", redact(outcome.message), redactValue(outcome.data, maskSecrets));
    case "error":
    case "cancelled":
      return failure("ProtocolError", redact(outcome.message));
    case "not-sent":
      return outcome.why === "invalid"
        ? failure("ArgumentError", redact(outcome.message), redactValue(outcome.data, maskSecrets))
        : failure("PermissionError", redact(outcome.message));
  }
}

function failure(name: FailureName, message: string, data?: unknown): HostReply {
  return { kind: "error", error: { name, message, ...(data !== undefined && { data }) } };
}
