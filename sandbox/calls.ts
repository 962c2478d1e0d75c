import type { GuestCall, HostCall, HostReply } from "./contract.ts";
import { type CallHead, isRecord, parseJson } from "./frames.ts";
import type { Limits } from "./limits.ts";
import { isDeeper } from "./nesting.ts";

/** A call that the guest issued: its arguments are still text. */
export interface IssuedCall {
  readonly sequence: number;
  readonly namespace: string;
  readonly member: string;
  readonly argumentText: string;
  readonly head: CallHead;
}

/** Replies on their way to the worker, as in a `replies` frame. */
export interface ReplyBatch {
  readonly count: number;
  readonly heads: string;
  readonly bodies: string;
}

/** One reply of a batch. */
export interface Reply {
  readonly sequence: number;
  /** Whether it is a value; else it is an error. */
  readonly ok: boolean;
  /** JSON text, "" for `undefined`. */
  readonly json: string;
}

/** Puts replies together. */
export function toBatch(replies: readonly Reply[]): ReplyBatch {
  const heads = replies.map(({ sequence, ok, json }) => `[${sequence},${ok ? 1 : 0},${json.length}]`);
  return { count: replies.length, heads: `[${heads.join()}]`, bodies: replies.map(({ json }) => json).join("") };
}

/** Takes a batch of our own apart. */
export function repliesOf({ heads, bodies }: ReplyBatch): Reply[] {
  let from = 0;
  // Our own text, just written.
  return (parseJson(heads) as [number, number, number][]).map(([sequence, ok, length]) => {
    from += length;
    return { sequence, ok: ok === 1, json: bodies.slice(from - length, from) };
  });
}

/** The calls of one run, from the guest's wish to the reply. */
export interface Calls {
  /** Starts a call, or lets it wait until one of those in flight is answered. */
  issue(call: IssuedCall): void;
  /**
   * Aborts a call that the snippet no longer wants and answers it at once, for the guest's count of open calls. It keeps its
   * place among those in flight until the host is done with it: a server must not get more at once through this.
   */
  cancel(sequence: number): void;
  /** Aborts what is in flight and forgets what waits; late replies are dropped. */
  stop(): void;
}

/**
 * Makes at most `inFlight` calls at once, at most `inFlightPerServer` of them to one server, in order otherwise, and hands over the replies of each turn of the event loop together.
 * `pause` stops the run's clock. A call for which a person is asked gives up its place: all that wait for a person can be asked about together.
 */
export function startCalls(
  call: HostCall,
  limits: Limits,
  pause: () => () => void,
  deliver: (batch: ReplyBatch) => void,
): Calls {
  const servers = new Map<string, Server>();
  const inFlight = new Map<number, InFlight>();
  const cancelled = new Set<number>();
  /** Calls that a person has answered and that want their place back. */
  const returning: Place[] = [];
  let running = 0;
  let stopped = false;
  let batch: { count: number; heads: string[]; bodies: string[] } | undefined;

  const startWaiting = () => {
    while (!stopped && running < limits.inFlight) {
      const at = returning.findIndex(({ server }) => server.inFlight < limits.inFlightPerServer);
      const [place] = at === -1 ? [] : returning.splice(at, 1);
      if (place) {
        take(place);
        place.taken();
        continue;
      }
      const server = nextServer();
      const issued = server?.waiting[server.next];
      if (server === undefined || issued === undefined) return;
      server.next++;
      if (server.next === server.waiting.length) server.waiting.length = server.next = 0;
      if (!cancelled.has(issued.sequence)) void make(issued, server);
    }
  };

  const take = (place: Place): void => {
    place.isHeld = true;
    place.server.inFlight++;
    running++;
  };

  const leave = (place: Place): void => {
    const at = returning.indexOf(place);
    if (at !== -1) returning.splice(at, 1);
    if (!place.isHeld) return;
    place.isHeld = false;
    place.server.inFlight--;
    running--;
  };

  const serverOf = (namespace: string): Server => {
    const server = servers.get(namespace) ?? { waiting: [], next: 0, inFlight: 0 };
    servers.set(namespace, server);
    return server;
  };

  /** The server with room for a call whose next call was issued first. */
  const nextServer = (): Server | undefined => {
    let first: Server | undefined;
    let sequence = Number.POSITIVE_INFINITY;
    for (const server of servers.values()) {
      const waits = server.waiting[server.next];
      if (waits === undefined || waits.sequence > sequence || server.inFlight >= limits.inFlightPerServer) continue;
      first = server;
      sequence = waits.sequence;
    }
    return first;
  };

  const make = async (issued: IssuedCall, server: Server) => {
    const place: Place = { server, isHeld: false, taken: () => {} };
    take(place);
    const controller = new AbortController();
    const pauses = new Set<() => void>();
    inFlight.set(issued.sequence, { controller, pauses });
    const pauseClock = () => {
      if (stopped || !inFlight.has(issued.sequence) || cancelled.has(issued.sequence)) return async () => {};
      const resume = pause();
      pauses.add(resume);
      leave(place);
      startWaiting();
      return async () => {
        resume();
        if (!pauses.delete(resume) || pauses.size > 0 || stopped) return;
        const back = new Promise<void>((resolve) => {
          place.taken = resolve;
        });
        returning.push(place);
        startWaiting();
        await back;
      };
    };
    const reply = await answer(issued, call, { signal: controller.signal, pauseClock }, limits);
    for (const resume of pauses) resume();
    inFlight.delete(issued.sequence);
    leave(place);
    if (!cancelled.has(issued.sequence)) push({ sequence: issued.sequence, ...toText(reply, limits.resultBytes) });
    startWaiting();
  };

  const push = ({ sequence, ok, json }: Reply) => {
    if (batch === undefined) {
      batch = { count: 0, heads: [], bodies: [] };
      setImmediate(send);
    }
    batch.count++;
    batch.heads.push(`[${sequence},${ok ? 1 : 0},${json.length}]`);
    batch.bodies.push(json);
    // The guest takes these while more are made.
    if (batch.count === TOGETHER) send();
  };

  const send = () => {
    if (batch === undefined || stopped) return;
    const { count, heads, bodies } = batch;
    batch = undefined;
    deliver({ count, heads: `[${heads.join()}]`, bodies: bodies.join("") });
  };

  return {
    issue: (issued) => {
      serverOf(issued.namespace).waiting.push(issued);
      startWaiting();
    },
    cancel: (sequence) => {
      const open = inFlight.get(sequence);
      const waits = [...servers.values()].some(({ waiting, next }) =>
        waiting.some((issued, at) => at >= next && issued.sequence === sequence),
      );
      if (stopped || cancelled.has(sequence) || (open === undefined && !waits)) return;
      cancelled.add(sequence);
      open?.controller.abort(new Error("The snippet aborted the call."));
      // Nobody is asked any more, whatever the host still does.
      for (const resume of open?.pauses ?? []) resume();
      push(givenUp(sequence));
    },
    stop: () => {
      stopped = true;
      for (const { taken } of returning.splice(0)) taken();
      if (inFlight.size === 0) return;
      const reason = new Error("The run ended before the call was answered.");
      for (const { controller } of inFlight.values()) controller.abort(reason);
    },
  };
}

