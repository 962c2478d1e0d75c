import { KILL_GRACE_MS, PING_EVERY_MS } from "./limits.ts";

/** Counts a run's time against its deadline. */
export interface Clock {
  /** Milliseconds until the deadline, at least 1: what guest code may still use. */
  left(): number;
  /** Milliseconds that have been counted. */
  used(): number;
  /** Stops counting while a person is asked; returns what counts on, once. Several may be open. */
  pause(): () => void;
  /** The worker answered a ping. */
  pong(): void;
  stop(): void;
}

/**
 * Starts the clock. `expired` is called a grace after the deadline, in which the worker may end the run itself.
 *
 * A pause is for a snippet that waits. So while paused the worker is pinged, and time counts until it answers: a snippet
 * that loops beside a waiting approval meets its deadline as ever.
 */
export function startClock(wallMs: number, ping: () => void, expired: () => void): Clock {
  let remaining = wallMs;
  let since: number | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let nextPing: NodeJS.Timeout | undefined;
  let pauses = 0;
  let asked = false;
  let stopped = false;

  const left = () => remaining - (since === undefined ? 0 : performance.now() - since);
  const count = () => {
    if (stopped || since !== undefined) return;
    since = performance.now();
    deadline = setTimeout(expired, Math.min(remaining + KILL_GRACE_MS, 2 ** 31 - 1));
  };
  const hold = () => {
    clearTimeout(deadline);
    remaining = left();
    since = undefined;
  };
  const ask = () => {
    nextPing = undefined;
    if (pauses === 0 || asked || stopped) return;
    asked = true;
    count();
    ping();
  };

  count();
  return {
    left: () => Math.max(1, Math.ceil(left())),
    used: () => Math.round(wallMs - left()),
    pause: () => {
      let open = !stopped;
      pauses++;
      if (pauses === 1 && nextPing === undefined) ask();
      return () => {
        if (!open) return;
        open = false;
        pauses--;
        if (pauses > 0) return;
        clearTimeout(nextPing);
        nextPing = undefined;
        count();
      };
    },
    pong: () => {
      asked = false;
      if (pauses === 0 || stopped) return;
      hold();
      nextPing = setTimeout(ask, PING_EVERY_MS);
    },
    stop: () => {
      stopped = true;
      clearTimeout(deadline);
      clearTimeout(nextPing);
    },
  };
}
