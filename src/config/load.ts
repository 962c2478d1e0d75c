import { readFile } from "node:fs/promises";
import { messageOf, NamiError } from "../errors.ts";
import type { Config } from "./config.ts";
import { parseConfig } from "./parse.ts";
import type { Environment } from "./paths.ts";
import { readSource } from "./source.ts";

/**
 * Reads the configuration file. A broken entry costs only its server and is listed in `problems`; a file that cannot be
 * read, is not JSON or has the wrong shape as a whole throws `CONFIG_INVALID` with file, line and the way out.
 */
export async function loadConfig(file: string, environment: Environment): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new NamiError("CONFIG_INVALID", `No configuration at ${file}. ${HOW_TO_START}`, { cause: error });
    }
    throw new NamiError("CONFIG_INVALID", `Cannot read ${file}: ${messageOf(error)}.`, { cause: error });
  }
  return { file, ...parseConfig(readSource(text, file), environment) };
}

const HOW_TO_START = `Create it with your MCP servers, for example:
  { "servers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/some/folder"],
                            "safe_tools": ["read_text_file", "list_directory"] } } }
or name another file with --config FILE.`;
