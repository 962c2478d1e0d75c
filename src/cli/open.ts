import type { AuditCaller } from "../gate/audit.ts";
import { createNami, type Nami } from "../nami.ts";
import { type RunFlags, toNamiOptions } from "./options.ts";
import type { Progress } from "./progress.ts";
import { reportEvents, reportWarnings } from "./report.ts";
import { terminalAsk } from "./terminal.ts";

/** Opens nami as a command's flags say: progress and warnings on standard error, questions on the terminal. */
export async function openNami(
  caller: AuditCaller,
  flags: RunFlags,
  progress: Progress,
  signal: AbortSignal,
): Promise<Nami> {
  progress.status("starting servers");
  const ask = terminalAsk(progress);
  const nami = await createNami({
    ...toNamiOptions(flags),
    caller,
    ...(ask && { ask }),
    onEvent: reportEvents(progress),
    signal,
  });
  signal.throwIfAborted();
  reportWarnings(progress, nami.warnings);
  return nami;
}
