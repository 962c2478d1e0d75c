import { completable, type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { TicketStore } from "./store.ts";
import type { TicketDetails } from "./ticket.ts";

/** Proposals for an id that is being typed. */
const COMPLETIONS = 20;

/** Every ticket as a Markdown resource, `ticket://{id}`, and the prompt that asks for an incident review. */
export function registerResources(server: McpServer, store: TicketStore): void {
  const complete = (value: string): string[] => [...store.idsFrom(value, COMPLETIONS)];

  server.registerResource(
    "ticket",
    new ResourceTemplate("ticket://{id}", { list: undefined, complete: { id: complete } }),
    { title: "Ticket", description: "A ticket with its comments, as Markdown.", mimeType: "text/markdown" },
    (uri, { id }) => {
      const ticket = find(store, String(id));
      if (ticket === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text: toMarkdown(ticket) }] };
    },
  );

  server.registerPrompt(
    "incident_review",
    {
      title: "Incident review",
      description: "Asks for an incident review of one ticket.",
      argsSchema: z.object({ id: completable(z.string().describe("The number of the ticket"), complete) }),
    },
    ({ id }) => {
      const ticket = find(store, id);
      if (ticket === undefined) throw new Error(`There is no ticket ${id}.`);
      return { messages: [{ role: "user", content: { type: "text", text: reviewRequest(ticket) } }] };
    },
  );
}

function find(store: TicketStore, id: string): TicketDetails | undefined {
  return /^[1-9]\d{0,8}$/.test(id) ? store.find(Number(id)) : undefined;
}

function toMarkdown(ticket: TicketDetails): string {
  const facts = [
    `Status: ${ticket.status}`,
    `Priority: ${ticket.priority}`,
    `Reported by ${ticket.reporter}, ${ticket.created}`,
    `Assigned to ${ticket.assignee ?? "nobody"}`,
    `Last change: ${ticket.updated}`,
    ...(ticket.duplicate_of === null ? [] : [`Duplicate of ${ticket.duplicate_of}`]),
    ...(ticket.close_reason === null ? [] : [`Closed: ${ticket.close_reason}`]),
  ];
  const comments = ticket.comments.map((comment) => `- ${comment.at}, ${comment.author}: ${comment.text}`);
  return [
    `# ${ticket.id}: ${ticket.title}`,
    facts.map((fact) => `- ${fact}`).join("\n"),
    ticket.description,
    ...(comments.length === 0 ? [] : [`## Comments\n\n${comments.join("\n")}`]),
  ].join("\n\n");
}

function reviewRequest(ticket: TicketDetails): string {
  return `Write an incident review for the ticket below. Use these headings: Summary, Timeline, Impact, Cause, What went well, \
What to change. Keep to what the ticket says; where it says nothing, write "unknown".

${toMarkdown(ticket)}`;
}
