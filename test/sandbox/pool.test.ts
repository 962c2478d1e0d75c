import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("lets runs wait for the only process", async () => {
  await using guest = openSandbox();
  const outcomes = await Promise.all([1, 2, 3].map((n) => guest.value(`await sleep(5); return ${n}`)));
  expect(outcomes).toEqual([1, 2, 3]);
});

it("runs at once in as many processes as it may start", async () => {
  await using guest = openSandbox(2);
  let inFlight = 0;
  let most = 0;
  const call = async () => {
    most = Math.max(most, ++inFlight);
    // Until both runs are here, or it is clear that they will not be.
    for (let i = 0; i < 500 && most < 2; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    inFlight--;
    return { kind: "value" } as const;
  };
  await Promise.all([guest.run("await notes.read()", { call }), guest.run("await notes.read()", { call })]);
  expect(most).toBe(2);
});

it("refuses a limit that is no positive number", async () => {
  await using guest = openSandbox();
  for (const wallMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(guest.run("", { limits: { wallMs } })).rejects.toThrow("must be a positive number");
  }
});
