import type { Approval, ApprovalRequest } from "./approvals.ts";

/** A call that is planned: it was not sent, and the snippet went on with a placeholder for its result. */
export interface PlannedCall extends ApprovalRequest {
  /** SHA-256 of server, tool and arguments: what an answer is bound to. */
  readonly hash: string;
}

/** The plan of one run: first it collects calls, then it knows what was said of each. */
export interface Plan {
  /** The planned calls in the order in which the snippet made them. */
  readonly calls: readonly PlannedCall[];
  /** Whether calls are still collected. */
  readonly isDraft: boolean;
  add(call: PlannedCall): void;
  /** Ends the draft. Calls without an answer count as calls that are not in the plan. */
  settle(answers: ReadonlyMap<number, Approval>): void;
  /** What was said of just this call; undefined for a call that is not the planned one of its number. */
  approvalOf(sequence: number, hash: string): Approval | undefined;
}

/** Starts a plan. Each answer is good for one call, once. */
export function createPlan(): Plan {
  const planned = new Map<number, PlannedCall>();
  let settled: Map<number, Approval> | undefined;
  return {
    get calls() {
      return [...planned.values()];
    },
    get isDraft() {
      return settled === undefined;
    },
    add: (call) => {
      planned.set(call.sequence, call);
    },
    settle: (answers) => {
      settled = new Map(answers);
    },
    approvalOf: (sequence, hash) => {
      if (planned.get(sequence)?.hash !== hash) return undefined;
      const approval = settled?.get(sequence);
      settled?.delete(sequence);
      return approval;
    },
  };
}

/** The text that stands for what a planned call will return. */
export const planMark = (sequence: number): string => `<planned ${sequence}>`;

/** Whether arguments hold something that only a planned call's result can tell: they are not known yet. */
export function isMarked(args: unknown): boolean {
  return /<planned \d+>/.test(JSON.stringify(args));
}
