import { expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { EXPECTED } from "./engine-differences.ts";
import { openSandbox } from "./run-snippet.ts";

it("finishes calls that were not awaited, and what follows them, before the run ends", async () => {
  await using guest = openSandbox();
  const finished: string[] = [];
  const call: HostCall = async ({ member }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    finished.push(member);
    return { kind: "value", json: "1" };
  };
  const body =
    "const work = async () => { await notes.read(); await notes.write(); console.log('done') }; work(); return 5";
  expect(await guest.run(body, { call })).toMatchObject({
    kind: "returned",
    json: "5",
    calls: 2,
    unawaited: 1,
    logs: [{ text: "done" }],
    warnings: [],
  });
  expect(finished).toEqual(["read", "write"]);
});

it("cancels them at the deadline and keeps the result", async () => {
  await using guest = openSandbox();
  let aborted = false;
  const call: HostCall = (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true)));
  const outcome = await guest.run("notes.read(); return 5", { call, limits: { wallMs: 200 } });
  expect(outcome).toMatchObject({ kind: "returned", json: "5", unawaited: 1 });
  expect(outcome.warnings).toEqual([expect.stringContaining("was cancelled")]);
  expect(aborted).toBe(true);
});

it("reports a rejection that nothing awaited as a warning", async () => {
  await using guest = openSandbox();
  const failing: HostCall = async () => ({ kind: "error", error: { name: "ToolError", message: "lost" } });
  const outcome = await guest.run("notes.read(); return 5", { call: failing });
  expect(outcome).toMatchObject({ kind: "returned", json: "5" });
  const warning = expect.stringContaining("nothing awaited it: ToolError: lost");
  expect(outcome.warnings).toEqual(EXPECTED.warnsOfRejections ? [warning] : []);
});
