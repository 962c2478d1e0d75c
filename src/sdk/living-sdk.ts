import { messageOf } from "../errors.ts";
import type { LearnedTypes } from "./learned/learned.ts";
import { buildSdk, type Sdk } from "./sdk.ts";

/** An SDK that grows as results are observed. */
export interface LivingSdk {
  /** The SDK as it is now; another object when something was learned. */
  current(): Sdk;
  /** Keeps what was observed since the last time and declares it. Never throws: what could not be kept is told. */
  learn(): Promise<void>;
}

/** Starts from an SDK that was built with what is known already. */
export function createLivingSdk(first: Sdk, learned: LearnedTypes, onProblem: (message: string) => void): LivingSdk {
  let sdk = first;
  let queue: Promise<void> = Promise.resolve();
  const learn = async (): Promise<void> => {
    await learned.save().catch((error) => {
      onProblem(`The types of observed results could not be kept: ${messageOf(error)}`);
    });
    sdk = await buildSdk(sdk.catalog, { observed: learned.of, previous: sdk });
  };
  return {
    current: () => sdk,
    learn: () => {
      queue = queue.then(learn);
      return queue;
    },
  };
}
