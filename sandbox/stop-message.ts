import type { ExceededLimit, StopReason } from "./contract.ts";

/**
 * Some sentences for whoever wrote the snippet: what happened, which limit it was, how much was used, what to change.
 * `detail` is a cause, for the reasons that are no limit.
 */
export function stopMessage(reason: StopReason, limit?: ExceededLimit, detail = ""): string {
  switch (reason) {
    case "deadline":
      return `The snippet ran too long: ${figures(limit)}. Do less in one run, or look for a loop or a promise that never ends.`;
    case "cpu":
      return `The snippet computed too long: ${figures(limit)}. Look for a loop that never ends, or work on less data at a time.`;
    case "memory":
      return `The snippet used more memory than it may: ${figures(limit)}. Work on less data at a time.`;
    case "calls":
      return `The snippet made too many calls: ${figures(limit)}. Make fewer, or split the work over several runs.`;
    case "asks":
      return `The snippet asked nami too often: ${figures(limit)}. Search less, and keep what the store gave in a variable.`;
    case "argument-size":
      return `The arguments of all calls together are too long: ${figures(limit)}. Split the work over several runs.`;
    case "result-size":
      return `The returned value is too long: ${figures(limit)}. Return less: filter, count or summarise.`;
    case "source-size":
      return `The code is too long: ${figures(limit)}.`;
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

/** `1001 calls, and the limit "calls" is 1000`. */
function figures(limit: ExceededLimit | undefined): string {
  if (limit === undefined) return "a limit was reached";
  const { name, value, used } = limit;
  const unit = name.endsWith("Ms") ? " ms" : name.endsWith("Mb") ? " MB" : name.endsWith("Bytes") ? " bytes" : "";
  const most = `the limit "${name}" is ${value}${unit}`;
  return used === undefined ? most : `${used}${unit}, and ${most}`;
}
