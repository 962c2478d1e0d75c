import { expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

it("keeps as many lines as the limit says, and says when it dropped one", async () => {
  await using guest = openSandbox();
  const print = (lines: number) => `for (let i = 0; i < ${lines}; i++) console.log(i)`;
  const limits = { logLines: 100 };
  const atLimit = await guest.run(print(100), { limits });
  expect([atLimit.logs.length, atLimit.logsCut]).toEqual([100, false]);
  const oneOver = await guest.run(print(101), { limits });
  expect([oneOver.logs.length, oneOver.logsCut]).toEqual([100, true]);
});

it("keeps as many bytes as the limit says, and cuts the line that goes over", async () => {
  await using guest = openSandbox();
  const limits = { logBytes: 10 };
  expect(await guest.run("console.log('éé'); console.log('123456')", { limits })).toMatchObject({
    logs: [{ text: "éé" }, { text: "123456" }],
    logsCut: false,
  });
  expect(await guest.run("console.log('éé'); console.log('12345é'); console.log('x')", { limits })).toMatchObject({
    logs: [{ text: "éé" }, { text: "12345" }],
    logsCut: true,
  });
});

it("survives a million lines and a gigabyte", async () => {
  await using guest = openSandbox();
  const lines = await guest.run("for (let i = 0; i < 1e6; i++) console.log('line', i); return 1");
  expect(lines).toMatchObject({ kind: "returned", logsCut: true });
  expect(lines.logs.length).toBe(5000);
  const bytes = await guest.run("const s = 'x'.repeat(1e7); for (let i = 0; i < 100; i++) console.log(s); return 1");
  expect(bytes).toMatchObject({ kind: "returned", logsCut: true });
  expect(bytes.logs.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2 ** 20);
});
