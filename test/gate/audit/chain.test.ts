import { createHash } from "node:crypto";
import { appendFile, readdir, readFile, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { setAsideFiles } from "../../../src/gate/audit/files.ts";
import { verifyAudit } from "../../../src/gate/audit/verify.ts";
import { openAudit } from "../../../src/gate/audit.ts";
import { auditPath, decision, linesOf, outcome } from "./entries.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

it("gives each line the hash of the one before, who called, and when", async () => {
  const file = await auditPath();
  await using audit = openAudit(file, { caller: "run" });
  await audit.write(decision("run-1", 1));
  const ended = audit.write(outcome("run-1", 1));
  await audit.flush();
  await ended;
  const lines = await linesOf(file);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "call-decided", caller: "run", time: expect.stringMatching(/Z$/), previous: "0".repeat(64) },
    { event: "call-finished", caller: "run", previous: sha256(lines[0] ?? "") },
  ]);
});

it("keeps the file, its lock and its folder to the user", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await audit.write(decision("r", 1));
  const modes = await Promise.all([file, `${file}.lock`, dirname(file)].map((path) => stat(path)));
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600, 0o700]);
});

it("keeps the order of decisions and outcomes, whichever was urgent", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  const written = [1, 2, 3].flatMap((n) => [audit.write(decision("r", n)), audit.write(outcome("r", n))]);
  await Promise.all(written);
  const order = (await linesOf(file)).map((line) => JSON.parse(line)).map(({ sequence, event }) => [sequence, event]);
  expect(order).toEqual(
    [1, 2, 3].flatMap((n) => [
      [n, "call-decided"],
      [n, "call-finished"],
    ]),
  );
});

it("writes what waits when it is closed", async () => {
  const file = await auditPath();
  const audit = openAudit(file);
  void audit.write(outcome("r", 1));
  await audit[Symbol.asyncDispose]();
  expect(await linesOf(file)).toHaveLength(1);
});

it("goes on with the chain of an earlier process", async () => {
  const file = await auditPath();
  for (const n of [1, 2, 3]) {
    await using audit = openAudit(file);
    await audit.write(decision("r", n));
  }
  expect(await verifyAudit(file)).toMatchObject({ lines: 3, problems: [], cut: [] });
});

it("sets full files aside, keeps all of them, and goes on with the chain", async () => {
  const file = await auditPath();
  await using audit = openAudit(file, { fullAt: 2000 });
  for (let n = 1; n <= 40; n++) await audit.write(decision("r", n));
  const setAside = setAsideFiles(file);
  expect(setAside.length).toBeGreaterThan(4);
  for (const name of setAside) expect((await stat(name)).size).toBeGreaterThanOrEqual(2000);
  expect(await verifyAudit(file)).toMatchObject({ files: setAside.length + 1, lines: 40, problems: [], cut: [] });
  expect(setAside[0]).toMatch(/audit-\d{8}T\d{6}\.\d{3}Z\.jsonl$/);
  expect(await readdir(dirname(file))).toHaveLength(setAside.length + 2);
});

it("goes on after a line that is cut, and accounts for it", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await audit.write(decision("r", 1));
  const whole = await readFile(file, "utf8");
  await appendFile(file, whole.slice(0, 70));
  expect(await verifyAudit(file)).toMatchObject({ lines: 1, problems: [], cut: [{ number: 2 }] });
  await audit.write(decision("r", 2));
  await audit.write(decision("r", 3));
  expect(await verifyAudit(file)).toMatchObject({ lines: 3, problems: [], cut: [{ number: 2 }] });
  expect(JSON.parse((await linesOf(file))[2] ?? "")).toMatchObject({ cut: sha256(whole.slice(0, 70)) });
});

it("takes a line that lacks only its line break as whole", async () => {
  const file = await auditPath();
  const first = openAudit(file);
  await first.write(decision("r", 1));
  await first[Symbol.asyncDispose]();
  await truncate(file, (await stat(file)).size - 1);
  await using audit = openAudit(file);
  await audit.write(decision("r", 2));
  expect(await verifyAudit(file)).toMatchObject({ lines: 2, problems: [], cut: [] });
});