/** A call that is being made. `pauses` are what it has stopped the clock with. */
interface InFlight {
  readonly controller: AbortController;
  readonly pauses: ReadonlySet<() => void>;
}

/** A call's place among those in flight. */
interface Place {
  readonly server: Server;
  isHeld: boolean;
  /** Called when the call has its place back. */
  taken: () => void;
}

/** The calls to one server: those that wait, from `next` on, and how many are being made. */
interface Server {
  readonly waiting: IssuedCall[];
  next: number;
  inFlight: number;
}

async function answer(
  { sequence, namespace, member, argumentText, head }: IssuedCall,
  call: HostCall,
  context: Parameters<HostCall>[1],
  { argumentBytes, nesting }: Limits,
): Promise<HostReply> {
  const bytes = Buffer.byteLength(argumentText);
  if (bytes > argumentBytes) {
    return failure(
      "RangeError",
      `${namespace}.${member}: the arguments have ${bytes} bytes; at most ${argumentBytes} fit.`,
    );
  }
  if (isDeeper(argumentText, nesting)) {
    return failure("RangeError", `${namespace}.${member}: the arguments are nested more than ${nesting} levels deep.`);
  }
  const args = parseJson(argumentText);
  if (!isRecord(args)) return failure("TypeError", `${namespace}.${member} takes one object of arguments.`);
  const { line, column } = head;
  const position = line === undefined || column === undefined ? {} : { line, column };
  const guestCall: GuestCall = { sequence, namespace, member, args, ...position };
  try {
    return await call(guestCall, context);
  } catch (error) {
    return failure("ToolError", error instanceof Error ? error.message : String(error));
  }
}

/** The answer to a call that the snippet gave up. */
export const givenUp = (sequence: number): Reply => ({
  sequence,
  ok: false,
  json: JSON.stringify({ name: "AbortError", message: "The snippet aborted the call." }),
});

/** A reply as text. Whatever the host's function made of it, the call gets an answer. */
function toText(reply: HostReply, resultBytes: number): Omit<Reply, "sequence"> {
  const fail = (name: string, message: string) => ({ ok: false, json: JSON.stringify({ name, message }) });
  let json: string;
  try {
    json = reply.kind === "error" ? JSON.stringify(reply.error) : (reply.json ?? "");
  } catch {
    return fail("ToolError", "The answer cannot be written as JSON.");
  }
  // Bytes are at most three times the length and at least the length: most texts need no count.
  const bytes = json.length * 3 <= resultBytes ? 0 : Buffer.byteLength(json);
  if (bytes <= resultBytes) return { ok: reply.kind === "value", json };
  const message = `The ${reply.kind === "error" ? "error" : "result"} has ${bytes} bytes; a snippet can take ${resultBytes}. Ask for less, or for a page of it.`;
  return fail("RangeError", message);
}

/** Replies that are sent at once, without waiting for those that follow in the same turn. */
const TOGETHER = 128;

const failure = (name: string, message: string): HostReply => ({ kind: "error", error: { name, message } });
