import type { Output } from "./output.ts";

/** What a command may touch of the process. Only `main.ts` exits it. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Sets the exit code; the process ends when the command has returned. */
  exit(code: number): void;
}
