import type { Tool } from "../catalog/tool.ts";
import { messageOf } from "../errors.ts";
import type { Answer, Ask, PendingCall, Question, SnippetLine } from "./ask.ts";
import { pendingCall, questionOf } from "./build-question.ts";
import { createGrants, definitionHash, type Grants, type WrittenRule } from "./grants.ts";

/** What came of asking: a person's answer, that there was nobody, or that the run ended meanwhile. */
export type Approval = {
  readonly kind: "allowed" | "denied" | "refused" | "cancelled";
  /** Who or what decided, for the audit. */
  readonly by: string;
};

/** A call to ask about. `args` are frozen. */
export interface ApprovalRequest {
  readonly sequence: number;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly line?: SnippetLine;
  /** Why it is asked about although a rule allows it. */
  readonly reason?: string;
}

/** The approvals of one run. */
export interface Approvals {
  /** What an earlier answer says of a call, without asking. */
  granted(call: ApprovalRequest): Approval | undefined;
  /** Asks about calls of a plan together, as `request` does one by one. */
  review(calls: readonly ApprovalRequest[], signal: AbortSignal): Promise<readonly Approval[]>;
  /** Resolves when a person has answered, or at once when nobody is there or an earlier answer covers the call. */
  request(call: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
}

/** What approvals need from around them. */
export interface ApprovalOptions {
  readonly run: string;
  /** Absent when nobody can be asked. */
  readonly ask: Ask | undefined;
  /** What `always` has allowed, in all runs of the process. */
  readonly always: Grants;
  /** Writes a rule of the user's; rejects when it cannot, and has changed nothing then. Absent: `always` is not offered. */
  readonly writeRule: ((rule: WrittenRule) => Promise<void>) | undefined;
  /** Masks secrets in what is shown. */
  readonly redactValue: (value: unknown) => unknown;
  /** How many calls of each tool were allowed in this run so far; what is allowed here is added. */
  readonly made: Map<Tool, number>;
  /** Told once, when a person stops the run. */
  readonly onStop: (tool: Tool) => void;
  readonly onProblem: (message: string) => void;
}

/** Milliseconds without a new call after which those that wait are asked about; a turn of the sandbox takes one or two. */
const QUIET = 10;
/** Rounds of `QUIET` after which they are asked about although more come. */
const ROUNDS = 10;

/**
 * Asks about calls that wait together in one question, one question at a time. Anything but a clear yes is a no; an answer
 * speaks only of calls that were in its question, with the arguments and the definition that they had in it.
 */
export function createApprovals(options: ApprovalOptions): Approvals {
  const forRun = createGrants();
  const waiting: Waiting[] = [];
  let isAsking = false;
  let stopped: Approval | undefined;

  const settle = (entry: Waiting, approval: Approval): void => {
    const at = waiting.indexOf(entry);
    if (at === -1) return;
    waiting.splice(at, 1);
    entry.signal.removeEventListener("abort", entry.onAbort);
    const { tool } = entry.call;
    // At once: the next question is built before the call itself goes on.
    if (approval.kind === "allowed") countMade(options.made, tool);
    entry.resolve(approval);
  };

  const granted = ({ tool, args }: ApprovalRequest): Approval | undefined => {
    if (forRun.allows(tool, args)) return { kind: "allowed", by: "person, for this tool in this run" };
    if (options.always.allows(tool, args)) return { kind: "allowed", by: "person, always" };
    return undefined;
  };

  const askAll = async (ask: Ask): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      await gather(waiting);
      const define = definitions();
      const asked = waiting.map((entry) => ({
        entry,
        call: pendingCall(entry.call, options.redactValue),
        definition: define(entry.call.tool),
      }));
      const [first] = asked;
      if (first === undefined) break;
      const over = new AbortController();
      const unsubscribe = whenAllEnd(asked, over);
      const question = questionOf(
        first.call,
        asked.map(({ call }) => call),
        { ...options, isPlan: asked.every(({ entry }) => entry.isPlan) },
      );
      const answer = await answerOf(ask, question, over.signal);
      unsubscribe();
      // A definition that is not the one that was shown is asked about again; a no holds all the same.
      const now = definitions();
      const same = isNo(answer) ? asked : asked.filter(({ entry, definition }) => now(entry.call.tool) === definition);
      if (same[0] === first) await apply(answer, question, same);
      for (const entry of [...waiting]) {
        const approval = granted(entry.call);
        if (approval) settle(entry, approval);
      }
    }
    isAsking = false;
  };

  const apply = async (answer: Answer | "failed", question: Question, asked: readonly Asked[]): Promise<void> => {
    const [first] = asked;
    if (first === undefined) return;
    const { tool } = first.call;
    const ofTool = asked.filter(({ call }) => call.tool === tool);
    const each = (entries: readonly Asked[], kind: Approval["kind"], by: string): void => {
      for (const { entry } of entries) settle(entry, { kind, by });
    };
    const keep = (destination?: Readonly<Record<string, unknown>>): void => {
      forRun.add(tool, destination);
    };
    const always = async (rule: WrittenRule, destination?: Readonly<Record<string, unknown>>): Promise<void> => {
      keep(destination);
      try {
        await options.writeRule?.(rule);
        options.always.add(tool, destination);
      } catch (error) {
        options.onProblem(`The rule was not written, so it holds for this run only: ${messageOf(error)}`);
      }
    };
    if (typeof answer === "object" && answer !== null && answer.kind === "calls" && Array.isArray(answer.allow)) {
      const chosen = asked.filter(({ call }) => answer.allow.includes(call.sequence));
      if (answer.others === "deny") {
        each(
          asked.filter((entry) => !chosen.includes(entry)),
          "denied",
          "person",
        );
      }
      return each(chosen.length > 0 ? chosen : asked, chosen.length > 0 ? "allowed" : "denied", "person");
    }
    switch (answer) {
      case "once":
        return each([first], "allowed", "person");
      case "waiting":
        return each(ofTool, "allowed", "person, for the calls that waited");
      case "tool":
        return keep();
      case "destination":
        if (question.destination === undefined) break;
        return keep(question.destination);
      case "always":
        if (question.rule === undefined) break;
        return await always(question.rule);
      case "always-destination":
        if (question.destinationRule === undefined) break;
        return await always(question.destinationRule, question.destination);
      case "deny":
        return each([first], "denied", "person");
      case "deny-waiting":
        return each(ofTool, "denied", "person");
      case "later":
        return each([first], "refused", LATER);
      case "stop":
        stopped = { kind: "denied", by: "person, who stopped the run" };
        for (const entry of [...waiting]) settle(entry, stopped);
        return options.onStop(tool);
      case "failed":
        return each(asked, "denied", "asking failed");
    }
    // Nothing that was offered: JavaScript may answer anything.
    each(asked, "denied", "person");
  };

  /** Nami's own failure while it prepares a question: nothing that waits may hang, or go on. */
  const nobodyIsAsked = (error: unknown): void => {
    isAsking = false;
    for (const entry of [...waiting]) settle(entry, { kind: "denied", by: "asking failed" });
    options.onProblem(`Nobody could be asked: ${messageOf(error)}.`);
  };

  const request = (call: ApprovalRequest, signal: AbortSignal, isPlan: boolean): Promise<Approval> => {
    const known = stopped ?? granted(call);
    if (known?.kind === "allowed") countMade(options.made, call.tool);
    if (known) return Promise.resolve(known);
    const { ask } = options;
    if (ask === undefined) return Promise.resolve({ kind: "refused", by: "nobody to ask" });
    if (signal.aborted) return Promise.resolve(RUN_ENDED);
    return new Promise((resolve) => {
      const entry: Waiting = { call, isPlan, signal, resolve, onAbort: () => settle(entry, RUN_ENDED) };
      signal.addEventListener("abort", entry.onAbort, { once: true });
      waiting.push(entry);
      if (!isAsking) void askAll(ask).catch(nobodyIsAsked);
    });
  };

  return {
    granted: (call) => stopped ?? granted(call),
    request: (call, signal) => request(call, signal, false),
    review: (calls, signal) => Promise.all(calls.map((call) => request(call, signal, true))),
  };
}

