import type { Outcome } from "../../sandbox/index.ts";
import type { Tool } from "../catalog/tool.ts";
import type { PlannedCall } from "../gate/plan.ts";
import type { Redactor } from "../output/redact.ts";
import { redactValue } from "../output/redact-value.ts";
import type { Compiled } from "../snippet/compile.ts";
import { locateError } from "./locate-error.ts";
import type { PlannedCallView, RunOutcome } from "./result.ts";

type Program = Extract<Compiled, { kind: "program" }>;

/** The run ended because a person said so: what the snippet made of it in its last moment does not count. */
export function stoppedByPerson({ ref }: Tool): Extract<RunOutcome, { kind: "stopped" }> {
  const message = `The person did not allow ${ref} and stopped the run. Do not try it again; say what you wanted to do and why.`;
  return { kind: "stopped", reason: "denied", message };
}

/** The outcome of a run of whose plan nothing was made. */
export function heldPlan(
  ended: Outcome,
  calls: readonly PlannedCall[],
  isAborted: boolean,
  redact: Redactor,
): Exclude<RunOutcome, { kind: "rejected" | "returned" | "threw" }> {
  if (ended.kind === "stopped") return { kind: "stopped", reason: ended.reason, message: ended.message };
  if (isAborted)
    return { kind: "stopped", reason: "aborted", message: "The run was ended before its plan was decided." };
  return { kind: "planned", calls: calls.map((call) => viewOf(call, redact)) };
}

function viewOf({ sequence, tool, args }: PlannedCall, redact: Redactor): PlannedCallView {
  return { sequence, ref: tool.ref, arguments: redactValue(args, redact) };
}

/** How the sandbox ended a run, with places in the author's text and secrets masked. */
export function toRunOutcome(
  ended: Outcome,
  program: Program,
  redact: Redactor,
): Exclude<RunOutcome, { kind: "rejected" }> {
  switch (ended.kind) {
    case "returned":
      return {
        kind: "returned",
        value: redactValue(ended.json === undefined ? undefined : JSON.parse(ended.json), redact),
      };
    case "threw": {
      const error = locateError(ended.error, program);
      return {
        kind: "threw",
        error: { ...error, message: redact(error.message), ...redactedData(error.data, redact) },
      };
    }
    case "stopped":
      return { kind: "stopped", reason: ended.reason, message: ended.message };
  }
}

const redactedData = (data: unknown, redact: Redactor): { data?: unknown } =>
  data === undefined ? {} : { data: redactValue(data, redact) };
