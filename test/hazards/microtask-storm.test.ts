import { describe, expect, it } from "vitest";
import { AT_DEADLINE, ENGINES, meet, SOON } from "./stand.ts";

const STORMS = [
  ["of awaits", "for (;;) await 0"],
  ["of promises that follow one another", "const on = () => Promise.resolve().then(on); await on()"],
  ["of queueMicrotask", "const on = () => queueMicrotask(on); on(); await sleep(60_000)"],
  [
    "that doubles",
    "const on = () => { Promise.resolve().then(on); Promise.resolve().then(on) }; on(); await new Promise(() => {})",
  ],
  ["after a call", "await notes.read(); for (;;) await null"],
  ["after the snippet returned", "notes.read().then(async () => { for (;;) await 0 }); return 1"],
] as const;

describe.each(ENGINES)("a storm of microtasks, on %s,", (engine) => {
  it.each(STORMS)("%s, is stopped", async (how, body) => {
    const outcome = await meet(engine, body, { limits: SOON });
    if (how === "after the snippet returned") {
      expect(outcome).toMatchObject({ kind: "returned", json: "1", warnings: [expect.stringContaining("cancelled")] });
    } else if (how === "that doubles") {
      // It fills the memory as it goes: whichever limit comes first.
      expect(outcome).toMatchObject({ kind: "stopped", reason: expect.stringMatching(/^(deadline|memory|crashed)$/) });
    } else expect(outcome).toMatchObject(AT_DEADLINE);
  });
});
