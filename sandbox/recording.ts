import { type Calls, type IssuedCall, type Reply, type ReplyBatch, repliesOf, toBatch } from "./calls.ts";
import { isRecord } from "./frames.ts";

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
export interface RecordedReply extends Reply {
  readonly namespace: string;
  readonly member: string;
  /** JSON text. */
  readonly args: string;
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
  const take = (reply: Reply): RecordedReply[] => {
    const call = open.get(reply.sequence);
    open.delete(reply.sequence);
    return call ? [{ ...reply, namespace: call.namespace, member: call.member, args: call.argumentText }] : [];
  };
  return {
    deliveries,
    issue: (call) => void open.set(call.sequence, call),
    replies: (batch, at) => void deliveries.push({ kind: "replies", at, replies: repliesOf(batch).flatMap(take) }),
    timer: (id, at) => void deliveries.push({ kind: "timer", at, id }),
  };
}

/** Plays a recording back: answers the guest's calls and timers in the place of the host. */
export interface Player extends Calls {
  /** To be called once the guest was started. */
  begin(): void;
  /** Delivers what comes next, now that the guest has done all that it could. */
  pong(): void;
  /** Notes that a timer was set. */
  arm(id: number): void;
  /** Takes the answers to calls that were made again. */
  given(batch: ReplyBatch): void;
  /** Calls that the snippet made and that are not answered, each with what is known of its answer. */
  open(): readonly OpenCall[];
  /** The run came to its end: what the recording has left and should not, if anything. */
  leftover(): string | undefined;
}

/** A call that waits for its answer when a recording is left. */
export interface OpenCall {
  readonly call: IssuedCall;
  /** The recorded answer to this very call. */
  readonly reply?: Reply;
  /** The snippet has given it up. */
  readonly isCancelled: boolean;
}

/** What a player acts through. */
export interface PlayerActions {
  replies(batch: ReplyBatch, at: number): void;
  timer(id: number, at: number): void;
  /** Asks for a `pong` behind what the guest is doing. */
  ping(): void;
  /** Makes a recorded call again; its answer is to be `given`. */
  again(call: IssuedCall): void;
  /** The snippet does something else than was recorded, or the recording is over. Nothing is played from then on. */
  diverged(how: string): void;
}

/**
 * Makes a player of a recording. Deliveries wait for the guest, never for the time. Calls whose sequences are in `again` are
 * made again, one after the other, when it is the turn of their recorded answers.
 */
