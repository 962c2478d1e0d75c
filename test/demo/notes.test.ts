import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nameProblem } from "../../src/demo/notes/note-name.ts";
import { demoServers } from "../../src/demo/servers.ts";
import { type Connection, connect, textOf } from "./connect.ts";

// The notes are in `outside/notes`; nothing else under `outside` may change.
let outside: string;
let directory: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), "nami-notes-"));
  directory = join(outside, "notes");
  writeFileSync(join(outside, "secret.md"), "secret");
});
afterEach(() => rmSync(outside, { recursive: true }));

function entry() {
  const { notes } = demoServers({ dir: directory });
  if (notes === undefined) throw new Error("demoServers gives no entry for notes");
  return notes;
}

const start = (): Promise<Connection> => connect(entry());

test("makes its folder, and writes, lists, reads, replaces and deletes notes", async () => {
  await using server = await start();
  expect(await server.value("list_notes")).toEqual({ notes: [] });
  expect(await server.value("write_note", { name: "plan.md", text: "# Plän\n" })).toEqual({
    name: "plan.md",
    bytes: 8,
    created: true,
  });
  await server.value("write_note", { name: "a b ü.md", text: "" });
  expect(readFileSync(join(directory, "plan.md"), "utf8")).toBe("# Plän\n");
  expect(await server.value("read_note", { name: "plan.md" })).toBe("# Plän\n");
  expect(await server.value("write_note", { name: "plan.md", text: "new" })).toMatchObject({
    bytes: 3,
    created: false,
  });
  expect(await server.value("list_notes")).toEqual({
    notes: [
      { name: "a b ü.md", bytes: 0 },
      { name: "plan.md", bytes: 3 },
    ],
  });
  expect(await server.value("delete_note", { name: "plan.md" })).toBe("Deleted plan.md.");
  expect(readdirSync(directory)).toEqual(["a b ü.md"]);
});

test("declares the shape of some results and not of others, and calls only its reads safe", async () => {
  await using server = await start();
  const { tools } = await server.client.listTools();
  const declared = tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name);
  expect(declared).toEqual(["list_notes", "write_note"]);
  const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  expect(entry().safe_tools.toSorted()).toEqual(reads.toSorted());
});

test("finds lines whatever their case, with name and number, and stops at 100", async () => {
  await using server = await start();
  await server.value("write_note", { name: "one.md", text: "first\r\nThe Ticket\n" });
  await server.value("write_note", { name: "two.md", text: "tickets" });
  const found = await server.value<string>("search_notes", { text: "TICKET" });
  expect(JSON.parse(found)).toEqual([
    { name: "one.md", line: 2, text: "The Ticket" },
    { name: "two.md", line: 1, text: "tickets" },
  ]);
  await server.value("write_note", { name: "many.md", text: "ticket\n".repeat(500) });
  expect(JSON.parse(await server.value("search_notes", { text: "ticket" }))).toHaveLength(100);
});

test("says which note does not exist", async () => {
  await using server = await start();
  for (const tool of ["read_note", "delete_note"]) {
    const result = await server.call(tool, { name: "gone.md" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe("There is no note gone.md.");
  }
});

const hostileNames = [
  "../secret.md",
  "..\\secret.md",
  "sub/../../secret.md",
  "./plan.md",
  "sub/plan.md",
  "/etc/passwd",
  "C:\\plan.md",
  "C:plan.md",
  "\\\\server\\share\\plan.md",
  "plan.md:stream.md",
  "plan.md\u0000.txt",
  "plan\u0000.md",
  "plan\n.md",
  "..",
  ".md",
  ".hidden.md",
  "plan.txt",
  "plan",
  "plan.MD",
  "plan.md ",
  "plan.md.",
  "CON.md",
  "nul.md",
  "aux.txt.md",
  "Lpt1.md",
  "COM¹.md",
  "prn .md",
  `${"x".repeat(300)}.md`,
];

test("refuses names that are paths, devices, hidden or not Markdown, for reading, writing and deleting", async () => {
  await using server = await start();
  await server.value("write_note", { name: "plan.md", text: "plan" });
  for (const name of [...hostileNames, join(outside, "secret.md"), join(outside, "new.md")]) {
    for (const result of [
      await server.call("read_note", { name }),
      await server.call("write_note", { name, text: "attack" }),
      await server.call("delete_note", { name }),
    ]) {
      expect(result.isError, name).toBe(true);
      expect(textOf(result), name).toContain("cannot be the name of a note");
    }
  }
  expect(await server.call("read_note", { name: "" })).toMatchObject({ isError: true });
  expect(readdirSync(directory)).toEqual(["plan.md"]);
  expect(readFileSync(join(directory, "plan.md"), "utf8")).toBe("plan");
  expectNothingOutside();
});

test("reads, writes and deletes nothing through a link, wherever it leads", async () => {
  await using server = await start();
  await server.value("write_note", { name: "plan.md", text: "plan" });
  symlinkSync(join(outside, "secret.md"), join(directory, "link.md"));
  symlinkSync(join(outside, "new.md"), join(directory, "dangling.md"));
  symlinkSync("plan.md", join(directory, "inside.md"));
  for (const name of ["link.md", "dangling.md", "inside.md"]) {
    for (const result of [
      await server.call("read_note", { name }),
      await server.call("write_note", { name, text: "attack" }),
      await server.call("delete_note", { name }),
    ]) {
      expect(result.isError, name).toBe(true);
      expect(textOf(result)).toContain("not a plain file");
    }
    expect(readdirSync(directory)).toContain(name);
  }
  expect(await server.value("list_notes")).toEqual({ notes: [{ name: "plan.md", bytes: 4 }] });
  expect(JSON.parse(await server.value("search_notes", { text: "secret" }))).toEqual([]);
  expect(readFileSync(join(directory, "plan.md"), "utf8")).toBe("plan");
  expectNothingOutside();
});

test("does not take folders and pipes for notes, and does not wait for them", async () => {
  await using server = await start();
  mkdirSync(join(directory, "folder.md"));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(directory, "pipe.md")]);
  else mkdirSync(join(directory, "pipe.md"));
  for (const name of ["folder.md", "pipe.md"]) {
    expect(await server.call("read_note", { name })).toMatchObject({ isError: true });
    expect(await server.call("write_note", { name, text: "attack" })).toMatchObject({ isError: true });
    expect(await server.call("delete_note", { name })).toMatchObject({ isError: true });
  }
  expect(await server.value("list_notes")).toEqual({ notes: [] });
  expect(readdirSync(directory)).toEqual(["folder.md", "pipe.md"]);
});

test("leaves one whole text when many write the same note at once", async () => {
  await using server = await start();
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000 * (index + 1)));
  await Promise.all(texts.map((text) => server.value("write_note", { name: "same.md", text })));
  expect(texts).toContain(await server.value("read_note", { name: "same.md" }));
  expect(readdirSync(directory)).toEqual(["same.md"]);
});

test("accepts ordinary names", () => {
  for (const name of ["plan.md", "Plan 2026-11-30.md", "日本.md", "con-call.md", "console.md", "a..b.md", "v1.2.md"]) {
    expect(nameProblem(name), name).toBeUndefined();
  }
});

function expectNothingOutside(): void {
  expect(readdirSync(outside).toSorted()).toEqual(["notes", "secret.md"]);
  expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("secret");
}
