import ivm from "isolated-vm";
import { test } from "vitest";
import { openSandbox } from "./run-snippet.ts";

/** Milliseconds between runs: the worker builds the next isolate meanwhile, as it does while a model thinks. */
const PAUSE_MS = 10;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

test("a run beside a new isolate in the host's own process, which can be neither killed nor trusted", async ({
  bench,
}) => {
  await using guest = openSandbox();
  await guest.sandbox.ready();
  await bench.compare(
    bench("a run in the sandbox", { beforeEach: pause }, async () => {
      await guest.run("return 1");
    }),
    bench("isolate in process", { beforeEach: pause }, async () => {
      const isolate = new ivm.Isolate({ memoryLimit: 128 });
      const context = await isolate.createContext();
      await context.eval("(async () => 1)()", { promise: true });
      isolate.dispose();
    }),
  );
});

test("calls at once beside calls one after the other", async ({ bench }) => {
  await using guest = openSandbox();
  await guest.sandbox.ready();
  const run = (name: string, body: string) =>
    bench(name, { beforeEach: pause }, async () => {
      await guest.run(body);
    });
  await bench.compare(
    run("no call", "return 1"),
    run("10 calls at once", "await Promise.all(Array.from({ length: 10 }, (_, i) => notes.read({ i })))"),
    run("10 calls one after the other", "for (let i = 0; i < 10; i++) await notes.read({ i })"),
    run("1,000 calls at once", "await Promise.all(Array.from({ length: 1000 }, (_, i) => notes.read({ i })))"),
  );
});

test("large results beside small ones", async ({ bench }) => {
  await using guest = openSandbox();
  await guest.sandbox.ready();
  const run = (name: string, body: string) =>
    bench(name, { beforeEach: pause }, async () => {
      await guest.run(body);
    });
  await bench.compare(run("returns a number", "return 1"), run("returns 1 MB", "return 'x'.repeat(1e6)"));
});
