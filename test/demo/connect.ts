import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { DemoServer } from "../../src/demo/servers.ts";

/** A running demo server; the end of the scope ends the process. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool; a failure is a result with `isError`. */
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool that succeeds, and gives its structured content, or its text when it has none. */
  value<T>(name: string, args?: Record<string, unknown>): Promise<T>;
}

/** Starts a server with the official client. */
export async function connect({ command, args }: Pick<DemoServer, "command" | "args">): Promise<Connection> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({ command, args, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  await client.connect(transport).catch((error) => {
    throw new Error(`${error}\n${stderr}`);
  });
  const call = (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: args });
  return {
    client,
    call,
    async value<T>(name: string, args?: Record<string, unknown>) {
      const result = await call(name, args);
      if (result.isError) throw new Error(textOf(result));
      // The caller names the shape; the server's own output schema was checked by the client.
      return (result.structuredContent ?? textOf(result)) as T;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");
}
