import { countTokens, estimateTokens } from "../output/tokens.ts";
import type { CallRecord } from "./journal.ts";

/** The summary of a run or of a whole conversation. Token counts are estimates (o200k encoding; a model's own may differ). */
export interface Receipt {
  readonly calls: {
    readonly made: number;
    readonly ok: number;
    /** Failed by the tool, the protocol or the connection, cancelled after sending, or not sent for invalid arguments. */
    readonly failed: number;
    readonly denied: number;
    readonly refused: number;
  };
  /** Wall time in milliseconds, waiting for a person included. */
  readonly ms: number;
  /** Characters of JSON that tools returned, and of text that went back to the conversation. */
  readonly characters: { readonly fromTools: number; readonly returned: number };
  readonly tokens: {
    /** Went back to the conversation. */
    readonly returned: number;
    /** Tool results that the conversation never saw. */
    readonly keptOut: number;
  };
}

/** Collects what a receipt needs while a run goes on. */
export interface Meter {
  /** A tool's result as JSON text. */
  result(json: string): void;
  receipt(calls: readonly CallRecord[], returned: string): Promise<Receipt>;
}

/** Characters of one result that are kept for measuring how many tokens such text takes. */
const SAMPLE = 2000;
/** Results that are sampled. The ratio hardly moves after that. */
const SAMPLES = 50;

/** Starts measuring: time runs from here. */
export function createMeter(): Meter {
  const start = performance.now();
  const samples: string[] = [];
  let fromTools = 0;
  return {
    result: (json) => {
      fromTools += json.length;
      if (samples.length < SAMPLES) samples.push(json.slice(0, SAMPLE));
    },
    receipt: async (calls, returned) => {
      const ms = Math.round(performance.now() - start);
      const sample = samples.join("\n");
      const perCharacter = sample === "" ? 0 : (await countTokens(sample)) / sample.length;
      const returnedTokens = await estimateTokens(returned);
      const count = (test: (call: CallRecord) => boolean): number => calls.filter(test).length;
      return {
        calls: {
          made: calls.length,
          ok: count(({ outcome }) => outcome === "ok"),
          failed: count(
            ({ decision, outcome }) => decision === "invalid" || (decision === "allowed" && outcome !== "ok"),
          ),
          denied: count(({ decision }) => decision === "denied"),
          refused: count(({ decision }) => decision === "refused"),
        },
        ms,
        characters: { fromTools, returned: returned.length },
        tokens: {
          returned: returnedTokens,
          keptOut: Math.max(0, Math.round(fromTools * perCharacter) - returnedTokens),
        },
      };
    },
  };
}

/** One receipt for several runs: times and counts added up. */
export function sumReceipts(receipts: readonly Receipt[]): Receipt {
  const sum = (pick: (receipt: Receipt) => number): number =>
    receipts.reduce((total, receipt) => total + pick(receipt), 0);
  return {
    calls: {
      made: sum(({ calls }) => calls.made),
      ok: sum(({ calls }) => calls.ok),
      failed: sum(({ calls }) => calls.failed),
      denied: sum(({ calls }) => calls.denied),
      refused: sum(({ calls }) => calls.refused),
    },
    ms: sum(({ ms }) => ms),
    characters: {
      fromTools: sum(({ characters }) => characters.fromTools),
      returned: sum(({ characters }) => characters.returned),
    },
    tokens: { returned: sum(({ tokens }) => tokens.returned), keptOut: sum(({ tokens }) => tokens.keptOut) },
  };
}