/** Counts one more call of a tool. */
export function countMade(made: Map<Tool, number>, tool: Tool): void {
  made.set(tool, (made.get(tool) ?? 0) + 1);
}

interface Waiting {
  readonly call: ApprovalRequest;
  readonly isPlan: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (approval: Approval) => void;
  readonly onAbort: () => void;
}

/** A call that waits, with what was shown of it. */
interface Asked {
  readonly entry: Waiting;
  readonly call: PendingCall;
  readonly definition: string;
}

/** Hashes each tool's definition once. */
function definitions(): (tool: Tool) => string {
  const known = new Map<Tool, string>();
  return (tool) => {
    const hash = known.get(tool) ?? definitionHash(tool);
    known.set(tool, hash);
    return hash;
  };
}

/** Who decided a call that is refused for now. */
export const LATER = "person, later";

const RUN_ENDED: Approval = { kind: "cancelled", by: "the run ended before an answer" };

/** Waits until no more calls come for a moment. */
async function gather(waiting: readonly unknown[]): Promise<void> {
  for (let round = 0, before = -1; round < ROUNDS && before !== waiting.length; round++) {
    before = waiting.length;
    await new Promise((resolve) => setTimeout(resolve, QUIET));
  }
}

/** The answer, or `failed` when asking throws or no call waits for it any more. */
async function answerOf(ask: Ask, question: Question, signal: AbortSignal): Promise<Answer | "failed"> {
  const ended = new Promise<"failed">((resolve) => {
    signal.addEventListener("abort", () => resolve("failed"), { once: true });
  });
  try {
    const answer = await Promise.race([ask(question, signal), ended]);
    return signal.aborted ? "failed" : answer;
  } catch {
    return "failed";
  }
}

const isNo = (answer: Answer | "failed"): boolean =>
  ["deny", "deny-waiting", "stop", "later", "failed"].some((no) => no === answer);

/** Aborts when every call of a question has ended. Returns what stops watching. */
function whenAllEnd(asked: readonly Asked[], over: AbortController): () => void {
  const check = (): void => {
    if (asked.every(({ entry }) => entry.signal.aborted)) over.abort();
  };
  for (const { entry } of asked) entry.signal.addEventListener("abort", check);
  check();
  return () => {
    for (const { entry } of asked) entry.signal.removeEventListener("abort", check);
  };
}
