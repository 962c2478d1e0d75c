import { homedir } from "node:os";
import { join } from "node:path";

/** Environment variables as Node gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder of everything that is the user's: `NAMI_HOME`, else `~/.nami-agent`. It lies outside any workspace on
 * purpose: its files start programs and grant permissions, so nothing that an agent can write may hold them.
 */
export function namiHome(environment: Environment): string {
  return environment["NAMI_HOME"] || join(homedir(), ".nami-agent");
}

/** The configuration file in a home folder. */
export const configFile = (home: string): string => join(home, "mcp.json");

/** The audit file in a home folder: JSON lines, only ever appended to. */
export const auditFile = (home: string): string => join(home, "state", "audit.jsonl");
