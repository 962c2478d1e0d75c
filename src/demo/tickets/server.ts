import { parseArgs } from "node:util";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { registerResources } from "./resources.ts";
import { DEMO_TODAY } from "./seed.ts";
import { openStore } from "./store.ts";
import { registerTools } from "./tools.ts";

// The demo's ticket system: an MCP server over stdio. `--db FILE` keeps the tickets; without it they live in memory.
const { values } = parseArgs({ options: { db: { type: "string", default: ":memory:" } } });
const store = openStore(values.db, DEMO_TODAY);

serveStdio(() => {
  const server = new McpServer(
    { name: "tickets", title: "Internal tickets", version: "1.0.0" },
    { instructions: `An internal ticket system with 500 tickets. Today is ${DEMO_TODAY.toISOString().slice(0, 10)}.` },
  );
  registerTools(server, store);
  registerResources(server, store);
  return server;
});
