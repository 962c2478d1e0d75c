import type { Command } from "commander";
import { nearest } from "../catalog/nearest.ts";
import { learnedFolder, namiHome } from "../config/paths.ts";
import { NamiError } from "../errors.ts";
import { forgetLearned, learnedRefs } from "../sdk/learned/learned.ts";
import type { Io } from "./io.ts";

/** `nami tools forget`: drops what was learned of results, so that it is learned anew. Starts no server. */
export function forgetCommand(tools: Command, io: Io): void {
  tools
    .command("forget")
    .description("forget the result types that were learned of tools, so that they are learned anew")
    .argument("<server.tool...>", "tools, with the server's exact names")
    .action(async (refs: string[]) => {
      const folder = learnedFolder(namiHome(process.env));
      for (const ref of refs) {
        if (!(await forgetLearned(folder, ref))) throw nothingLearned(ref, await learnedRefs(folder));
        io.stdout.write(`forgot ${ref}\n`);
      }
    });
}

function nothingLearned(ref: string, known: readonly string[]): NamiError {
  const near = nearest(ref, known);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : known.length > 0
        ? `Learned: ${known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`
        : "Nothing was learned of any tool yet.";
  return new NamiError("TOOL_UNKNOWN", `Nothing was learned of "${ref}". ${hint}`);
}
