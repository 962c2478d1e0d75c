import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { demoServers } from "../../src/demo/servers.ts";
import type { Ticket, TicketDetails, TicketEvent, TicketPage } from "../../src/demo/tickets/ticket.ts";
import { type Connection, connect, textOf } from "./connect.ts";

const directory = mkdtempSync(join(tmpdir(), "nami-tickets-"));
afterAll(() => rmSync(directory, { recursive: true }));

const start = (db?: string): Promise<Connection> => connect(entry(db));

function entry(db?: string) {
  const { tickets } = demoServers({ dir: directory, ...(db !== undefined && { db }) });
  if (tickets === undefined) throw new Error("demoServers gives no entry for tickets");
  return tickets;
}

async function allTickets({ value }: Connection, filter: object = {}): Promise<Ticket[]> {
  const { pages } = await value<TicketPage>("search_tickets", { ...filter });
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const found = await Promise.all(numbers.map((page) => value<TicketPage>("search_tickets", { ...filter, page })));
  return found.flatMap(({ tickets }) => tickets);
}

test("lists its tools with hints that tell the truth", async () => {
  await using server = await start();
  const { tools } = await server.client.listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  const reads = { readOnlyHint: true, openWorldHint: false };
  expect(hints).toEqual({
    search_tickets: reads,
    get_ticket: reads,
    ticket_history: reads,
    add_comment: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    close_ticket: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  });
  expect(tools.every(({ outputSchema }) => outputSchema?.type === "object")).toBe(true);
});

test("calls only read-only tools safe", async () => {
  await using server = await start();
  const { tools } = await server.client.listTools();
  const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  expect(entry().safe_tools.toSorted()).toEqual(reads.toSorted());
});

test("pages through 500 tickets, 50 at a time, each once", async () => {
  await using server = await start();
  const { tickets, ...first } = await server.value<TicketPage>("search_tickets");
  expect(first).toEqual({ page: 1, pages: 10, total: 500 });
  expect(tickets).toHaveLength(50);
  const ids = (await allTickets(server)).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  expect(await server.value("search_tickets", { page: 11 })).toEqual({ tickets: [], page: 11, pages: 10, total: 500 });
});

test("filters by status and by keyword, whatever the case, and takes % as a plain character", async () => {
  await using server = await start();
  const all = await allTickets(server);
  expect(await allTickets(server, { status: "open" })).toEqual(all.filter(({ status }) => status === "open"));
  const found = await allTickets(server, { keyword: "FIREFOX", status: "closed" });
  expect(found).toEqual(all.filter(({ title, status }) => title.includes("Firefox") && status === "closed"));
  expect(found.length).toBeGreaterThan(0);
  expect(await server.value("search_tickets", { keyword: "%" })).toMatchObject({ total: 0, pages: 0 });
});

test("has groups of open duplicates, many of them untouched for 90 days", async () => {
  await using server = await start();
  const all = await allTickets(server);
  const byId = new Map(all.map((ticket) => [ticket.id, ticket]));
  const duplicates = all.filter(({ duplicate_of }) => duplicate_of !== null);
  const groups = Map.groupBy(duplicates, ({ duplicate_of }) => duplicate_of);
  for (const { id, title, duplicate_of } of duplicates) {
    const original = byId.get(duplicate_of ?? 0);
    expect(original).toMatchObject({ duplicate_of: null });
    expect(original?.id).toBeLessThan(id);
    expect([original?.title, `${original?.title} (again)`]).toContain(title);
  }
  const open = duplicates.filter(({ status }) => status === "open");
  const stale = open.filter(({ updated }) => updated < "2026-09-01");
  expect({ duplicates: duplicates.length, groups: groups.size, open: open.length, stale: stale.length }).toEqual({
    duplicates: 169,
    groups: 53,
    open: 131,
    stale: 84,
  });
});

test("gives the same data at every start", async () => {
  await using one = await start();
  await using other = await start();
  const details = (server: Connection) =>
    Promise.all(
      Array.from({ length: 500 }, (_, index) => server.value<TicketDetails>("get_ticket", { id: index + 1 })),
    );
  const tickets = await details(one);
  expect(tickets).toEqual(await details(other));
  for (const { created, updated, comments } of tickets) {
    const times = [created, ...comments.map(({ at }) => at), updated];
    expect(times).toEqual(times.toSorted());
    expect(updated < "2026-11-30").toBe(true);
  }
});

