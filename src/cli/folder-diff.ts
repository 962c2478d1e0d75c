import { createTwoFilesPatch } from "diff";
import type { FileChange } from "./generated-folder.ts";

/** Lines of a diff that are printed: enough to see what kind of change it is. */
const SHOWN_LINES = 200;
/** Lines added or removed in one file beyond which the file counts as another one: comparing takes time with their square. */
const EDITS = 2000;

/** What would change in a folder, as a unified diff from what is there to what would be written. At most 200 lines. */
export function renderDiff(folder: string, changes: readonly FileChange[]): string {
  const lines = changes.flatMap((change) => diffFile(folder, change).split("\n"));
  if (lines.length <= SHOWN_LINES) return lines.join("\n");
  return [...lines.slice(0, SHOWN_LINES), `… and ${lines.length - SHOWN_LINES} more lines`].join("\n");
}

function diffFile(folder: string, { file, before, after }: FileChange): string {
  const [from, to] = [before, after].map((text) => (text === undefined ? "/dev/null" : `${folder}/${file}`));
  const options = { context: 2, maxEditLength: EDITS };
  const patch = createTwoFilesPatch(from ?? "", to ?? "", before ?? "", after ?? "", "", "", options);
  // The headers of an empty header text end in a tab.
  const text = patch?.replace(/^=+\n/, "").replace(/\t$/gm, "").trimEnd();
  return text ?? `--- ${from}\n+++ ${to}\n… more than ${EDITS} lines differ`;
}
