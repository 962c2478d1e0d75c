import type { TurnUsage } from "./model.ts";

/** What happens while an agent works, for progress displays and records. Turns are counted from 1. */
export type AgentEvent =
  | { readonly kind: "turn-started"; readonly turn: number }
  | { readonly kind: "text-delta"; readonly turn: number; readonly text: string }
  /** The answer broke off and is asked for anew: the turn's text so far is void. */
  | { readonly kind: "turn-retried"; readonly turn: number; readonly reason: string }
  | {
      readonly kind: "tool-requested";
      readonly turn: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly kind: "tool-answered";
      readonly turn: number;
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly ms: number;
    }
  | {
      readonly kind: "turn-ended";
      readonly turn: number;
      readonly finish: string;
      /** As the endpoint counted, or estimated here when it did not. */
      readonly usage: TurnUsage;
      readonly estimated: boolean;
    };
