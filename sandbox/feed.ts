import { type Calls, givenUp, type IssuedCall, type Reply, type ReplyBatch, startCalls, toBatch } from "./calls.ts";
import type { HostCall, SandboxRun } from "./contract.ts";
import type { Limits } from "./limits.ts";
import { type Recording, startPlayer, startRecorder } from "./recording.ts";
import { nextSeed } from "./seeds.ts";

/** All that reaches the guest of one run after its start: answers to its calls and timers that are due. */
export interface Feed extends Calls {
  /** Where chance and time start from. */
  readonly seed: string;
  readonly startedAt: number;
  /** How many calls and asks are answered. */
  answered(): number;
  /** To be called once the guest was started. */
  begin(): void;
  /** Sends a ping; `answer` is called when the guest has done all that came before it. */
  ping(answer: () => void): void;
  /** False if nobody asked for it. */
  pong(): boolean;
  /** Sets a timer. False if that is more than the limit, or a timer that is set already. */
  arm(id: number, ms: number): boolean;
  disarm(id: number): void;
  /** The run came to its end: what a recording that is played back has left and should not, if anything. */
  leftover(): string | undefined;
  recording(): Recording | undefined;
}

/** How a feed reaches the guest and its run. */
export interface FeedActions {
  /** Answers a call for real. */
  readonly call: HostCall;
  /** Stops the run's clock. */
  pause(): () => void;
  replies(batch: ReplyBatch, at: number): void;
  timer(id: number, at: number): void;
  ping(): void;
  /** A recording that is played back does not fit, and the run may not go on without it. */
  diverged(how: string): void;
}

/** Feeds a run from the host, from a recording, or from a recording first; and records if that is wanted. */
export function startFeed({ record, replay, resume }: SandboxRun, limits: Limits, actions: FeedActions): Feed {
  const seed = replay?.seed ?? nextSeed();
  const startedAt = replay?.startedAt ?? Date.now();
  const recorder = record ? startRecorder() : undefined;
  const timers = new Map<number, WaitingTimer>();
  /** What takes the answers to pings, in order. */
  const pings: (() => void)[] = [];
  /** What the monotonic clock counts from, in milliseconds since 1970. */
  let origin = startedAt - performance.now();
  let lastAt = startedAt;
  let answered = 0;

  const now = () => Math.round(origin + performance.now());
  const ping = (answer: () => void) => {
    pings.push(answer);
    actions.ping();
  };
  const giveReplies = (batch: ReplyBatch, at = now()) => {
    answered += batch.count;
    lastAt = at;
    recorder?.replies(batch, at);
    actions.replies(batch, at);
  };
  const giveTimer = (id: number, at = now()) => {
    timers.delete(id);
    lastAt = at;
    recorder?.timer(id, at);
    actions.timer(id, at);
  };

  let player =
    replay &&
    startPlayer(replay, resume?.again ?? new Set(), {
      replies: giveReplies,
      timer: giveTimer,
      ping: () => ping(() => player?.pong()),
      again: (call) => live.issue(call),
      diverged: (how) => (resume === undefined ? actions.diverged(how) : goLive(how)),
    });
  const live = startCalls(actions.call, limits, actions.pause, (batch) =>
    player === undefined ? giveReplies(batch) : player.given(batch),
  );

  const tell = (how: string) => {
    try {
      resume?.onLive?.(how);
    } catch {
      // The listener's own affair.
    }
  };

  const goLive = (how: string) => {
    const open = player?.open() ?? [];
    player = undefined;
    origin = Math.max(lastAt, Date.now()) - performance.now();
    tell(how);
    const known: Reply[] = [];
    for (const { call, reply, isCancelled } of open) {
      // What was answered has happened, and what was given up must not.
      if (reply) known.push(reply);
      else if (isCancelled) known.push(givenUp(call.sequence));
      else live.issue(call);
    }
    if (known.length > 0) giveReplies(toBatch(known));
    for (const [id, timer] of timers) timer.due = setTimeout(giveTimer, timer.ms, id);
  };

  return {
    seed,
    startedAt,
    answered: () => answered,
    begin: () => player?.begin(),
    issue: (call: IssuedCall) => {
      recorder?.issue(call);
      (player ?? live).issue(call);
    },
    cancel: (sequence) => (player ?? live).cancel(sequence),
    stop: () => {
      player?.stop();
      live.stop();
      for (const { due } of timers.values()) clearTimeout(due);
    },
    ping,
    pong: () => {
      const answer = pings.shift();
      answer?.();
      return answer !== undefined;
    },
    arm: (id, ms) => {
      if (timers.size >= limits.timers || timers.has(id)) return false;
      timers.set(id, { ms, due: player ? undefined : setTimeout(giveTimer, ms, id) });
      player?.arm(id);
      return true;
    },
    disarm: (id) => {
      clearTimeout(timers.get(id)?.due);
      timers.delete(id);
    },
    leftover: () => {
      const left = player?.leftover();
      if (left === undefined || resume === undefined) return left;
      tell(left);
      return undefined;
    },
    recording: () => recorder && { seed, startedAt, deliveries: recorder.deliveries },
  };
}

/** A timer that the guest waits for; without `due` it is a recording's to say when. */
interface WaitingTimer {
  readonly ms: number;
  due: NodeJS.Timeout | undefined;
}
