import type { Outcome, Recording, SandboxRun } from "../../sandbox/index.ts";
import type { Caller } from "../gate/caller.ts";
import { isMarked, type Plan, type PlannedCall } from "../gate/plan.ts";
import type { Emit } from "./events.ts";
import type { Journal } from "./journal.ts";
import { createStore, type Store } from "./store.ts";

/** How a planned run ended. Without `outcome` none of the plan was allowed, and the snippet was not gone on with. */
export interface PlannedEnd {
  readonly outcome: Outcome;
  /** The calls of a plan of which none was allowed: then `outcome` holds placeholders. */
  readonly held?: readonly PlannedCall[];
  /** What a person and a model should know of how it went. */
  readonly notes: readonly string[];
}

/** What a planned run works with. */
export interface PlannedRun {
  readonly run: string;
  readonly plan: Plan;
  readonly caller: Caller;
  readonly journal: Journal;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Runs the snippet: with this store, and with what differs from an ordinary run. */
  attempt(store: Store, more: Pick<SandboxRun, "record" | "replay" | "resume">): Promise<Outcome>;
}

/**
 * Runs a snippet twice. First as a draft: calls that would have to be asked about get placeholders. Then a person decides on
 * all of these, and the snippet is played back with what it got the first time, except that the allowed calls are made, in
 * their order and one at a time. A call with arguments that the plan does not have is asked about by itself.
 */
export async function runPlanned(planned: PlannedRun): Promise<PlannedEnd> {
  const { run, plan, caller, journal, store, signal, emit, attempt } = planned;
  const before = createStore(store);
  const draftStore = createStore(before);
  const first = await attempt(draftStore, { record: true });
  const calls = plan.calls;
  const { recording } = first;
  if (calls.length === 0 || recording === undefined) {
    keepChanges(before, draftStore, store);
    return { outcome: first, notes: [] };
  }
  if (first.kind === "stopped") return { outcome: first, held: calls, notes: [DRAFT_STOPPED] };
  emit({ kind: "plan-drafted", run, calls: calls.length });
  const known = calls.filter(({ args }) => !isMarked(args));
  const answers = await caller.review(known, signal);
  plan.settle(new Map(known.map(({ sequence }, at) => [sequence, answers[at] ?? NOT_ASKED])));
  for (const [at, { sequence }] of known.entries()) journal.decided(sequence, (answers[at] ?? NOT_ASKED).kind);
  if (answers.every(({ kind }) => kind !== "allowed")) {
    return { outcome: first, held: calls, notes: laterNotes(calls.length - known.length) };
  }
  const notes: string[] = first.kind === "threw" ? [`${DRAFT_THREW} ${first.error.name}: ${first.error.message}`] : [];
  for (const { sequence } of calls) journal.forget(sequence);
  const outcome = await attempt(store, {
    replay: recording,
    resume: {
      again: new Set([...calls.map(({ sequence }) => sequence), ...storeAsks(recording)]),
      onLive: (how) => void notes.push(`${ANOTHER_WAY} (${how}).`),
    },
  });
  return { outcome, notes };
}

const NOT_ASKED = { kind: "cancelled", by: "not asked" } as const;
const DRAFT_STOPPED = "The plan was not put to anybody, and none of its calls was made.";
const DRAFT_THREW =
  "With placeholders for results the snippet failed before its end, so the plan may lack calls; with the real ones it went on from there:";
const ANOTHER_WAY =
  "With the real results the snippet took another way than planned; what the plan did not have was asked about by itself";

const laterNotes = (count: number): string[] =>
  count === 0 ? [] : [`${count} further ${count === 1 ? "call depends" : "calls depend"} on results of these.`];

/** What a snippet keeps is kept once it really has it: what it asked of its store is asked again. */
function storeAsks({ deliveries }: Recording): number[] {
  const replies = deliveries.flatMap((delivery) => (delivery.kind === "replies" ? delivery.replies : []));
  return replies.filter(({ namespace }) => namespace === "nami").map(({ sequence }) => sequence);
}

/** Other runs may have changed the store meanwhile: only what this one changed is taken over. */
function keepChanges(before: Store, after: Store, to: Store): void {
  for (const key of before.keys()) if (after.get(key) === undefined) to.delete(key);
  for (const key of after.keys()) {
    const json = after.get(key);
    if (json !== undefined && json !== before.get(key)) to.set(key, json);
  }
}
