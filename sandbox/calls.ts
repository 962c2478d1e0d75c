import type { GuestCall, HostCall, HostReply } from "./contract.ts";
import { type CallHead, isRecord, parseJson } from "./frames.ts";
import type { Limits } from "./limits.ts";

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

/** The calls of one run, from the guest's wish to the reply. */
export interface Calls {
  /** Starts a call, or lets it wait until one of those in flight is answered. */
  issue(call: IssuedCall): void;
  /** Aborts what is in flight and forgets what waits; late replies are dropped. */
  stop(): void;
}

/**
 * Makes at most `inFlight` calls at once and in order, and hands over the replies of each turn of the event loop together.
 * `pause` stops the run's clock.
 */
export function startCalls(
  call: HostCall,
  limits: Limits,
  pause: () => () => void,
  deliver: (batch: ReplyBatch) => void,
): Calls {
  const waiting: IssuedCall[] = [];
  const inFlight = new Set<AbortController>();
  let next = 0;
  let stopped = false;
  let batch: { count: number; heads: string[]; bodies: string[] } | undefined;

  const startWaiting = () => {
    while (!stopped && inFlight.size < limits.inFlight) {
      const issued = waiting[next];
      if (issued === undefined) break;
      next++;
      void make(issued);
    }
    if (next === waiting.length) waiting.length = next = 0;
  };

  const make = async (issued: IssuedCall) => {
    const controller = new AbortController();
    inFlight.add(controller);
    const resumes: (() => void)[] = [];
    const pauseClock = () => {
      if (stopped || !inFlight.has(controller)) return () => {};
      const resume = pause();
      resumes.push(resume);
      return resume;
    };
    const reply = await answer(issued, call, { signal: controller.signal, pauseClock }, limits);
    for (const resume of resumes) resume();
    inFlight.delete(controller);
    if (stopped) return;
    add(issued.sequence, reply, limits);
    startWaiting();
  };

  const add = (sequence: number, reply: HostReply, { resultBytes }: Limits) => {
    const { ok, body } = toBody(reply, resultBytes);
    if (batch === undefined) {
      batch = { count: 0, heads: [], bodies: [] };
      setImmediate(send);
    }
    batch.count++;
    batch.heads.push(`[${sequence},${ok ? 1 : 0},${body.length}]`);
    batch.bodies.push(body);
  };

  const send = () => {
    if (batch === undefined || stopped) return;
    const { count, heads, bodies } = batch;
    batch = undefined;
    deliver({ count, heads: `[${heads.join()}]`, bodies: bodies.join("") });
  };

  return {
    issue: (issued) => {
      waiting.push(issued);
      startWaiting();
    },
    stop: () => {
      stopped = true;
      waiting.length = next = 0;
      const reason = new Error("The run ended before the call was answered.");
      for (const controller of inFlight) controller.abort(reason);
    },
  };
}

async function answer(
  { sequence, namespace, member, argumentText, head }: IssuedCall,
  call: HostCall,
  context: Parameters<HostCall>[1],
  { argumentBytes }: Limits,
): Promise<HostReply> {
  const bytes = Buffer.byteLength(argumentText);
  if (bytes > argumentBytes) {
    return failure(
      "RangeError",
      `${namespace}.${member}: the arguments have ${bytes} bytes; at most ${argumentBytes} fit.`,
    );
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

function toBody(reply: HostReply, resultBytes: number): { ok: boolean; body: string } {
  if (reply.kind === "error") return { ok: false, body: JSON.stringify(reply.error) };
  const json = reply.json ?? "";
  // Bytes are at most three times the length and at least the length: most texts need no count.
  const bytes = json.length * 3 <= resultBytes ? 0 : Buffer.byteLength(json);
  if (bytes <= resultBytes) return { ok: true, body: json };
  const message = `The result has ${bytes} bytes; a snippet can take ${resultBytes}. Ask for less, or for a page of it.`;
  return { ok: false, body: JSON.stringify({ name: "RangeError", message }) };
}

const failure = (name: string, message: string): HostReply => ({ kind: "error", error: { name, message } });
