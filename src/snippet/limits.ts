/** Bounds on what a snippet may cost before it runs. Each has its unit, what it bounds, and why it is generous. */

/** UTF-8 bytes of one snippet. Snippets that models write are 1 to 5 KB; bulk data belongs in a tool result or a file. */
export const SOURCE_LIMIT = 64 * 1024;

/**
 * Brackets inside one another. Written code stays below 20. The native checker needs 8 ms for 100 levels of arrays, 1.5 s
 * for 150 and minutes for 5000 (measured with TypeScript 7.0.2).
 */
export const NESTING_LIMIT = 100;

/**
 * Characters in one snippet, strings included, that can open one more level of the grammar. The parser recurses on the
 * native stack with up to 720 bytes a level, and an overflow ends the whole process, so this times 720 must stay below
 * the usual 8 MB (measured with oxc-parser 0.158: 10,700 levels overflow). A 64 KB table of objects has about 6000.
 */
export const STRUCTURE_LIMIT = 8000;

/**
 * Characters `<` outside strings: each may begin type arguments, and the parser tries both readings (1000 in a chain take
 * 0.2 s, 8000 more than 15 s, on the main thread).
 */
export const ANGLE_LIMIT = 1000;

/** Milliseconds for one type check, explanations included. A usual check takes 3 to 10 ms. */
export const CHECK_TIMEOUT = 2000;

/** Milliseconds until the checker must have loaded the declarations. 2000 tools take 0.3 s; a busy machine takes longer. */
export const START_TIMEOUT = 30_000;

/** Soft memory limit of the checker process, in the form Go reads. It needs 90 MB for 2000 tools. */
export const CHECKER_MEMORY = "512MiB";

/** Errors shown to the model at once; more would cost tokens and are mostly echoes of the first. */
export const SHOWN_ERRORS = 5;

/** Notes kept for a run that throws. */
export const SHOWN_HINTS = 3;

/** Characters of a tool's signature in a message. */
export const SIGNATURE_WIDTH = 420;

/** Characters of a quoted line. */
export const FRAME_WIDTH = 110;
