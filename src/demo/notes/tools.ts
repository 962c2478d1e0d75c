import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { NoteFolder } from "./folder.ts";

/** Largest note in characters: far more than a person reads. */
const LARGEST_NOTE = 1_000_000;
/** Matches that a search gives at most. */
const MOST_MATCHES = 100;

const READS = { readOnlyHint: true, openWorldHint: false };
const nameSchema = z.string().min(1).describe('The file name of a note, such as "plan.md"');
const noteSchema = z.object({ name: z.string(), bytes: z.int().min(0) });

/** The tools of the notes server. Like most servers in the world it declares the shape of some results and not of others. */
export function registerTools(server: McpServer, folder: NoteFolder): void {
  server.registerTool(
    "list_notes",
    {
      title: "List notes",
      description: "All notes by name.",
      outputSchema: z.object({ notes: z.array(noteSchema) }),
      annotations: READS,
    },
    async () => structured({ notes: await folder.list() }),
  );

  server.registerTool(
    "read_note",
    {
      title: "Read a note",
      description: "The Markdown text of a note.",
      inputSchema: z.object({ name: nameSchema }),
      annotations: READS,
    },
    async ({ name }) => text(await folder.read(name)),
  );

  server.registerTool(
    "write_note",
    {
      title: "Write a note",
      description: "Saves a note. A note of that name is replaced.",
      inputSchema: z.object({ name: nameSchema, text: z.string().max(LARGEST_NOTE) }),
      outputSchema: noteSchema.extend({ created: z.boolean().describe("There was no such note before") }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (note) => structured({ ...(await folder.write(note.name, note.text)) }),
  );

  server.registerTool(
    "delete_note",
    {
      title: "Delete a note",
      description: "Deletes a note for good.",
      inputSchema: z.object({ name: nameSchema }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ name }) => {
      await folder.delete(name);
      return text(`Deleted ${name}.`);
    },
  );

  server.registerTool(
    "search_notes",
    {
      title: "Search notes",
      description: `Lines that contain a text, whatever the case, as a JSON list of {name, line, text}; at most ${MOST_MATCHES}.`,
      inputSchema: z.object({ text: z.string().min(1) }),
      annotations: READS,
    },
    async (search) => text(JSON.stringify(await matches(folder, search.text))),
  );
}

/** A line of a note; lines count from 1. */
interface Match {
  readonly name: string;
  readonly line: number;
  readonly text: string;
}

async function matches(folder: NoteFolder, wanted: string): Promise<Match[]> {
  const found: Match[] = [];
  for (const { name } of await folder.list()) {
    const lines = (await folder.read(name)).split(/\r?\n/);
    lines.forEach((line, index) => {
      if (line.toLowerCase().includes(wanted.toLowerCase())) found.push({ name, line: index + 1, text: line });
    });
    if (found.length >= MOST_MATCHES) break;
  }
  return found.slice(0, MOST_MATCHES);
}

function text(content: string): CallToolResult {
  return { content: [{ type: "text", text: content }] };
}

/** A result in both forms, for hosts that know structured content and for those that read text. */
function structured(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
