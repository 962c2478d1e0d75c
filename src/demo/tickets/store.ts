import { DatabaseSync } from "node:sqlite";
import { seedTickets } from "./seed.ts";
import {
  commentSchema,
  type TicketComment,
  type TicketDetails,
  type TicketEvent,
  type TicketPage,
  type TicketStatus,
  ticketDetailsSchema,
  ticketSchema,
} from "./ticket.ts";

/** Tickets on one page of a search. */
const PAGE_SIZE = 50;
/** Who writes, in comments and events: the demo has no accounts. */
const ACTOR = "nami";

/** What to search for. Without a filter every ticket matches. */
export interface TicketSearch {
  /** In the title or the description, whatever the case of ASCII letters. */
  readonly keyword?: string | undefined;
  readonly status?: TicketStatus | undefined;
  /** From 1. */
  readonly page: number;
}

/** The tickets in their database. All but `find` throw when no ticket has the id. */
export interface TicketStore {
  search(search: TicketSearch): TicketPage;
  find(id: number): TicketDetails | undefined;
  get(id: number): TicketDetails;
  history(id: number): readonly TicketEvent[];
  addComment(id: number, text: string): TicketDetails;
  /** Closing a closed ticket changes nothing. */
  close(id: number, reason: string): TicketDetails;
  /** The first so many ids that begin with these digits. */
  idsFrom(prefix: string, limit: number): readonly string[];
}

/** Opens the database (`:memory:` or a file) and fills it when it is empty. `now` is the time of every change. */
export function openStore(file: string, now: Date): TicketStore {
  const database = new DatabaseSync(file, { timeout: 5000 });
  fill(database);
  const at = `${now.toISOString().slice(0, 19)}Z`;

  const find = (id: number): TicketDetails | undefined => {
    const row = database.prepare("SELECT * FROM tickets WHERE id = ?").get(id);
    if (row === undefined) return undefined;
    const comments = database.prepare("SELECT author, at, text FROM comments WHERE ticket = ? ORDER BY at, id").all(id);
    return ticketDetailsSchema.parse({ ...row, comments });
  };
  const get = (id: number): TicketDetails => {
    const ticket = find(id);
    if (ticket === undefined) throw new Error(`There is no ticket ${id}.`);
    return ticket;
  };

  return {
    find,
    get,
    search({ keyword = null, status = null, page }) {
      const where = `WHERE ($status IS NULL OR status = $status)
        AND ($keyword IS NULL OR instr(lower(title || ' ' || description), lower($keyword)) > 0)`;
      const filter = { keyword, status };
      const total = Number(database.prepare(`SELECT count(*) AS n FROM tickets ${where}`).get(filter)?.["n"]);
      const rows = database
        .prepare(`SELECT * FROM tickets ${where} ORDER BY id LIMIT $limit OFFSET $offset`)
        .all({ ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
      return { tickets: rows.map((row) => ticketSchema.parse(row)), page, pages: Math.ceil(total / PAGE_SIZE), total };
    },
    history(id) {
      const ticket = get(id);
      const created: TicketEvent = { at: ticket.created, actor: ticket.reporter, event: "created", text: ticket.title };
      const commented = ticket.comments.map(
        (comment): TicketEvent => ({ at: comment.at, actor: comment.author, event: "commented", text: comment.text }),
      );
      const closed: TicketEvent[] =
        ticket.closed === null
          ? []
          : [{ at: ticket.closed, actor: ticket.assignee ?? ACTOR, event: "closed", text: ticket.close_reason ?? "" }];
      return [created, ...commented, ...closed].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
    addComment(id, text) {
      get(id);
      insertComment(database, id, { author: ACTOR, at, text });
      database.prepare("UPDATE tickets SET updated = ? WHERE id = ?").run(at, id);
      return get(id);
    },
    close(id, reason) {
      database
        .prepare(
          "UPDATE tickets SET status = 'closed', closed = $at, updated = $at, close_reason = $reason WHERE id = $id AND status <> 'closed'",
        )
        .run({ id, at, reason });
      return get(id);
    },
    idsFrom(prefix, limit) {
      const rows = database
        .prepare("SELECT id FROM tickets WHERE substr(id, 1, length($prefix)) = $prefix ORDER BY id LIMIT $limit")
        .all({ prefix, limit });
      return rows.map((row) => String(row["id"]));
    },
  };
}

/** Makes the tables and puts the seed in, unless there are tickets already. */
function fill(database: DatabaseSync): void {
  // One transaction, so that two servers that open a new file together do not both fill it.
  database.exec("BEGIN IMMEDIATE");
  database.exec(`
    CREATE TABLE IF NOT EXISTS tickets (
      id INTEGER PRIMARY KEY, title TEXT, area TEXT, status TEXT, priority TEXT, reporter TEXT, assignee TEXT,
      duplicate_of INTEGER, created TEXT, updated TEXT, description TEXT, closed TEXT, close_reason TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS comments (
      id INTEGER PRIMARY KEY, ticket INTEGER REFERENCES tickets (id), author TEXT, at TEXT, text TEXT) STRICT;
    CREATE INDEX IF NOT EXISTS comments_of_ticket ON comments (ticket)`);
  if (database.prepare("SELECT count(*) AS n FROM tickets").get()?.["n"] === 0) {
    const insert = database.prepare(
      `INSERT INTO tickets VALUES ($id, $title, $area, $status, $priority, $reporter, $assignee,
        $duplicate_of, $created, $updated, $description, $closed, $close_reason)`,
    );
    for (const { comments, ...ticket } of seedTickets()) {
      insert.run(ticket);
      for (const comment of comments) insertComment(database, ticket.id, comment);
    }
  }
  database.exec("COMMIT");
}

function insertComment(database: DatabaseSync, ticket: number, comment: TicketComment): void {
  const { author, at, text } = commentSchema.parse(comment);
  database.prepare("INSERT INTO comments (ticket, author, at, text) VALUES (?, ?, ?, ?)").run(ticket, author, at, text);
}
