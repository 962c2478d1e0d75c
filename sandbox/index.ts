/**
 * The sandbox: runs JavaScript that nobody trusts in an isolate inside a process of its own.
 *
 * A reviewer's map: `pool.ts` hands runs to processes, `run.ts` is one run as the host sees it, `launch.ts` is how a
 * process is shut in, `frames.ts` is all that crosses between the two, `worker.ts` and `isolate.ts` are the far side, and
 * `guest/` is the code that shares the isolate with the snippet. Nothing here imports from outside this folder.
 */
export type {
  CallContext,
  GuestCall,
  GuestError,
  HostCall,
  HostReply,
  LogLine,
  Outcome,
  Sandbox,
  SandboxRun,
  StopReason,
} from "./contract.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { createSandbox } from "./pool.ts";
