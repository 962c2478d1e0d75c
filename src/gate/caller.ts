import type { Tool } from "../catalog/tool.ts";
import { messageOf } from "../errors.ts";
import type { Connection } from "../mcp/connection.ts";
import type { ArgumentValidator } from "../sdk/arguments/validate.ts";
import { type Approval, type Approvals, countMade, createApprovals, LATER } from "./approvals.ts";
import type { Ask, SnippetLine } from "./ask.ts";
import type { Audit } from "./audit.ts";
import { callHash, deepFreeze } from "./canonical.ts";
import type { Grants, WrittenRule } from "./grants.ts";
import type { Plan, PlannedCall } from "./plan.ts";
import type { Rules, Ruling, RunRules } from "./rules.ts";

/** One call that a snippet wants to make. */
export interface CallRequest {
  /** The call's number in its run, from 1. */
  readonly sequence: number;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Where the snippet makes the call, as far as known. */
  readonly line?: SnippetLine;
  /** Stops the run's clock while a person is asked; the returned function starts it again, and waits for the call's turn. */
  readonly pauseClock: () => () => Promise<void>;
  /** Told before anything is sent. */
  readonly onDecided: (decision: Decision["kind"]) => void;
}

/** What came of a call that was sent. `bytes`: size of the result; `ms`: from sending to the answer. */
export type SentOutcome =
  | { readonly kind: "value"; readonly value: unknown; readonly bytes: number; readonly ms: number }
  /** The tool itself said that it failed (`isError`). */
  | {
      readonly kind: "tool-error";
      readonly message: string;
      readonly data: unknown;
      readonly bytes: number;
      readonly ms: number;
    }
  /** Protocol error, timeout, or the server died. */
  | { readonly kind: "error"; readonly message: string; readonly ms: number }
  /** The run ended before the answer; the server was told. */
  | { readonly kind: "cancelled"; readonly message: string; readonly ms: number };

/** What came of a call. */
export type CallOutcome =
  | SentOutcome
  /** In a draft of a plan: nothing was sent, and nobody asked yet. */
  | { readonly kind: "planned" }
  /** A rule or a person said no, nobody was there to ask, the run ended before anybody could, or the arguments break the schema. */
  | {
      readonly kind: "not-sent";
      readonly why: Exclude<Decision["kind"], "allowed" | "planned">;
      readonly message: string;
      /** The cap of a rule that is why nobody allowed it. */
      readonly cap?: string;
      /** Of invalid arguments: what is wrong with each. */
      readonly data?: unknown;
    };

/** The one road from a snippet to a server, for one run. */
export interface Caller {
  /** Decides, asks if need be, writes the audit and sends. Throws only `AUDIT_UNWRITABLE`, before anything is sent. */
  call(request: CallRequest): Promise<CallOutcome>;
  /** Asks about the calls of a plan, all together, and gives an answer for each. */
  review(calls: readonly PlannedCall[], signal: AbortSignal): Promise<readonly Approval[]>;
}

/** What the gate needs from around it. */
export interface GateOptions {
  readonly rules: Rules;
  readonly connections: ReadonlyMap<string, Connection>;
  readonly audit: Audit;
  /** Checks arguments against the tool's own schema before anybody is asked. */
  readonly validator: ArgumentValidator;
  /** Absent when nobody can be asked. */
  readonly ask: Ask | undefined;
  /** What a person has allowed for good, in this process. */
  readonly always: Grants;
  /** Writes a rule of the user's; absent when there is no file for it. */
  readonly writeRule?: (rule: WrittenRule) => Promise<void>;
  /** Told when a person stops the run. */
  readonly onStop: (tool: Tool) => void;
  /** With it, what would have to be asked is planned, as long as the plan is a draft. */
  readonly plan?: Plan;
  /** Masks secrets in what people and the audit are shown. */
  readonly redactValue: (value: unknown) => unknown;
  /** Told of what went wrong beside a call that has happened all the same. */
  readonly onProblem: (message: string) => void;
}

/** Characters of arguments, as JSON, that an audit line keeps. */
const AUDITED_ARGUMENTS = 4000;

/** Makes the caller of one run. Approvals for a whole tool last as long as it does. */
export function createCaller(run: string, gate: GateOptions): Caller {
  const made = new Map<Tool, number>();
  const { ask, always, writeRule, redactValue, onStop, onProblem } = gate;
  const approvals = createApprovals({ run, ask, always, writeRule, redactValue, onStop, onProblem, made });
  const rules = gate.rules.forRun();
  const unchecked = new Set<Tool>();
  /** Nothing when the arguments are as the schema wants them, or when they cannot be checked. */
  const invalid = async (tool: Tool, args: unknown): Promise<Invalid | undefined> => {
    const check = await gate.validator.check(tool, args);
    if (check.kind === "invalid") return { ...check, by: "the tool's schema" };
    if (check.kind === "skipped" && !unchecked.has(tool)) {
      unchecked.add(tool);
      gate.onProblem(`The arguments of ${tool.ref} were not checked before the call: ${check.reason}.`);
    }
    return undefined;
  };
  return {
    review: (calls, signal) => approvals.review(calls, signal),
    call: async (request) => {
      const { sequence, tool, signal } = request;
      const args = deepFreeze(request.args);
      const decision: Decision =
        (await invalid(tool, args)) ?? (await decide({ ...request, args }, rules, approvals, made, gate.plan));
      const identity = { run, sequence, server: tool.server, tool: tool.name };
      await gate.audit.write({
        event: "call-decided",
        ...identity,
        arguments: auditedArguments(gate.redactValue(args)),
        hash: callHash(tool.server, tool.name, args),
        decision: decision.kind,
        by: decision.by,
      });
      request.onDecided(decision.kind);
      if (decision.kind === "invalid") {
        return { kind: "not-sent", why: decision.kind, message: decision.message, data: decision.problems };
      }
      if (decision.kind === "planned") return { kind: "planned" };
      if (decision.kind !== "allowed") {
        const message = decision.message ?? (decision.by === LATER ? putOff(tool) : notSent(tool, decision.kind));
        const { cap } = decision;
        return { kind: "not-sent", why: decision.kind, message, ...(cap !== undefined && { cap }) };
      }
      const outcome = await send(gate.connections.get(tool.server), tool, args, signal);
      // Written behind. The call has happened: its result must not be lost, and the next call meets the same obstacle before
      // it is sent.
      gate.audit
        .write({
          event: "call-finished",
          ...identity,
          outcome: outcome.kind === "value" ? "ok" : outcome.kind,
          ms: outcome.ms,
          bytes: "bytes" in outcome ? outcome.bytes : 0,
        })
        .catch((error) => gate.onProblem(messageOf(error)));
      return outcome;
    },
  };
}

