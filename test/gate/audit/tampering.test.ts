import { appendFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { setAsideFiles } from "../../../src/gate/audit/files.ts";
import { verifyAudit } from "../../../src/gate/audit/verify.ts";
import { openAudit } from "../../../src/gate/audit.ts";
import { auditPath, decision, rewrite } from "./entries.ts";

/** An audit of ten lines, in one file or in several. */
async function tenLines(fullAt = 1e6): Promise<string> {
  const file = await auditPath();
  await using audit = openAudit(file, { fullAt });
  for (let n = 1; n <= 10; n++) await audit.write(decision("r", n));
  return file;
}

const problemsOf = async (file: string, known?: string) =>
  (await verifyAudit(file, known)).problems.map(({ file: name, number, message }) => [basename(name), number, message]);

const at = (number: number, message: string) => ["audit.jsonl", number, expect.stringContaining(message)];

describe("verify finds", () => {
  it("nothing in an audit as it was written", async () => {
    expect(await problemsOf(await tenLines())).toEqual([]);
  });

  it("a changed line", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.with(3, (lines[3] ?? "").replace('"allowed"', '"denied"')));
    expect(await problemsOf(file)).toEqual([at(5, "that one was changed")]);
  });

  it("one space more", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.with(3, `${lines[3]} `));
    expect(await problemsOf(file)).toEqual([at(5, "that one was changed")]);
  });

  it("a removed line", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.toSpliced(3, 1));
    expect(await problemsOf(file)).toEqual([at(4, "lines in between were removed")]);
  });

  it("removed first lines", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.slice(2));
    expect(await problemsOf(file)).toEqual([at(1, "the lines before this one are missing")]);
  });

  it("an inserted line, also one that is tied to the line before", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.toSpliced(3, 0, (lines[3] ?? "").replace("close_ticket", "read_ticket")));
    expect(await problemsOf(file)).toEqual([at(5, "the line before this one was inserted")]);
  });

  it("a repeated line and two that changed places", async () => {
    const repeated = await tenLines();
    await rewrite(repeated, (lines) => lines.toSpliced(3, 0, lines[2] ?? ""));
    expect(await problemsOf(repeated)).not.toEqual([]);
    const swapped = await tenLines();
    await rewrite(swapped, (lines) => lines.with(3, lines[4] ?? "").with(4, lines[3] ?? ""));
    expect(await problemsOf(swapped)).not.toEqual([]);
  });

  it.each(["", "# a note", '{"previous":"no hash"}', "[]", "\u0000"])(
    "an inserted line that is none: %j",
    async (text) => {
      const file = await tenLines();
      await rewrite(file, (lines) => lines.toSpliced(3, 0, text));
      expect(await problemsOf(file)).toEqual([at(4, "inserted")]);
    },
  );

  it("a line that was made unreadable", async () => {
    const file = await tenLines();
    await rewrite(file, (lines) => lines.with(3, (lines[3] ?? "").slice(0, 60)));
    expect(await problemsOf(file)).toEqual([at(4, "changed")]);
  });

  it("a cut line that was changed or removed afterwards", async () => {
    const withCut = async (): Promise<string> => {
      const file = await tenLines();
      await appendFile(file, '{"time":"20');
      await using audit = openAudit(file);
      await audit.write(decision("r", 11));
      return file;
    };
    const changed = await withCut();
    await rewrite(changed, (lines) => lines.with(10, '{"time":"19'));
    expect(await problemsOf(changed)).toEqual([at(11, "inserted")]);
    const removed = await withCut();
    await rewrite(removed, (lines) => lines.toSpliced(10, 1));
    expect(await problemsOf(removed)).toEqual([at(11, "an unfinished line before this one was removed")]);
  });

  it("a missing file in the middle, and at the start", async () => {
    const middle = await tenLines(900);
    const [, second = "", third = ""] = setAsideFiles(middle);
    await rm(second);
    expect(await problemsOf(middle)).toEqual([
      [basename(third), 1, expect.stringContaining("a file in between is missing")],
    ]);
    const start = await tenLines(900);
    const [first = "", next = ""] = setAsideFiles(start);
    await rm(first);
    expect(await problemsOf(start)).toEqual([[basename(next), 1, expect.stringContaining("an older file")]]);
  });

  it("lines removed from the end, when a hash was kept elsewhere", async () => {
    const file = await tenLines();
    const { last } = await verifyAudit(file);
    expect((await verifyAudit(file, last)).isKnownThere).toBe(true);
    await rewrite(file, (lines) => lines.slice(0, -1));
    expect(await verifyAudit(file, last)).toMatchObject({ problems: [], isKnownThere: false });
  });

  it("a file of another kind, with the first hundred lines of it", async () => {
    const file = await tenLines();
    await writeFile(file, "nothing of ours\n".repeat(10_000));
    expect((await problemsOf(file)).length).toBe(100);
    await truncate(file, 0);
    expect(await problemsOf(file)).toEqual([]);
  });
});
