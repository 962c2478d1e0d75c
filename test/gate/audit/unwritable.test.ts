import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { verifyAudit } from "../../../src/gate/audit/verify.ts";
import { openAudit } from "../../../src/gate/audit.ts";
import { auditPath, decision, outcome } from "./entries.ts";

const UNWRITABLE = { code: "AUDIT_UNWRITABLE", message: expect.stringContaining("No call is made") };

it("says so when its folder cannot be made", async () => {
  const file = await auditPath();
  await writeFile(dirname(file), "a file");
  await using audit = openAudit(file);
  await expect(audit.write(decision("r", 1))).rejects.toMatchObject(UNWRITABLE);
});

it("says so for a finished call too, and goes on when the obstacle is gone", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await mkdir(file, { recursive: true });
  const ended = audit.write(outcome("r", 1));
  const failed = expect(ended).rejects.toMatchObject(UNWRITABLE);
  await audit.flush();
  await failed;
  await rm(file, { recursive: true });
  await audit.write(decision("r", 2));
  expect(await verifyAudit(file)).toMatchObject({ lines: 1, problems: [] });
});

it("goes on when its folder was removed", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await audit.write(decision("r", 1));
  await rm(dirname(file), { recursive: true });
  await audit.write(decision("r", 2));
  expect(await verifyAudit(file)).toMatchObject({ lines: 1, problems: [] });
});

it("goes by the lock that is there when the one it knows was removed", async () => {
  const file = await auditPath();
  await using audit = openAudit(file);
  await audit.write(decision("r", 1));
  await rm(`${file}.lock`);
  using holder = new DatabaseSync(`${file}.lock`);
  holder.exec("BEGIN EXCLUSIVE");
  await expect(audit.write(decision("r", 2))).rejects.toMatchObject(UNWRITABLE);
});

/** A file system of 64 kB, where this machine lets us mount one. */
async function tinyDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "nami-disk-"));
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0 ? folder : undefined;
}

it("stops when the disk is full, leaves no half line, and goes on when there is room", async (context) => {
  const disk = await tinyDisk();
  if (disk === undefined) return context.skip("no right to mount a small disk");
  try {
    const file = join(disk, "audit.jsonl");
    await using audit = openAudit(file);
    let written = 0;
    const fill = async (): Promise<void> => {
      for (; written < 1000; written++) await audit.write(decision("r", written, 900));
    };
    await expect(fill()).rejects.toMatchObject({
      code: "AUDIT_UNWRITABLE",
      message: expect.stringContaining("ENOSPC"),
    });
    expect(written).toBeGreaterThan(10);
    expect(await verifyAudit(file)).toMatchObject({ lines: written, problems: [], cut: [] });
    await truncate(file, (await stat(file)).size - 5000);
    await audit.write(decision("r", 0));
    expect((await verifyAudit(file)).cut).toHaveLength(1);
  } finally {
    spawnSync("umount", [disk]);
  }
});

it("names its lock, and what to do, when that is no lock", async () => {
  const file = await auditPath();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.lock`, "garbage ".repeat(100));
  await using audit = openAudit(file);
  const message = expect.stringContaining(`its lock ${file}.lock is broken; delete that file`);
  await expect(audit.write(decision("r", 1))).rejects.toMatchObject({ ...UNWRITABLE, message });
});
