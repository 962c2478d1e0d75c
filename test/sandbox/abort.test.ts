import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("stops a run when its signal is aborted, also one that loops", async () => {
  await using guest = openSandbox();
  for (const body of ["await new Promise(() => {})", "console.log('up'); while (true) {}"]) {
    const controller = new AbortController();
    const run = guest.run(body, { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect(await run).toMatchObject({ kind: "stopped", reason: "aborted" });
    expect(await guest.value("return 1")).toBe(1);
  }
});

it("does not start a run whose signal is aborted already, or while it waits", async () => {
  await using guest = openSandbox();
  expect(await guest.run("", { signal: AbortSignal.abort() })).toMatchObject({ kind: "stopped", reason: "aborted" });
  const controller = new AbortController();
  const first = guest.run("await sleep(200); return 1");
  const second = guest.run("return await notes.read()", { signal: controller.signal });
  controller.abort();
  expect(await second).toMatchObject({ kind: "stopped", reason: "aborted", calls: 0 });
  expect(await first).toMatchObject({ kind: "returned" });
});
