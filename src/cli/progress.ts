import type { WriteStream } from "node:tty";

/** What is said on standard error while the command works. */
export interface Progress extends Disposable {
  /** What is going on now: shown once it lasts over a second, replaced by the next one. */
  status(text: string): void;
  /** A line that stays. */
  line(text: string): void;
}

/** Milliseconds after which a person wants to know what is going on. */
const PATIENCE = 1000;

/** A live status line in a terminal; plain lines elsewhere. */
export function createProgress(stream: NodeJS.WriteStream | WriteStream): Progress {
  let timer: NodeJS.Timeout | undefined;
  let shown = false;
  const clear = (): void => {
    clearTimeout(timer);
    if (shown && stream.isTTY) stream.write("\r\u001b[K");
    shown = false;
  };
  return {
    status: (text) => {
      const live = shown;
      clear();
      const show = (): void => {
        shown = true;
        stream.write(stream.isTTY ? `nami: ${text}` : `nami: ${text}\n`);
      };
      if (live && stream.isTTY) show();
      else if (text !== "") timer = setTimeout(show, PATIENCE).unref();
    },
    line: (text) => {
      clear();
      stream.write(`${text}\n`);
    },
    [Symbol.dispose]: clear,
  };
}
