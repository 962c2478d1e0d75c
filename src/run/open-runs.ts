import { NamiError } from "../errors.ts";

/** The runs that are going on, so that closing can end them before what they stand on. */
export function createRuns() {
  const ending = new AbortController();
  const open = new Set<Promise<unknown>>();
  return {
    add: <T>(start: (ending: AbortSignal) => Promise<T>): Promise<T> => {
      if (ending.signal.aborted) throw new NamiError("USAGE", "This nami is closed.");
      const run = start(ending.signal).finally(() => open.delete(run));
      open.add(run);
      return run;
    },
    end: async (): Promise<void> => {
      ending.abort();
      await Promise.allSettled(open);
    },
  };
}
