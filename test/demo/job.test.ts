import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { demoSnippet, demoTask } from "../../src/demo/job.ts";
import { type DemoServer, demoServers } from "../../src/demo/servers.ts";
import { type Connection, connect } from "./connect.ts";

const directory = mkdtempSync(join(tmpdir(), "nami-job-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("the demo's snippet closes the stale duplicates and writes the note", async () => {
  const { tickets: ticketsEntry, notes: notesEntry } = demoServers({ dir: directory });
  await using tickets = await connect(ticketsEntry as DemoServer);
  await using notes = await connect(notesEntry as DemoServer);
  const total = async (status: string) => (await tickets.value<{ total: number }>("search_tickets", { status })).total;
  const [open, closed] = [await total("open"), await total("closed")];

  const summary = { open: 251, duplicates: 131, closed: 84, failed: 0, note: "stale-duplicates.md" };
  expect(await runSnippet(demoSnippet, { tickets, notes })).toEqual(summary);

  expect([await total("open"), await total("closed")]).toEqual([open - 84, closed + 84]);
  const note = readFileSync(join(directory, "stale-duplicates.md"), "utf8");
  expect(note.split("\n").filter((line) => /^- \d+: .+ \(duplicate of \d+\)$/.test(line))).toHaveLength(84);
  expect(await runSnippet(demoSnippet, { tickets, notes }), "a second run finds nothing").toMatchObject({ closed: 0 });
});

test("the demo's task is one sentence that names the day and the note", () => {
  expect(demoTask).toMatch(/^[^\n]*2026-11-30[^\n]*stale-duplicates\.md[^\n]*\.$/);
});

/** Runs a snippet as nami does, but in this process: every property of a server's global is a tool. */
function runSnippet(code: string, servers: Record<string, Connection>): Promise<unknown> {
  const body = stripTypeScriptTypes(`async () => {${code}}`).replace(/^async \(\) => \{|\}$/g, "");
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const proxies = Object.values(servers).map(
    ({ value }) => new Proxy({}, { get: (_, tool) => (args: Record<string, unknown>) => value(String(tool), args) }),
  );
  return AsyncFunction(...Object.keys(servers), body)(...proxies);
}
