import { createFitter } from "./fit-value.ts";
import { MIN_VALUE_TOKENS } from "./limits.ts";
import { countTokens, estimateTokens } from "./tokens.ts";

/** A JSON value that was made to fit a token budget. */
export interface Shrunk {
  readonly value: unknown;
  /** The value as compact JSON. */
  readonly json: string;
  readonly tokens: number;
  /** What was cut and how to get the rest, for the model; absent when the value is whole. */
  readonly cut?: string;
}

/** How many sizes are tried at most, and which share of the budget is good enough to stop. */
const ROUNDS = 8;
const GOOD_ENOUGH = 0.9;

/**
 * Makes a JSON value fit: the compact JSON of the result has at most `budgetTokens` tokens (at least `MIN_VALUE_TOKENS` are
 * granted) and is valid. A value that fits comes back unchanged. Otherwise arrays keep their first items, objects their
 * first keys, long strings their beginning and end, and what is too deep is named; a notice stands wherever something is
 * missing. The same value and budget always give the same result.
 *
 * The value must be JSON of bounded depth: `redactValue` makes it so.
 */
export async function shrink(value: unknown, budgetTokens: number): Promise<Shrunk> {
  const budget = Math.max(budgetTokens, MIN_VALUE_TOKENS);
  const whole = JSON.stringify(value);
  const wholeTokens = await estimateTokens(whole);
  if (wholeTokens <= budget) return { value, json: whole, tokens: wholeTokens };

  const fitInto = createFitter(value);
  let best: Shrunk | undefined;
  let fits = 0;
  let tooMuch = whole.length;
  let room = Math.floor((whole.length * budget) / wholeTokens);
  for (let round = 0; round < ROUNDS; round++) {
    const fitted = fitInto(room);
    const json = JSON.stringify(fitted);
    const tokens = await countTokens(json);
    if (tokens > budget) {
      tooMuch = room;
    } else {
      fits = room;
      if (tokens > (best?.tokens ?? 0)) best = { value: fitted, json, tokens };
      if (tokens >= budget * GOOD_ENOUGH) break;
    }
    const guess = Math.floor((room * budget * 0.97) / tokens);
    room = guess > fits && guess < tooMuch ? guess : Math.floor((fits + tooMuch) / 2);
  }
  const chosen = best ?? (await nothingLeft());
  return { ...chosen, cut: cutMessage(wholeTokens, whole.length, budget) };
}

async function nothingLeft(): Promise<Shrunk> {
  const value = "[cut: too large]";
  const json = JSON.stringify(value);
  return { value, json, tokens: await countTokens(json) };
}

/** Rounded, since long texts are only estimated, and an exact number would be of no use. */
function cutMessage(wholeTokens: number, wholeCharacters: number, budget: number): string {
  const about = wholeTokens < 10_000 ? wholeTokens : Math.round(wholeTokens / 1_000) * 1_000;
  return (
    `The value was cut to fit ${budget} tokens; the whole is about ${about} tokens (${wholeCharacters} characters of JSON). ` +
    "The cuts are marked inside it. To see the rest, return less: filter, map or slice in the snippet."
  );
}
