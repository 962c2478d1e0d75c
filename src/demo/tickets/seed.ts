import { AREAS, CIRCUMSTANCES, CLOSE_REASONS, PEOPLE, PROBLEMS, REMARKS } from "./seed-words.ts";
import type { Ticket, TicketComment, TicketDetails } from "./ticket.ts";

/** The day on which the demo plays. Nothing in the ticket system reads the clock, so that every start is the same. */
export const DEMO_TODAY = new Date("2026-11-30T00:00:00Z");

/** How many tickets the demo starts with. */
const TICKETS = 500;
/** Of 500 tickets, about so many repeat another one, in percent. */
const DUPLICATES_PERCENT = 32;
/** The first ticket is so many days old; the others follow at even distances. */
const OLDEST_DAYS = 400;

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** The tickets that the demo starts with, by id from 1: the same ones at every call. */
export function seedTickets(): readonly TicketDetails[] {
  const random = mulberry32(20261130);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const subjects = shuffle(
    AREAS.flatMap((area) => PROBLEMS.map((problem) => ({ area, title: `${area}: ${problem}` }))),
    below,
  );
  const tickets: TicketDetails[] = [];
  const originals: Ticket[] = [];
  for (let id = 1; id <= TICKETS; id++) {
    const original = id > 10 && below(100) < DUPLICATES_PERCENT ? originals[below(originals.length)] : undefined;
    const subject = original ?? subjects.pop();
    if (subject === undefined) throw new Error("There are too few subjects for the tickets.");
    const ticket: Ticket = {
      id,
      title: original ? pick([original.title, original.title, `${original.title} (again)`]) : subject.title,
      area: subject.area,
      status: pick(
        original ? ["open", "open", "open", "open", "closed"] : ["open", "open", "in_progress", "closed", "closed"],
      ),
      priority: pick(["low", "normal", "normal", "normal", "high", "urgent"]),
      reporter: pick(PEOPLE),
      assignee: pick([null, pick(PEOPLE)]),
      duplicate_of: original?.id ?? null,
      ...dates(id),
    };
    // Few tickets are repeated by many: only every fourth is offered as an original.
    if (original === undefined && id % 4 === 1) originals.push(ticket);
    tickets.push(details(ticket));
  }
  return tickets;

  function dates(id: number): { created: string; updated: string } {
    const age = Math.round((OLDEST_DAYS * DAY * (TICKETS - id + 1)) / TICKETS);
    const created = DEMO_TODAY.getTime() - age;
    // Most tickets are touched soon after they came, or not at all; some until yesterday.
    const touched = created + Math.floor((age - HOUR) * random() ** 2);
    return { created: minute(created), updated: minute(touched) };
  }

  function details(ticket: Ticket): TicketDetails {
    const closed = ticket.status === "closed" ? ticket.updated : null;
    return {
      ...ticket,
      description: `${ticket.title}. ${pick(CIRCUMSTANCES)}`,
      closed,
      close_reason: closed && (ticket.duplicate_of ? `Duplicate of ${ticket.duplicate_of}.` : pick(CLOSE_REASONS)),
      comments: comments(ticket),
    };
  }

  /** Some comments between the first and the last day of a ticket, in order. */
  function comments(ticket: Ticket): TicketComment[] {
    const from = Date.parse(ticket.created);
    const span = Date.parse(ticket.updated) - from;
    const times = Array.from({ length: below(4) }, () => minute(from + Math.floor(span * random()))).sort();
    return times.map((at) => ({ author: pick(PEOPLE), at, text: pick(REMARKS) }));
  }
}

/** A time as text, in whole minutes. */
function minute(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16)}:00Z`;
}

/** Fisher and Yates' shuffle, on a copy. */
function shuffle<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const rest = [...items];
  const shuffled: T[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice(below(rest.length), 1));
  return shuffled;
}

/** A small seeded generator of numbers in [0, 1): Tommy Ettinger's mulberry32. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
