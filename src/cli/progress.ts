import type { Output } from "./output.ts";

/** What is said on standard error while the command works. */
export interface Progress extends Disposable {
  /** What is going on now: shown once it lasts over a second, replaced by the next one. Empty text ends it. */
  status(text: string): void;
  /** A line that stays. */
  line(text: string): void;
  /** Shows no status until the returned function is called: somebody else writes on the terminal. */
  hold(): () => void;
}

/** Milliseconds after which a person wants to know what is going on. */
const PATIENCE = 1000;

/** A live status line in a terminal; plain lines elsewhere. */
export function createProgress(stream: Output): Progress {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  let isHeld = false;
  const clear = (): void => {
    clearTimeout(timer);
    if (isShown && stream.isTTY) stream.control("\r\u001b[K");
    isShown = false;
  };
  return {
    status: (text) => {
      const goesOn = isShown && stream.isTTY;
      clear();
      if (text === "" || isHeld) return;
      const show = (): void => {
        isShown = true;
        stream.write(stream.isTTY ? `nami: ${text}` : `nami: ${text}\n`);
      };
      if (goesOn) show();
      else timer = setTimeout(show, PATIENCE).unref();
    },
    line: (text) => {
      clear();
      stream.write(`${text}\n`);
    },
    hold: () => {
      clear();
      isHeld = true;
      return () => {
        isHeld = false;
      };
    },
    [Symbol.dispose]: clear,
  };
}
