import type { Redactor } from "./redact.ts";

/** Masks secrets in a text that arrives in pieces. */
export interface StreamRedactor {
  /** Takes a piece and gives what can be shown of all so far: perhaps nothing, since a secret may have begun. */
  push(piece: string): string;
  /** Gives what was held back. The next piece begins a new text. */
  end(): string;
}

/** Characters that are held back at least: in fewer, tokens that are in use can be told from ordinary text. */
const HELD_BACK = 512;

/**
 * Makes a redactor for one text at a time, whose pieces may part a secret anywhere: what comes out, put together, is as if the
 * whole text had been redacted. That holds for the given secrets in every form, and for tokens whose beginning can be told from
 * `HELD_BACK` characters.
 */
export function createStreamRedactor(redact: Redactor): StreamRedactor {
  let held = "";
  return {
    push: (piece) => {
      held += piece;
      const border = safeBorder(held, redact);
      const shown = redact(held.slice(0, border));
      held = held.slice(border);
      return shown;
    },
    end: () => {
      const shown = redact(held);
      held = "";
      return shown;
    },
  };
}

/**
 * Where the text can be parted without parting a secret: at `HELD_BACK` from its end, or before what is masked there, looked
 * for in growing steps, so that a token of any length takes few tries.
 */
function safeBorder(text: string, redact: Redactor): number {
  const whole = redact(text);
  for (let step = Math.max(HELD_BACK, redact.longest ?? 0); step < text.length; step *= 2) {
    const border = text.length - step;
    if (redact(text.slice(0, border)) + redact(text.slice(border)) === whole) return border;
  }
  return 0;
}
