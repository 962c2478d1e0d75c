import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("outlives a snippet that brings its process down or overflows the stack", async () => {
  await using guest = openSandbox();
  for (const body of ["JSON.parse('['.repeat(5e6) + ']'.repeat(5e6))", "(function f() { f() })()"]) {
    const outcome = await guest.run(body);
    expect(outcome.kind).not.toBe("returned");
    expect(await guest.value("return 1")).toBe(1);
  }
});

it("outlives a reply that no parser can take", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run("return typeof await notes.read()", {
    call: async () => ({ kind: "value", json: `${"[".repeat(5e6)}${"]".repeat(5e6)}` }),
  });
  expect(outcome.kind).not.toBe("returned");
  expect(await guest.value("return 1")).toBe(1);
});
