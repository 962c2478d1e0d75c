import type { Tool } from "../catalog/tool.ts";
import type { ApprovalOptions, ApprovalRequest } from "./approvals.ts";
import type { Effect, PendingCall, Question } from "./ask.ts";
import { callHash } from "./canonical.ts";
import { destinationOf, ruleFor, ruleForDestination } from "./grants.ts";

/** A call as a question shows it, frozen. */
export function pendingCall(
  { sequence, tool, args, line, reason }: ApprovalRequest,
  redactValue: (value: unknown) => unknown,
): PendingCall {
  const hash = callHash(tool.server, tool.name, args);
  return Object.freeze({
    sequence,
    tool,
    args,
    shown: redactValue(args),
    effect: effectOf(tool),
    hash,
    ...(line !== undefined && { line }),
    ...(reason !== undefined && { reason }),
  });
}

function effectOf({ annotations }: Tool): Effect {
  if (annotations?.destructiveHint) return "destroys";
  if (annotations?.readOnlyHint) return "reads";
  return annotations?.readOnlyHint === false || annotations?.destructiveHint === false ? "writes" : "unknown";
}

/** The question about calls that wait, frozen: the first one's tool is what it is about. Rules are offered where they can be written. */
export function questionOf(
  first: PendingCall,
  calls: readonly PendingCall[],
  options: Pick<ApprovalOptions, "run" | "writeRule" | "made"> & { readonly isPlan: boolean },
): Question {
  const destination = destinationOf(first.args);
  const isWritable = options.writeRule !== undefined;
  const rule = isWritable ? ruleFor(first.tool) : undefined;
  const destinationRule = isWritable ? ruleForDestination(first.tool, destination) : undefined;
  return Object.freeze({
    ...first,
    run: options.run,
    calls: Object.freeze(calls),
    waiting: calls.length - 1,
    made: options.made.get(first.tool) ?? 0,
    ...(options.isPlan && { plan: true as const }),
    ...(destination !== undefined && { destination }),
    ...(rule !== undefined && { rule }),
    ...(destinationRule !== undefined && { destinationRule }),
  });
}
