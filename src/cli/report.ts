import type { NamiEvent } from "../nami.ts";
import type { Receipt } from "../run/receipt.ts";
import type { RunResult } from "../run/result.ts";
import type { Progress } from "./progress.ts";

/** Turns events into progress lines: servers that failed stay, what is going on comes and goes. */
export function reportEvents(progress: Progress): (event: NamiEvent) => void {
  let open = 0;
  const starting = new Set<string>();
  const waitFor = (): void => progress.status(starting.size > 0 ? `waiting for ${[...starting].join(", ")}` : "");
  return (event) => {
    switch (event.kind) {
      case "servers-starting":
        for (const server of event.servers) starting.add(server);
        waitFor();
        break;
      case "server-failed":
        starting.delete(event.server);
        progress.line(`nami: ${event.message}`);
        waitFor();
        break;
      case "server-connected":
        starting.delete(event.server);
        waitFor();
        break;
      case "warning":
        progress.line(`nami: warning: ${event.message}`);
        break;
      case "run-started":
        open = 0;
        progress.status("checking the snippet");
        break;
      case "call-started":
        open++;
        progress.status(`call ${event.sequence}: ${event.ref} (${open} in flight)`);
        break;
      case "call-ended":
        open--;
        break;
      case "plan-drafted":
        progress.status(`the plan has ${event.calls} call${event.calls === 1 ? "" : "s"}`);
        break;
      case "run-ended":
        progress.status("");
        break;
      case "snippet-checked":
        progress.status(event.ok ? "the snippet is running" : "");
        break;
      case "line-logged":
        break;
      default:
        event satisfies never;
    }
  };
}

/** Warnings that a person is shown: a server with thousands of odd tools must not flood the terminal. */
const SHOWN_WARNINGS = 10;

/** Says what is odd, a line each, up to ten. */
export function reportWarnings(progress: Progress, warnings: readonly string[]): void {
  for (const warning of warnings.slice(0, SHOWN_WARNINGS)) progress.line(`nami: warning: ${warning}`);
  const rest = warnings.length - SHOWN_WARNINGS;
  if (rest > 0) progress.line(`nami: warning: … and ${rest} more of the kind`);
}

/** The receipt as one or two lines for a person. */
export function receiptText({ calls, ms, characters, tokens }: Receipt): string {
  const parts = [
    `${calls.made} call${calls.made === 1 ? "" : "s"}`,
    ...(calls.failed > 0 ? [`${calls.failed} failed`] : []),
    ...(calls.denied > 0 ? [`${calls.denied} denied`] : []),
    ...(calls.refused > 0 ? [`${calls.refused} refused`] : []),
    `${(ms / 1000).toFixed(1)} s`,
  ];
  const kept = `${number(characters.fromTools)} characters from tools, ${number(characters.returned)} to the conversation: about ${number(tokens.keptOut)} tokens kept out (estimate)`;
  return `receipt: ${parts.join(", ")}; ${kept}`;
}

/** For a person: the calls that nobody could be asked about, and how to let them run. Empty when there were none. */
export function refusedText(runs: readonly Pick<RunResult, "calls">[]): string {
  const refused = runs.flatMap(({ calls }) => calls.filter(({ decision }) => decision === "refused"));
  if (refused.length === 0) return "";
  const names = (calls: typeof refused): string[] => [...new Set(calls.map(({ ref }) => ref))];
  const flags = names(refused.filter(({ cap }) => cap === undefined)).map((ref) => `--allow ${ref}`);
  const caps = [...new Set(refused.flatMap(({ cap }) => cap ?? []))];
  const ways = [
    ...(flags.length > 0 ? [`${flags.join(" ")}, or safe_tools in the configuration`] : []),
    ...(caps.length > 0 ? [`raise a cap (${caps.join("; ")})`] : []),
  ];
  return `nami: not called, because nobody could be asked: ${names(refused).join(", ")}. To allow: ${ways.join("; ")}.\n`;
}

/** What the same tools would cost as ordinary tool definitions. */
export function definitionsText(tools: number, tokens: number): string {
  return `receipt: ${number(tools)} tool definitions given directly would cost about ${number(tokens)} tokens in every request (estimate)`;
}

const number = (value: number): string => value.toLocaleString("en-US");