test("says which ticket does not exist, and stays alive", async () => {
  await using server = await start();
  for (const tool of ["get_ticket", "ticket_history"]) {
    const result = await server.call(tool, { id: 501 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe("There is no ticket 501.");
  }
  expect(await server.call("close_ticket", { id: 501, reason: "gone" })).toMatchObject({ isError: true });
  expect(await server.call("add_comment", { id: 501, text: "hello" })).toMatchObject({ isError: true });
  expect(await server.call("get_ticket", { id: "1; DROP TABLE tickets" })).toMatchObject({ isError: true });
  expect(await server.value("search_tickets")).toMatchObject({ total: 500 });
});

test("fails the first history of every third ticket, and of no other", async () => {
  await using server = await start();
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  const failed = async () => {
    const results = await Promise.all(ids.map((id) => server.call("ticket_history", { id })));
    return ids.filter((_, index) => results[index]?.isError);
  };
  expect(await failed()).toEqual([3, 6, 9, 12]);
  expect(await failed()).toEqual([]);
  expect(textOf(await server.call("ticket_history", { id: 30 }))).toContain("temporarily unavailable, try again");
});

test("adds a comment per call, and keeps it in the history", async () => {
  await using server = await start();
  const before = await server.value<TicketDetails>("get_ticket", { id: 7 });
  await server.value("add_comment", { id: 7, text: "first" });
  const after = await server.value<TicketDetails>("add_comment", { id: 7, text: "second" });
  const comment = { author: "nami", at: "2026-11-30T00:00:00Z" };
  expect(after.comments).toEqual([...before.comments, { ...comment, text: "first" }, { ...comment, text: "second" }]);
  expect(after.updated).toBe("2026-11-30T00:00:00Z");
  const { events } = await server.value<{ events: TicketEvent[] }>("ticket_history", { id: 7 });
  expect(events.at(0)?.event).toBe("created");
  expect(events.at(-1)).toEqual({ at: comment.at, actor: "nami", event: "commented", text: "second" });
});

test("closes a ticket once: a second close changes nothing", async () => {
  await using server = await start();
  const [open] = await allTickets(server, { status: "open" });
  const id = open?.id;
  const closed = await server.value<TicketDetails>("close_ticket", { id, reason: "Fixed." });
  expect(closed).toMatchObject({ status: "closed", close_reason: "Fixed.", closed: "2026-11-30T00:00:00Z" });
  expect(await server.value("close_ticket", { id, reason: "Another reason." })).toEqual(closed);
  expect(await server.value("get_ticket", { id })).toEqual(closed);
});

test("keeps changes in its file, and fills a file only once", async () => {
  const file = join(directory, "tickets.db");
  {
    // Two processes open the new file at the same time.
    const [server, other] = await Promise.all([start(file), start(file)]);
    await using _ = other;
    await using writer = server;
    await writer.value("close_ticket", { id: 5, reason: "Kept." });
    await writer.value("add_comment", { id: 6, text: "Kept too." });
  }
  await using server = await start(file);
  expect(await server.value("search_tickets")).toMatchObject({ total: 500 });
  expect(await server.value<TicketDetails>("get_ticket", { id: 5 })).toMatchObject({ status: "closed" });
  const { comments } = await server.value<TicketDetails>("get_ticket", { id: 6 });
  expect(comments.at(-1)?.text).toBe("Kept too.");
});

test("offers every ticket as a Markdown resource", async () => {
  await using server = await start();
  const { resourceTemplates } = await server.client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: "ticket://{id}", mimeType: "text/markdown" }]);
  const { title, description } = await server.value<TicketDetails>("get_ticket", { id: 42 });
  const { contents } = await server.client.readResource({ uri: "ticket://42" });
  expect(contents).toMatchObject([{ uri: "ticket://42", mimeType: "text/markdown" }]);
  expect(JSON.stringify(contents)).toContain(`# 42: ${title}`);
  expect(JSON.stringify(contents)).toContain(description);
  for (const uri of ["ticket://501", "ticket://0", "ticket://1e1", "ticket://..%2f1"]) {
    await expect(server.client.readResource({ uri }), uri).rejects.toThrow();
  }
});

test("writes the incident review prompt for a ticket, and completes its id", async () => {
  await using server = await start();
  const { prompts } = await server.client.listPrompts();
  expect(prompts).toMatchObject([{ name: "incident_review", arguments: [{ name: "id", required: true }] }]);
  const { title } = await server.value<TicketDetails>("get_ticket", { id: 13 });
  const { messages } = await server.client.getPrompt({ name: "incident_review", arguments: { id: "13" } });
  expect(messages).toHaveLength(1);
  expect(JSON.stringify(messages)).toContain(`# 13: ${title}`);
  await expect(server.client.getPrompt({ name: "incident_review", arguments: { id: "999" } })).rejects.toThrow("999");

  const argument = { name: "id", value: "49" };
  const prompt = await server.client.complete({ ref: { type: "ref/prompt", name: "incident_review" }, argument });
  expect(prompt.completion.values).toEqual(["49", ...Array.from({ length: 10 }, (_, index) => `49${index}`)]);
  const resource = await server.client.complete({ ref: { type: "ref/resource", uri: "ticket://{id}" }, argument });
  expect(resource.completion.values).toEqual(prompt.completion.values);
});
