/** What bounds the text that a model gets back from a run. Tokens are o200k_base tokens. */

/**
 * Tokens for the returned value. Other hosts cap at 6,000 (Cloudflare's code mode) and 10,000 (Codex); a snippet that
 * filters its data needs far less, and every token stays in the conversation for all later turns.
 */
export const VALUE_TOKENS = 4_000;

/** The smallest budget for a value: below it, a notice of what was cut no longer fits. Smaller wishes are raised to it. */
export const MIN_VALUE_TOKENS = 64;

/** Tokens for all logs of a run together. Logs help to find a mistake; data belongs into the returned value. */
export const LOG_TOKENS = 1_000;

/** Tokens for an error's message. Messages of servers may hold whole pages of HTML. */
export const ERROR_TOKENS = 800;

/** Tokens for a code frame or, when there is none, a stack. */
export const FRAME_TOKENS = 400;

/** Tokens for all notes of a run together, and for all lines that say how to allow a call. */
export const NOTE_TOKENS = 500;

/** Lines of the list of calls; equal calls in a row share a line, so this is generous. */
export const CALL_LINES = 40;

/**
 * Levels of nesting that are looked into; deeper ones are replaced by a notice. `JSON.stringify` recurses and overflows
 * the stack at a few thousand levels, and no real result was seen to be deeper than 20.
 */
export const VALUE_DEPTH = 200;
