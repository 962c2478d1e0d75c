import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { setAsideFiles } from "../../../src/gate/audit/files.ts";
import { auditLines } from "../../../src/gate/audit/lines.ts";
import { readLine } from "../../../src/gate/audit/link.ts";
import { verifyAudit } from "../../../src/gate/audit/verify.ts";
import { openAudit } from "../../../src/gate/audit.ts";
import { auditPath, decision } from "./entries.ts";

const WRITER = fileURLToPath(new URL("writer.ts", import.meta.url));

const startWriter = (file: string, run: string, calls: number, fullAt: number): ChildProcess =>
  spawn(process.execPath, [WRITER, file, run, String(calls), String(fullAt)], { stdio: ["ignore", "pipe", "inherit"] });

/** The sequence numbers of a run's decisions, in the order in which they stand in the audit. */
async function decidedIn(file: string): Promise<Map<unknown, unknown[]>> {
  const runs = new Map<unknown, unknown[]>();
  for await (const { line } of auditLines(file)) {
    const entry = readLine(line);
    if (entry?.["event"] === "call-decided")
      runs.set(entry["run"], [...(runs.get(entry["run"]) ?? []), entry["sequence"]]);
  }
  return runs;
}

it("keeps one chain when processes write at once and files are set aside meanwhile, and loses nothing", async () => {
  const file = await auditPath();
  const writers = ["a", "b", "c", "d"].map((run) => startWriter(file, run, 150, 20_000));
  const codes = await Promise.all(writers.map((writer) => once(writer, "exit")));
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(await verifyAudit(file)).toMatchObject({ lines: 1200, problems: [], cut: [] });
  expect(setAsideFiles(file).length).toBeGreaterThan(5);
  const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
  expect(Object.fromEntries(await decidedIn(file))).toEqual({ a: numbers, b: numbers, c: numbers, d: numbers });
});

it("can be verified while others write", async () => {
  const file = await auditPath();
  const writer = startWriter(file, "a", 500, 10_000);
  const ended = once(writer, "exit");
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  while (isRunning) expect((await verifyAudit(file)).problems).toEqual([]);
  expect((await verifyAudit(file)).lines).toBe(1000);
});

it("survives processes that are killed while they write: the others go on at once", async () => {
  const file = await auditPath();
  const other = startWriter(file, "other", 400, 1e6);
  for (let round = 0; round < 4; round++) {
    const victim = startWriter(file, `victim-${round}`, 1e6, 1e6);
    await once(victim.stdout ?? victim, "data");
    await expect.poll(async () => (await decidedIn(file)).has(`victim-${round}`), { timeout: 20_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5 + 5 * round));
    victim.kill("SIGKILL");
    await once(victim, "exit");
  }
  if (other.exitCode === null) await once(other, "exit");
  expect(other.exitCode).toBe(0);
  await using audit = openAudit(file);
  await audit.write(decision("last", 1));
  expect((await verifyAudit(file)).problems).toEqual([]);
  expect((await decidedIn(file)).get("other")).toHaveLength(400);
  expect((await decidedIn(file)).get("victim-0")?.length).toBeGreaterThan(0);
});

it("makes no call when another process does not give its turn up", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await audit.write(decision("r", 1));
  const holder = new DatabaseSync(`${file}.lock`);
  holder.exec("BEGIN EXCLUSIVE");
  await expect(audit.write(decision("r", 2))).rejects.toMatchObject({
    code: "AUDIT_UNWRITABLE",
    message: expect.stringMatching(/another process has held .*audit\.jsonl\.lock for 2 s/),
  });
  holder.close();
  await audit.write(decision("r", 3));
  expect(await verifyAudit(file)).toMatchObject({ lines: 2, problems: [] });
});
