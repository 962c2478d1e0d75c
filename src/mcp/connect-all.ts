import type { ServerConfig } from "../config/config.ts";
import { messageOf } from "../errors.ts";
import { type Connection, connect } from "./connection.ts";

/** A server that is not there, and why. */
export interface FailedServer {
  readonly server: string;
  readonly message: string;
}

/** What came of starting all servers. */
export interface Connections extends AsyncDisposable {
  readonly connected: readonly Connection[];
  readonly failed: readonly FailedServer[];
  close(): Promise<void>;
}

/** Told as each server is there or has failed. Must not throw. */
export type OnConnect = (server: string, result: { tools: number; ms: number } | { error: string }) => void;

/**
 * Starts all servers at the same time. One that fails costs only itself and is listed with its reason. Aborting gives up those
 * that are still starting. `redact` masks secrets in what servers say of themselves.
 */
export async function connectAll(
  servers: readonly ServerConfig[],
  onConnect: OnConnect,
  signal: AbortSignal,
  redact?: (text: string) => string,
): Promise<Connections> {
  const connected: Connection[] = [];
  const failed: FailedServer[] = [];
  await Promise.all(
    servers.map(async (config) => {
      const start = performance.now();
      const connection = await connect(config, signal, redact).catch((error) => messageOf(error));
      if (typeof connection === "string") {
        failed.push({ server: config.name, message: connection });
        onConnect(config.name, { error: connection });
      } else {
        connected.push(connection);
        onConnect(config.name, { tools: connection.server.tools.length, ms: Math.round(performance.now() - start) });
      }
    }),
  );
  const close = async (): Promise<void> => {
    await Promise.allSettled(connected.map((connection) => connection.close()));
  };
  return { connected, failed, close, [Symbol.asyncDispose]: close };
}
