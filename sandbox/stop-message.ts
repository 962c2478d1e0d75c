import type { StopReason } from "./contract.ts";
import type { Limits } from "./limits.ts";

/** One sentence or two for whoever wrote the snippet: what happened and what to change. `detail` is a size or a cause. */
export function stopMessage(reason: StopReason, limits: Limits, detail = ""): string {
  switch (reason) {
    case "deadline":
      return `The snippet ran longer than ${limits.wallMs} ms. Do less in one run, or look for a loop or a promise that never ends.`;
    case "memory":
      return `The snippet used more memory than it may (${limits.memoryMb} MB). Work on less data at a time.`;
    case "calls":
      return `The snippet made more than ${limits.calls} calls. Make fewer, or split the work over several runs.`;
    case "argument-size":
      return `The arguments of all calls together exceed ${limits.argumentTotalBytes} bytes. Split the work over several runs.`;
    case "result-size":
      return `The returned value has ${detail} bytes; at most ${limits.outputBytes} fit. Return less: filter, count or summarise.`;
    case "source-size":
      return `The code has ${detail} bytes; at most ${limits.sourceBytes} fit.`;
    case "aborted":
      return "The run was stopped from outside.";
    case "diverged":
      return `The snippet does not do what was recorded: ${detail}.`;
    case "crashed":
      return `The sandbox process died (${detail}). Usually too much memory at once or data nested too deeply.`;
    case "protocol":
      return `The sandbox process broke its protocol (${detail}) and was killed.`;
    default:
      return reason satisfies never;
  }
}
