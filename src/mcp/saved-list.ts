import type { ListedServer, ListedTool } from "../catalog/tool.ts";
import { listedTool } from "./listed-tool.ts";
import { repairResult } from "./repair.ts";
import { isRecord } from "./wire.ts";

/** A saved `tools/list` as `{ server, tools }`, repaired as at the wire. Throws a plain Error that says what is missing. */
export function readToolList(value: unknown): ListedServer {
  if (!isRecord(value) || typeof value["server"] !== "string" || !Array.isArray(value["tools"])) {
    throw new Error('it must be { "server": "name", "tools": [ … ] }');
  }
  const repaired = repairResult("tools/list", { tools: value["tools"] });
  // Holds since repairResult gives back a list of tools that each have a name and an input schema.
  const { tools } = repaired as { tools: Parameters<typeof listedTool>[0][] };
  return { name: value["server"], tools: tools.map((tool): ListedTool => listedTool(tool)) };
}
