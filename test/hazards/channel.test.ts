import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** How a host of its own fares whose worker was taken over and does this. */
function faresWith(trick: string): Promise<{ outcome: string; megabytes: number }> {
  const host = fork(fileURLToPath(new URL("./hostile-worker-host.ts", import.meta.url)), [trick], { stdio: "ignore" });
  return new Promise((resolve) => {
    // The test's own program, which sends just this.
    host.once("message", (message) => resolve(message as { outcome: string; megabytes: number }));
    host.once("exit", () => resolve({ outcome: "the host died", megabytes: 0 }));
  });
}

describe("a worker process that was taken over", () => {
  it.each([
    ["a frame of an unknown kind", "protocol"],
    ["no object", "protocol"],
    ["a frame with a text of 100 MB", "protocol"],
    ["frames without end", expect.stringMatching(/^(deadline|memory)$/)],
    ["its result twice", "returned"],
  ])("and sends %s, cannot harm the host", async (trick, outcome) => {
    expect((await faresWith(trick)).outcome).toEqual(outcome);
  });

  it("and sends a frame before it was asked, is not used", async () => {
    expect((await faresWith("a frame before it was asked")).outcome).toMatch(/ended before it was ready/);
  });

  it.each(["bytes that are no message", "a message that is cut"])(
    "and sends %s, does not bring the host down",
    async (trick) => {
      expect((await faresWith(trick)).outcome).toBe("protocol");
    },
  );

  it("and sends Node's own messages out of turn, does not bring the host down", async () => {
    const { outcome } = await faresWith("the acknowledgement of a handle that nobody sent");
    expect(outcome).toBe("deadline");
  });

  // Node holds the parts of a message until it is whole, and its length may say 4 GB.
  it("and sends a message without an end, does not fill the host's memory", async () => {
    expect((await faresWith("a message without an end")).megabytes).toBeLessThan(300);
  });
});
