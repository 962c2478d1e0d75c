import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    benchmark: { include: ["test/**/*.bench.ts"] },
    // isolated-vm and child processes want a process of their own, not a thread.
    pool: "forks",
    maxWorkers: 2,
    // A hang guard, not a performance bar: starting a real server on a loaded machine takes seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
