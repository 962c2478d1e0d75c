import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { NamiError } from "../errors.ts";

/** Environment variables as Node gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder of everything that is the user's: `NAMI_HOME`, else `~/.nami-agent`. It lies outside any workspace on
 * purpose: its files start programs and grant permissions, so nothing that an agent can write may hold them. Throws `USAGE`
 * when there is no home folder.
 */
export function namiHome(environment: Environment): string {
  const chosen = environment["NAMI_HOME"];
  if (chosen) return resolve(chosen);
  const home = homedir();
  if (isAbsolute(home)) return join(home, ".nami-agent");
  throw new NamiError("USAGE", "There is no home folder to look for a configuration in. Set NAMI_HOME to a folder.");
}

/** The configuration file in a home folder. */
export const configFile = (home: string): string => join(home, "mcp.json");

/** The audit file in a home folder: JSON lines, only ever appended to. */
export const auditFile = (home: string): string => join(home, "state", "audit.jsonl");

/** The folder of result types that were learned from real results: one file for each version of a server. */
export const learnedFolder = (home: string): string => join(home, "state", "learned");

/** The folder of what the rules' daily caps have counted: one file for each rule and day. */
export const dayCountsFolder = (home: string): string => join(home, "state", "day-counts");