/** What the gate made of a call. */
export type Decision = Ruled | Invalid;

/** What the rules or a person said. `message` of a rule that forbids the call names it. */
type Ruled =
  | (Approval & { readonly message?: string; readonly cap?: string })
  | { readonly kind: "planned"; readonly by: string };

/** The arguments are not what the tool's schema asks for. */
interface Invalid {
  readonly kind: "invalid";
  readonly by: string;
  readonly message: string;
  readonly problems: readonly unknown[];
}

async function decide(
  request: CallRequest,
  rules: RunRules,
  approvals: Approvals,
  made: Map<Tool, number>,
  plan: Plan | undefined,
): Promise<Ruled> {
  const { sequence, tool, args, line, signal, pauseClock } = request;
  const hash = callHash(tool.server, tool.name, args);
  // The rules had their word on it when it was planned.
  const planned = plan?.approvalOf(sequence, hash);
  if (planned) return planned;
  const ruling = await rules.rule(tool, args);
  if (ruling.kind === "deny") return { kind: "denied", by: ruling.rule, message: forbidden(tool, ruling) };
  if (ruling.kind === "allow") {
    countMade(made, tool);
    return { kind: "allowed", by: ruling.rule };
  }
  const reason = ruling.reason && `${ruling.rule}: ${ruling.reason}`;
  const call = { sequence, tool, args, ...(line && { line }), ...(reason && { reason }) };
  if (plan?.isDraft) {
    const granted = approvals.granted(call);
    if (granted) return granted;
    plan.add({ ...call, hash });
    return { kind: "planned", by: "plan" };
  }
  const resumeClock = pauseClock();
  try {
    const approval = await approvals.request(call, signal);
    if (approval.kind !== "refused" || approval.by === LATER || !reason) return approval;
    if (!ruling.isCapped)
      return { ...approval, message: `${notSent(tool, "refused")} It is asked about because of ${reason}.` };
    return { ...approval, cap: reason, message: overCap(tool, reason) };
  } finally {
    await resumeClock();
  }
}

async function send(
  connection: Connection | undefined,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SentOutcome> {
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  if (connection === undefined) return { kind: "error", message: `server "${tool.server}" is not connected`, ms: 0 };
  // The run may have ended while the decision was written down.
  if (signal.aborted) return { kind: "cancelled", message: notSent(tool, "cancelled"), ms: 0 };
  try {
    const result = await connection.call(tool.name, args, { signal });
    if (result.kind === "failed") return { ...result, kind: "tool-error", ms: elapsed() };
    return { ...result, ms: elapsed() };
  } catch (error) {
    return { kind: signal.aborted ? "cancelled" : "error", message: messageOf(error), ms: elapsed() };
  }
}

const putOff = ({ ref }: Tool): string =>
  `${ref} was not called: the person has put the decision off. Do not try it again in this run; say what you wanted to do.`;

/** Why a call was not sent, in words that a model can act on and a person too. */
function notSent(tool: Tool, kind: "denied" | "refused" | "cancelled"): string {
  switch (kind) {
    case "denied":
      return `${tool.ref} was not called: the person said no. Do not try it again; say what you wanted to do and why.`;
    case "refused":
      return `${tool.ref} was not called: it needs a person's approval and nobody could be asked. Allow it with --allow ${tool.ref}, or list "${tool.name}" in safe_tools of server "${tool.server}".`;
    case "cancelled":
      return `${tool.ref} was not called: the run ended first.`;
  }
}

/** A cap is reached and nobody could be asked: `--allow` would not help. */
const overCap = ({ ref }: Tool, cap: string): string =>
  `${ref} was not called: ${cap}, so that it needs a person's approval, and nobody could be asked. Do less in one run, or raise the cap.`;

/** Why a rule forbids a call, for a model and a person. */
function forbidden(tool: Tool, { rule, reason }: Ruling): string {
  const because = reason === undefined ? "" : `; ${reason}`;
  return `${tool.ref} was not called: a rule of the user forbids it (${rule}${because}). Do not try it again or by another way; say what you wanted to do and why.`;
}

function auditedArguments(args: unknown): unknown {
  const json = JSON.stringify(args);
  return json.length <= AUDITED_ARGUMENTS ? args : `${json.slice(0, AUDITED_ARGUMENTS)}… (${json.length} characters)`;
}
