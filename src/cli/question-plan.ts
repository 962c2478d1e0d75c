import { escapeInvisible } from "../catalog/visible-text.ts";
import type { Answer, PendingCall, Question } from "../gate/ask.ts";
import { canonicalJson } from "../gate/canonical.ts";
import { chosenCalls } from "./question-calls.ts";
import { type WindowSize, wrapLine } from "./text-width.ts";

/** Lines of a window that are kept for what is not the plan's calls. */
const AROUND = 10;
/** Lines of a plan that are shown in the smallest window. */
const FEWEST_LINES = 6;

/** What a person reads before deciding on a plan: each call with its arguments in full, as far as the window has room. */
export function planText({ calls }: Question, { columns, rows }: WindowSize): string {
  const lines = planLines(calls, columns - 2);
  const room = Math.max(FEWEST_LINES, rows - AROUND);
  const shown = lines.length <= room ? lines : lines.slice(0, room - 1);
  const hidden = lines.length - shown.length;
  const many = calls.length > 1;
  return [
    "",
    `nami: the plan: the snippet would make ${many ? `these ${calls.length} calls, in this order` : "this call"}; none is made yet`,
    ...shown.map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  … ${hidden} MORE LINES NOT SHOWN: v = view all`] : []),
    "Make them?",
    many ? `  y = all ${calls.length}   3,5-9 = these calls only` : "  y = yes",
    `  s = no, and stop the run${hidden > 0 ? "   v = view all" : ""}`,
    "  n = no (default): ",
  ]
    .flatMap((text) => wrapLine(text, columns))
    .join("\n");
}

/** The calls of a plan, each with its number, its tool, what its server says of it and its arguments. */
export function planLines(calls: readonly PendingCall[], columns: number): readonly string[] {
  return calls.flatMap(({ sequence, tool, shown, effect }) => {
    const warning = effect === "destroys" ? " (may destroy or overwrite)" : "";
    const text = `${sequence}: ${tool.ref}${warning} ${canonicalJson(shown)}`;
    return wrapLine(escapeInvisible(text).replace(/[\n\t]/g, " "), columns);
  });
}

/** The answer on a line, or undefined when it is none of the choices. What a list does not name is denied. */
export function planAnswer(line: string, calls: readonly PendingCall[]): Answer | "view" | undefined {
  const text = line.trim().toLowerCase();
  const only = (allow: readonly number[]): Answer => ({ kind: "calls", allow, others: "deny" });
  switch (text) {
    case "y":
    case "yes":
      return only(calls.map(({ sequence }) => sequence));
    case "s":
      return "stop";
    case "v":
      return "view";
    case "":
    case "n":
    case "no":
      return only([]);
    default: {
      const chosen = chosenCalls(text, calls);
      return chosen && only(chosen);
    }
  }
}
