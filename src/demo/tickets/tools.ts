import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { TicketStore } from "./store.ts";
import { eventSchema, statusSchema, ticketDetailsSchema, ticketPageSchema } from "./ticket.ts";

const READS = { readOnlyHint: true, openWorldHint: false };
const idSchema = z.int().min(1).describe("The number of a ticket");

/**
 * The tools of the ticket system. `ticket_history` is unreliable on purpose: for every third id its first call in a
 * process fails, and the next one succeeds.
 */
export function registerTools(server: McpServer, store: TicketStore): void {
  server.registerTool(
    "search_tickets",
    {
      title: "Search tickets",
      description: "Lists tickets by id, 50 a page. Without keyword and status it lists all of them.",
      inputSchema: z.object({
        keyword: z.string().min(1).optional().describe("Text in the title or the description"),
        status: statusSchema.optional(),
        page: z.int().min(1).default(1),
      }),
      outputSchema: ticketPageSchema,
      annotations: READS,
    },
    (search) => structured(store.search(search)),
  );

  server.registerTool(
    "get_ticket",
    {
      title: "Get a ticket",
      description: "A ticket with its description and comments.",
      inputSchema: z.object({ id: idSchema }),
      outputSchema: ticketDetailsSchema,
      annotations: READS,
    },
    ({ id }) => structured(store.get(id)),
  );

  const failedOnce = new Set<number>();
  server.registerTool(
    "ticket_history",
    {
      title: "History of a ticket",
      description:
        "Everything that happened to a ticket, oldest first. The archive behind it is sometimes unavailable.",
      inputSchema: z.object({ id: idSchema }),
      outputSchema: z.object({ id: idSchema, events: z.array(eventSchema) }),
      annotations: READS,
    },
    ({ id }) => {
      const events = store.history(id);
      if (id % 3 === 0 && !failedOnce.has(id)) {
        failedOnce.add(id);
        throw new Error(`The history of ticket ${id} is temporarily unavailable, try again.`);
      }
      return structured({ id, events });
    },
  );

  server.registerTool(
    "add_comment",
    {
      title: "Comment on a ticket",
      description: "Adds a comment to a ticket. Every call adds one more.",
      inputSchema: z.object({ id: idSchema, text: z.string().min(1).max(10_000) }),
      outputSchema: ticketDetailsSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ id, text }) => structured(store.addComment(id, text)),
  );

  server.registerTool(
    "close_ticket",
    {
      title: "Close a ticket",
      description: "Closes a ticket for a reason. There is no way to reopen it. A closed ticket stays as it is.",
      inputSchema: z.object({ id: idSchema, reason: z.string().min(1).max(1000) }),
      outputSchema: ticketDetailsSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id, reason }) => structured(store.close(id, reason)),
  );
}

/** A result in both forms, for hosts that know structured content and for those that read text. */
function structured(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
