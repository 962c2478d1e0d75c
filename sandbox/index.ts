/**
 * The sandbox: runs JavaScript that nobody trusts in a realm of its own inside a process of its own.
 *
 * A reviewer's map: `pool.ts` hands runs to processes and `run.ts` is one run as the host sees it. `launch.ts` is how a
 * process is shut in: with `system-guards.ts` by the system, with `wrap.ts` by a second wall, without what
 * `inherited-descriptors.ts` finds. What a run cannot compute itself reaches it through `feed.ts`: `calls.ts` and `asks.ts`
 * answer it, or a recording in their place (`recording.ts`). `frames.ts` is all that crosses between the two. `worker.ts` is
 * the far side, `engine.ts` what it needs of a JavaScript engine, `isolate.ts` and `quickjs.ts` the two that there are
 * (`find-engine.ts` chooses), and `guest/` the code that shares the realm with the snippet. Nothing here imports from outside
 * this folder.
 */
export type { GuestAsk, HostAsk } from "./asks.ts";
export type {
  CallContext,
  ExceededLimit,
  GuestCall,
  GuestError,
  HostCall,
  HostReply,
  LogLine,
  Outcome,
  Resume,
  Sandbox,
  SandboxRun,
  StopReason,
} from "./contract.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { createSandbox, type SandboxOptions } from "./pool.ts";
export type { Delivery, RecordedReply, Recording } from "./recording.ts";
