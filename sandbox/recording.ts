import type { Calls, IssuedCall, ReplyBatch } from "./calls.ts";
import { parseJson } from "./frames.ts";

/**
 * All that a run did not compute itself, as plain JSON: where chance grew from, and what reached the guest in which order and
 * at what time. The same code with the same tools and limits on the same engine does the same with it, in the same time zone.
 */
export interface Recording {
  /** 32 bytes as hexadecimal digits. */
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly deliveries: readonly Delivery[];
}

/** What reached the guest at once. `at` is the time that it had from then on, in milliseconds since 1970. */
export type Delivery =
  | { readonly kind: "replies"; readonly at: number; readonly replies: readonly RecordedReply[] }
  | { readonly kind: "timer"; readonly at: number; readonly id: number };

/** A call with its answer. */
export interface RecordedReply {
  /** 1, 2, … in the order in which the snippet issued its calls. */
  readonly sequence: number;
  readonly namespace: string;
  readonly member: string;
  /** JSON text. */
  readonly args: string;
  /** Whether the answer is a value; else it is an error. */
  readonly ok: boolean;
  /** The answer's JSON text, "" for `undefined`. */
  readonly json: string;
}

/** Notes what a run is given. It keeps every answer until the run ends. */
export interface Recorder {
  issue(call: IssuedCall): void;
  replies(batch: ReplyBatch, at: number): void;
  timer(id: number, at: number): void;
  readonly deliveries: readonly Delivery[];
}

/** Starts to record a run. */
export function startRecorder(): Recorder {
  const open = new Map<number, IssuedCall>();
  const deliveries: Delivery[] = [];
  const take = (sequence: number, ok: boolean, json: string): RecordedReply[] => {
    const call = open.get(sequence);
    open.delete(sequence);
    return call
      ? [{ sequence, namespace: call.namespace, member: call.member, args: call.argumentText, ok, json }]
      : [];
  };
  return {
    deliveries,
    issue: (call) => void open.set(call.sequence, call),
    replies: ({ heads, bodies }, at) => {
      let from = 0;
      // Our own text, just written.
      const replies = (parseJson(heads) as [number, number, number][]).flatMap(([sequence, ok, length]) => {
        from += length;
        return take(sequence, ok === 1, bodies.slice(from - length, from));
      });
      deliveries.push({ kind: "replies", at, replies });
    },
    timer: (id, at) => void deliveries.push({ kind: "timer", at, id }),
  };
}

/** Plays a recording back: answers the guest's calls and timers in the place of the host. */
export interface Player extends Calls {
  /** To be called once the guest was started. */
  begin(): void;
  /** Delivers what comes next, now that the guest has done all that it could. False if nobody asked whether it has. */
  pong(): boolean;
  /** Notes that a timer was set. */
  arm(id: number): void;
  /** The run came to its end: what the recording has left and should not, if anything. */
  leftover(): string | undefined;
}

/** What a player acts through. `ping` asks for a `pong` behind what the guest is doing; `diverged` ends the run. */
export interface PlayerActions {
  replies(batch: ReplyBatch, at: number): void;
  timer(id: number, at: number): void;
  ping(): void;
  diverged(how: string): void;
}

/** Makes a player of a recording. Deliveries wait for the guest, never for the time. */
export function startPlayer({ deliveries }: Recording, actions: PlayerActions): Player {
  const recorded = new Map<number, RecordedReply>();
  for (const delivery of deliveries) {
    if (delivery.kind === "replies") for (const reply of delivery.replies) recorded.set(reply.sequence, reply);
  }
  /** Timers have the ids 1, 2, … of which an interval keeps its own. */
  let armed = 0;
  let issued = 0;
  let next = 0;
  let asked = false;
  let stopped = false;
  const ask = () => {
    if (stopped) return;
    asked = true;
    actions.ping();
  };

  const problemOf = (delivery: Delivery | undefined): string | undefined => {
    if (delivery === undefined) return "the recording ends, and the snippet still waits for something";
    if (delivery.kind === "timer") return delivery.id <= armed ? undefined : `timer ${delivery.id} was not set`;
    const early = delivery.replies.find(({ sequence }) => sequence > issued);
    return early && `it did not make ${nameOf(early)}`;
  };

  return {
    issue: (call) => {
      issued = call.sequence;
      const expected = recorded.get(call.sequence);
      const made = { ...call, args: call.argumentText };
      if (expected === undefined) return actions.diverged(`the recording has no answer to ${nameOf(made)}`);
      const { namespace, member, args } = expected;
      if (namespace === made.namespace && member === made.member && args === made.args) return;
      actions.diverged(`it made ${nameOf(made)}; recorded is ${nameOf(expected)}`);
    },
    // The recording has the answer that this call was given.
    cancel: () => {},
    stop: () => {
      stopped = true;
    },
    begin: ask,
    arm: (id) => {
      armed = Math.max(armed, id);
    },
    pong: () => {
      if (!asked) return false;
      asked = false;
      const delivery = deliveries[next++];
      const problem = problemOf(delivery);
      if (delivery === undefined || problem !== undefined) actions.diverged(problem ?? "");
      else if (delivery.kind === "timer") actions.timer(delivery.id, delivery.at);
      else actions.replies(batchOf(delivery.replies), delivery.at);
      ask();
      return true;
    },
    leftover: () => {
      // Timers may have been due when the run was over already.
      const reply = [...recorded.values()].find(({ sequence }) => sequence > issued);
      return reply && `it ended without ${nameOf(reply)}`;
    },
  };
}

function batchOf(replies: readonly RecordedReply[]): ReplyBatch {
  const heads = replies.map(({ sequence, ok, json }) => `[${sequence},${ok ? 1 : 0},${json.length}]`);
  return { count: replies.length, heads: `[${heads.join()}]`, bodies: replies.map(({ json }) => json).join("") };
}

/** Characters of arguments that a message shows. */
const SHOWN = 200;

function nameOf({ sequence, namespace, member, args }: Omit<RecordedReply, "ok" | "json">): string {
  return `call ${sequence}, ${namespace}.${member}(${args.length > SHOWN ? `${args.slice(0, SHOWN)}…` : args})`;
}
