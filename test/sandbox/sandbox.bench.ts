import { test } from "vitest";
import { openSandbox } from "./run-snippet.ts";

const BODIES = [
  ["a run", "return 1"],
  ["a run with 10 calls, one after the other", "for (let i = 0; i < 10; i++) await notes.read({ i })"],
  ["a run with 10 calls at once", "await Promise.all(Array.from({ length: 10 }, (_, i) => notes.read({ i })))"],
  ["a run with 1,000 calls at once", "await Promise.all(Array.from({ length: 1000 }, (_, i) => notes.read({ i })))"],
  ["a run that returns 1 MB", "return 'x'.repeat(1e6)"],
] as const;

/** Milliseconds between runs: the worker builds the next isolate meanwhile, as it does while a model thinks. */
const PAUSE_MS = 10;

for (const [name, body] of BODIES) {
  test(name, async ({ bench }) => {
    await using guest = openSandbox();
    await guest.sandbox.ready();
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
    await bench(name, { beforeEach: pause }, async () => {
      await guest.run(body);
    }).run();
  });
}
