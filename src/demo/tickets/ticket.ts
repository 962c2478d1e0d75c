import * as z from "zod";

/** Where a ticket is in its life. */
export const statusSchema = z.enum(["open", "in_progress", "closed"]);

const idSchema = z.int().min(1);
const timeSchema = z.string().describe("UTC, ISO 8601");

/** A ticket as a search shows it. */
export const ticketSchema = z.object({
  id: idSchema,
  title: z.string(),
  area: z.string().describe("The part of the product that it is about"),
  status: statusSchema,
  priority: z.enum(["low", "normal", "high", "urgent"]),
  reporter: z.string(),
  assignee: z.string().nullable(),
  duplicate_of: idSchema.nullable().describe("The id of the ticket that this one repeats, or null"),
  created: timeSchema,
  updated: timeSchema.describe("The last comment or change: UTC, ISO 8601"),
});

/** A note that somebody left on a ticket. */
export const commentSchema = z.object({ author: z.string(), at: timeSchema, text: z.string() });

/** A ticket with everything that is known of it. */
export const ticketDetailsSchema = ticketSchema.extend({
  description: z.string(),
  closed: timeSchema.nullable(),
  close_reason: z.string().nullable(),
  comments: z.array(commentSchema),
});

/** One step in the life of a ticket. */
export const eventSchema = z.object({
  at: timeSchema,
  actor: z.string(),
  event: z.enum(["created", "commented", "closed"]),
  text: z.string(),
});

/** One page of a search. */
export const ticketPageSchema = z.object({
  tickets: z.array(ticketSchema),
  page: z.int().min(1),
  pages: z.int().min(0).describe("How many pages there are"),
  total: z.int().min(0).describe("How many tickets match, on all pages"),
});

/** What a search knows of a ticket. */
export type Ticket = Readonly<z.infer<typeof ticketSchema>>;
/** One comment. */
export type TicketComment = Readonly<z.infer<typeof commentSchema>>;
/** Everything known of a ticket. */
export type TicketDetails = Readonly<z.infer<typeof ticketDetailsSchema>>;
/** One step in a ticket's life. */
export type TicketEvent = Readonly<z.infer<typeof eventSchema>>;
/** One page of a search. */
export type TicketPage = Readonly<z.infer<typeof ticketPageSchema>>;
/** The states of a ticket. */
export type TicketStatus = z.infer<typeof statusSchema>;
