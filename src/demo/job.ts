/** The demo's job as a person would ask a model for it. */
export const demoTask =
  "Close every open ticket that is a duplicate and was not touched in the 90 days before 2026-11-30, and save a note stale-duplicates.md that lists what you closed.";

/** The same job as a snippet, as a model would write it: `tickets` and `notes` are the demo servers. */
export const demoSnippet = `// Close duplicates that nobody touched for 90 days, and write down which.
const today = Date.parse("2026-11-30T00:00:00Z");
const isStale = (updated: string) => today - Date.parse(updated) > 90 * 24 * 60 * 60 * 1000;

const first = await tickets.search_tickets({ status: "open" });
const others = Array.from({ length: first.pages - 1 }, (_, index) => index + 2);
const rest = await Promise.all(others.map((page) => tickets.search_tickets({ status: "open", page })));

const open = [first, ...rest].flatMap((result) => result.tickets);
const duplicates = open.filter((ticket) => ticket.duplicate_of !== null);
const stale = duplicates.filter((ticket) => isStale(ticket.updated));

const outcomes = await Promise.allSettled(
  stale.map(({ id, duplicate_of }) =>
    tickets.close_ticket({ id, reason: \`Duplicate of \${duplicate_of}, untouched for 90 days.\` }),
  ),
);
const closed = stale.filter((_, index) => outcomes[index]?.status === "fulfilled");

const lines = closed.map(({ id, title, duplicate_of }) => \`- \${id}: \${title} (duplicate of \${duplicate_of})\`);
const note = "stale-duplicates.md";
await notes.write_note({ name: note, text: ["# Stale duplicates, closed 2026-11-30", "", ...lines, ""].join("\\n") });

return { open: open.length, duplicates: duplicates.length, closed: closed.length, failed: stale.length - closed.length, note };
`;
