import { escapeInvisible } from "../catalog/visible-text.ts";

/** A stream that a command writes to. */
export interface Output {
  readonly isTTY: boolean;
  /**
   * Writes text. On a terminal, characters that hide or reorder text or steer the terminal are shown as escapes: much of
   * what nami prints was written by servers and models.
   */
  write(text: string): void;
  /** Writes terminal control codes of ours as they are. */
  control(codes: string): void;
  /** Resolves when everything has left the process; with the reason when something could not be written. */
  flushed(): Promise<string | undefined>;
}

/** Wraps a standard stream. A reader that goes early (`| head`) is its right and no failure; a full disk is one. */
export function openOutput(stream: NodeJS.WriteStream): Output {
  const isTTY = stream.isTTY === true;
  let failure: string | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") failure ??= error.message;
  });
  return {
    isTTY,
    write: (text) => void stream.write(isTTY ? escapeInvisible(text) : text),
    control: (codes) => void stream.write(codes),
    flushed: () => new Promise((resolve) => stream.write("", () => setImmediate(() => resolve(failure)))),
  };
}
