import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the demo keeps its data. */
export interface DemoOptions {
  /** The ticket database; without it the tickets live in memory and start afresh. */
  readonly db?: string;
  /** The folder of the notes; made when there is none. */
  readonly dir: string;
}

/** A server entry as in the user's configuration file. */
export interface DemoServer {
  command: string;
  args: string[];
  safe_tools: string[];
}

/** Configuration entries for the bundled servers, `tickets` and `notes`: reads are safe, everything else asks. */
export function demoServers(options: DemoOptions): Record<string, DemoServer> {
  return {
    tickets: {
      command: process.execPath,
      args: [startFile("tickets"), ...(options.db === undefined ? [] : ["--db", options.db])],
      safe_tools: ["search_tickets", "get_ticket", "ticket_history"],
    },
    notes: {
      command: process.execPath,
      args: [startFile("notes"), "--dir", options.dir],
      safe_tools: ["list_notes", "read_note", "search_notes"],
    },
  };
}

/** The server's own file beside this one: compiled when this one is, otherwise the source, which Node runs as it is. */
function startFile(server: "tickets" | "notes"): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(`./${server}/server${extname(new URL(here).pathname)}`, here));
}
