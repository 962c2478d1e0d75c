import type { LogLine } from "./result.ts";

/** What happens while a run goes on, for progress lines and programs that watch. */
export type RunEvent =
  | { readonly kind: "run-started"; readonly run: string }
  | { readonly kind: "snippet-checked"; readonly run: string; readonly ok: boolean; readonly ms: number }
  | { readonly kind: "call-started"; readonly run: string; readonly sequence: number; readonly ref: string }
  | {
      readonly kind: "call-ended";
      readonly run: string;
      readonly sequence: number;
      readonly ref: string;
      /** How it ended; `denied` and `refused` calls were not sent. */
      readonly outcome: "value" | "tool-error" | "error" | "cancelled" | "denied" | "refused" | "invalid" | "planned";
      readonly ms: number;
    }
  /** The draft of a plan is done, and a person is asked about it. */
  | { readonly kind: "plan-drafted"; readonly run: string; readonly calls: number }
  | { readonly kind: "line-logged"; readonly run: string; readonly line: LogLine }
  | { readonly kind: "run-ended"; readonly run: string; readonly ok: boolean };

/** Receives events. Must not throw; is not awaited. */
export type Emit = (event: RunEvent) => void;

/** Events never disturb the work that they tell of. */
export function undisturbed<Event>(listener: ((event: Event) => void) | undefined): (event: Event) => void {
  return (event) => {
    try {
      listener?.(event);
    } catch {
      // The listener's own affair.
    }
  };
}
