import { expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { openSandbox } from "./run-snippet.ts";

const counting = () => {
  let made = 0;
  const call: HostCall = async () => {
    made++;
    return { kind: "value", json: "1" };
  };
  return { call, made: () => made };
};

it("allows as many calls as the limit says, and stops the run at one more", async () => {
  await using guest = openSandbox();
  const loop = (calls: number) => `for (let i = 0; i < ${calls}; i++) await notes.read({ i }); return 1`;
  const limits = { calls: 20 };
  expect(await guest.run(loop(20), { limits })).toMatchObject({ kind: "returned", calls: 20 });
  const { call, made } = counting();
  expect(await guest.run(loop(21), { limits, call })).toMatchObject({
    kind: "stopped",
    reason: "calls",
    calls: 20,
    limit: { name: "calls", value: 20 },
  });
  expect(made()).toBe(20);
});

it("makes none of a million calls that are issued at once", async () => {
  await using guest = openSandbox();
  const { call, made } = counting();
  const outcome = await guest.run("for (let i = 0; i < 1e6; i++) notes.read({ i }); return 1", { call });
  expect(outcome).toMatchObject({ kind: "stopped", reason: "calls" });
  expect(made()).toBe(0);
  expect(await guest.value("return 1")).toBe(1);
});
