import type { Parameters } from "fast-check";

/**
 * How the tests of this folder draw: the seed is printed, so that a failure can be repeated with `NAMI_SEED=<seed>`. `ms`
 * is how long one may take; what was drawn until then counts.
 */
export function bounded(ms: number): Pick<Parameters<unknown>, "seed" | "numRuns" | "interruptAfterTimeLimit"> {
  const wanted = Number(process.env["NAMI_SEED"]);
  const seed = Number.isInteger(wanted) && process.env["NAMI_SEED"] ? wanted : Math.floor(Math.random() * 2 ** 31);
  console.info(`NAMI_SEED=${seed}`);
  return { seed, numRuns: 100_000, interruptAfterTimeLimit: ms };
}
