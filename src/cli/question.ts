import { dropInvisible, escapeInvisible } from "../catalog/visible-text.ts";
import type { Answer, Effect, PendingCall, Question } from "../gate/ask.ts";
import { callLines, chosenCalls } from "./question-calls.ts";
import { planAnswer, planLines, planText } from "./question-plan.ts";
import { type WindowSize, wrapLine } from "./text-width.ts";

/** Characters of a tool's description, and of the snippet's line, that a question shows. */
const HELP = 200;
/** Characters of a destination that a choice repeats; the values of a longer one stand among the arguments. */
const DESTINATION = 100;
/** Lines of a window that are kept for what is not arguments. */
const AROUND = 14;
/** Lines of arguments that are shown in the smallest window. */
const FEWEST_LINES = 6;

/**
 * What a person reads before deciding: the tool, its effect as the server tells it, the snippet's line, counts and the
 * arguments, in full as far as the window has room (the rest through `v`), and the choices. Characters that could hide or
 * reorder text, or steer the terminal, are shown as escapes. Ends in "(default): ".
 */
export function questionText(question: Question, window: WindowSize): string {
  return question.plan ? planText(question, window) : callText(question, window);
}

function callText(question: Question, { columns, rows }: WindowSize): string {
  const { tool, line, made } = question;
  const same = callsOfTool(question);
  const ref = oneLine(tool.ref);
  const others = question.calls.length - same.length;
  const counts = [
    ...(made > 0 ? [`${made} made in this run`] : []),
    ...(others > 0 ? [`${others} more of other tools wait`] : []),
  ].join(", ");
  const what = same.length === 1 ? `call ${question.sequence}` : `${same.length} calls that wait`;
  const args = callLines(same, columns - 2);
  const room = Math.max(FEWEST_LINES, rows - AROUND);
  const shown = args.length <= room ? args : args.slice(0, room - 1);
  const hidden = args.length - shown.length;
  const effect = `${EFFECTS[question.effect]}${firstLine(tool.description)}`.trimEnd();
  const lines = [
    "",
    `nami: the snippet wants to call ${ref}  (${[what, ...(counts === "" ? [] : [counts])].join(", ")})`,
    ...(effect === "" ? [] : [`  ${effect}`]),
    ...(line === undefined ? [] : [`  line ${line.number} of the snippet: ${cut(oneLine(line.text))}`]),
    ...(question.reason === undefined ? [] : [`  asked because of ${oneLine(question.reason)}`]),
    ...shown.map((text) => `  ${text}`),
    ...(hidden > 0 ? [`  … ${hidden} MORE LINES NOT SHOWN: v = view all`] : []),
    ...choices(question, same, hidden > 0),
  ];
  return lines.flatMap((text) => wrapLine(text, columns)).join("\n");
}

/** All lines of the arguments, for reading page by page. */
export function allLines(question: Question, columns: number): readonly string[] {
  return question.plan ? planLines(question.calls, columns) : callLines(callsOfTool(question), columns);
}

/** The rule that an answer would write, exactly; nothing for an answer that writes none. */
export function ruleOf(question: Question, answer: Answer): string | undefined {
  const rule =
    answer === "always" ? question.rule : answer === "always-destination" ? question.destinationRule : undefined;
  return rule === undefined ? undefined : escapeInvisible(JSON.stringify(rule));
}

/** The answer on a line, or undefined when it is none of the choices. An empty line is a no to all that is shown. */
export function answerFrom(line: string, question: Question): Answer | "view" | undefined {
  if (question.plan) return planAnswer(line, question.calls);
  const many = callsOfTool(question).length > 1;
  const no = many ? "deny-waiting" : "deny";
  const text = line.trim().toLowerCase();
  switch (text) {
    case "y":
    case "yes":
      return "once";
    case "w":
      return many ? "waiting" : undefined;
    case "a":
    case "all":
      return "tool";
    case "d":
      return question.destination && "destination";
    case "!":
      return question.rule && "always";
    case "!d":
      return question.destinationRule && "always-destination";
    case "s":
      return "stop";
    case "v":
      return "view";
    case "":
    case "n":
    case "no":
      return no;
    default:
      return many ? toAnswer(chosenCalls(text, callsOfTool(question))) : undefined;
  }
}

const toAnswer = (allow: readonly number[] | undefined): Answer | undefined => allow && { kind: "calls", allow };

const callsOfTool = ({ calls, tool }: Question): readonly PendingCall[] => calls.filter((call) => call.tool === tool);

function choices(question: Question, same: readonly PendingCall[], isCut: boolean): readonly string[] {
  const ref = oneLine(question.tool.ref);
  const many = same.length > 1;
  const destination = question.destination && destinationText(question.destination, question.sequence);
  return [
    "Allow?",
    many ? `  y = call ${question.sequence} only   3,5-9 = these calls only` : "  y = this call",
    ...(many ? [`  w = all ${same.length} calls`] : []),
    `  a = every ${ref} in this run`,
    ...(destination === undefined ? [] : [`  d = every ${ref} in this run with exactly ${destination}`]),
    ...(question.rule === undefined ? [] : ["  ! = always (a rule; you see it first)"]),
    ...(question.destinationRule === undefined ? [] : ["  !d = always with that (a rule; you see it first)"]),
    `  s = no, and stop the run${isCut ? "   v = view all" : ""}`,
    many ? `  n = no to all ${same.length} (default): ` : "  n = no (default): ",
  ];
}

function destinationText(destination: Readonly<Record<string, unknown>>, sequence: number): string {
  const text = oneLine(JSON.stringify(destination));
  return text.length <= DESTINATION
    ? text
    : `the ${Object.keys(destination).map(oneLine).join(", ")} of call ${sequence}`;
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: "The server says: only reads. ",
  writes: "The server says: changes something. ",
  destroys: "The server says: may destroy or overwrite. ",
  unknown: "",
};

const oneLine = (text: string): string => escapeInvisible(text).replace(/[\n\t]/g, " ");

function firstLine(description: string | undefined): string {
  const [line = ""] = dropInvisible(description ?? "")
    .trim()
    .split("\n");
  return cut(line);
}

/** What is only a help to the reader, unlike arguments, may be cut. */
function cut(text: string): string {
  return text.length > HELP ? `${text.slice(0, HELP)}…` : text;
}