export function startPlayer({ deliveries }: Recording, again: ReadonlySet<number>, actions: PlayerActions): Player {
  const recorded = new Map<number, RecordedReply>();
  for (const delivery of deliveries) {
    if (delivery.kind === "replies") for (const reply of delivery.replies) recorded.set(reply.sequence, reply);
  }
  const open = new Map<number, IssuedCall>();
  const cancelled = new Set<number>();
  /** Timers have the ids 1, 2, … of which an interval keeps its own. */
  let armed = 0;
  let issued = 0;
  let next = 0;
  let stopped = false;
  let turn: Turn | undefined;
  const ping = () => {
    if (!stopped) actions.ping();
  };
  const diverge = (how: string) => {
    if (stopped) return;
    stopped = true;
    actions.diverged(how);
  };

  const problemOf = (delivery: Delivery | undefined): string | undefined => {
    if (delivery === undefined) return "the recording ends, and the snippet still waits for something";
    if (delivery.kind === "timer") return delivery.id <= armed ? undefined : `timer ${delivery.id} was not set`;
    const early = delivery.replies.find(({ sequence }) => sequence > issued);
    return early && `it did not make ${nameOf(early)}`;
  };

  /** Makes the next call of a turn that is to be made again, or delivers when there is none. */
  const goOn = ({ at, replies, given }: Turn) => {
    const left = replies.find(({ sequence }) => again.has(sequence) && !given.has(sequence));
    const call = left && open.get(left.sequence);
    if (call) return actions.again(call);
    turn = undefined;
    for (const { sequence } of replies) open.delete(sequence);
    actions.replies(toBatch(replies.map((reply) => given.get(reply.sequence) ?? reply)), at);
    ping();
  };

  return {
    issue: (call) => {
      issued = call.sequence;
      open.set(call.sequence, call);
      const expected = recorded.get(call.sequence);
      const made = { ...call, args: call.argumentText };
      if (expected === undefined) return diverge(`the recording has no answer to ${nameOf(made)}`);
      if (isSameCall(expected, call)) return;
      diverge(`it made ${nameOf(made)}; recorded is ${nameOf(expected)}`);
    },
    // The recording has the answer that this call was given.
    cancel: (sequence) => void cancelled.add(sequence),
    stop: () => {
      stopped = true;
    },
    begin: ping,
    arm: (id) => {
      armed = Math.max(armed, id);
    },
    pong: () => {
      if (stopped) return;
      const delivery = deliveries[next++];
      const problem = problemOf(delivery);
      if (delivery === undefined || problem !== undefined) return diverge(problem ?? "");
      if (delivery.kind === "replies") {
        turn = { ...delivery, given: new Map() };
        return goOn(turn);
      }
      actions.timer(delivery.id, delivery.at);
      ping();
    },
    given: (batch) => {
      if (turn === undefined) return;
      for (const reply of repliesOf(batch)) turn.given.set(reply.sequence, reply);
      goOn(turn);
    },
    open: () =>
      [...open.values()].map((call) => {
        const reply = again.has(call.sequence) ? undefined : recorded.get(call.sequence);
        const isThis = reply !== undefined && isSameCall(reply, call);
        return { call, isCancelled: cancelled.has(call.sequence), ...(isThis && { reply }) };
      }),
    leftover: () => {
      // Timers may have been due when the run was over already.
      const reply = [...recorded.values()].find(({ sequence }) => sequence > issued);
      return reply && `it ended without ${nameOf(reply)}`;
    },
  };
}

/** Replies that are delivered once the calls among them that are made again are answered. */
type Turn = Extract<Delivery, { kind: "replies" }> & { readonly given: Map<number, Reply> };

const isSameCall = ({ namespace, member, args }: RecordedReply, call: IssuedCall): boolean =>
  namespace === call.namespace && member === call.member && args === call.argumentText;

/** Throws a TypeError that says what is wrong with a recording that was read from somewhere. */
export function checkRecording(recording: Recording): void {
  const problem = problemOfRecording(recording);
  if (problem !== undefined) throw new TypeError(`This is no recording of a run: ${problem}.`);
}

function problemOfRecording(recording: unknown): string | undefined {
  if (!isRecord(recording)) return "it is no object";
  const { seed, startedAt, deliveries } = recording;
  if (typeof seed !== "string" || !/^[0-9a-f]{64}$/.test(seed)) return "its seed is none";
  if (!Number.isFinite(startedAt)) return "its start is no time";
  if (!Array.isArray(deliveries)) return "it has no deliveries";
  const wrong = deliveries.findIndex((delivery) => !isDelivery(delivery));
  return wrong === -1 ? undefined : `its delivery ${wrong} is none`;
}

function isDelivery(delivery: unknown): boolean {
  if (!isRecord(delivery) || !Number.isFinite(delivery["at"])) return false;
  if (delivery["kind"] === "timer") return Number.isSafeInteger(delivery["id"]);
  const { replies } = delivery;
  return delivery["kind"] === "replies" && Array.isArray(replies) && replies.every(isReply);
}

function isReply(reply: unknown): boolean {
  if (!isRecord(reply) || !Number.isSafeInteger(reply["sequence"]) || typeof reply["ok"] !== "boolean") return false;
  return ["namespace", "member", "args", "json"].every((key) => typeof reply[key] === "string");
}

/** Characters of arguments that a message shows. */
const SHOWN = 200;

function nameOf({
  sequence,
  namespace,
  member,
  args,
}: Pick<RecordedReply, "sequence" | "namespace" | "member" | "args">): string {
  return `call ${sequence}, ${namespace}.${member}(${args.length > SHOWN ? `${args.slice(0, SHOWN)}…` : args})`;
}
