import { parseArgs } from "node:util";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openFolder } from "./folder.ts";
import { registerTools } from "./tools.ts";

// The demo's notes: an MCP server over stdio for the Markdown files of one folder, `--dir DIR`.
const { values } = parseArgs({ options: { dir: { type: "string" } } });
if (values.dir === undefined) throw new Error("Name the folder of the notes: --dir DIR");
const folder = openFolder(values.dir);

serveStdio(() => {
  const server = new McpServer(
    { name: "notes", title: "Notes", version: "1.0.0" },
    { instructions: "Markdown notes in one folder. Names are file names that end in .md." },
  );
  registerTools(server, folder);
  return server;
});
