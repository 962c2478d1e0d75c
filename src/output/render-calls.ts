import { CALL_LINES } from "./limits.ts";
import type { Redactor } from "./redact.ts";
import { inLine, type Section } from "./section.ts";

/** One call of a run, as far as a model needs to know it. Its arguments are in the snippet. */
export interface RenderedCall {
  /** Counted from 1 in the order in which the snippet made the calls. */
  readonly sequence: number;
  readonly ref: string;
  /** `denied`: a person or a rule said no. `refused`: it needed a yes, and nobody was there to ask. */
  readonly decision: "allowed" | "denied" | "refused";
  readonly outcome: "ok" | "error" | "cancelled" | "not sent";
  readonly ms?: number;
}

/** The calls that the gate held back. None of them was sent. */
export function renderHeldBack(calls: readonly RenderedCall[], redact: Redactor): Section | undefined {
  const heldBack = calls.filter((call) => call.decision !== "allowed");
  if (heldBack.length === 0) return undefined;
  const lines = groupCalls(heldBack).map(
    ({ call, range }) =>
      `- ${range} ${inLine(redact(call.ref))}: ${call.decision === "denied" ? "denied by the user or a rule" : "needs the user's approval, and nobody could be asked"}`,
  );
  return listing("These calls were not made. Do not try them again; tell the user:", lines);
}

/** The calls that were sent before a run failed, so that a second snippet does not repeat what has been done. */
export function renderCalls(calls: readonly RenderedCall[], redact: Redactor): Section | undefined {
  const sent = calls.filter((call) => call.decision === "allowed" && call.outcome !== "not sent");
  if (sent.length === 0) return { text: "No call had been made before.", cut: false };
  const lines = groupCalls(sent).map(({ call, range }) => {
    const took = call.ms === undefined || range.includes("–") ? "" : ` (${Math.round(call.ms)} ms)`;
    const doubt = call.outcome === "cancelled" ? "cancelled, may have taken effect" : call.outcome;
    return `- ${range} ${inLine(redact(call.ref))}: ${doubt}${took}`;
  });
  return listing("Calls made before; do not repeat those that changed something:", lines);
}

/** Joins equal calls in a row, so that a loop takes one line. */
function groupCalls(calls: readonly RenderedCall[]): readonly { call: RenderedCall; range: string }[] {
  const groups: { first: RenderedCall; last: RenderedCall }[] = [];
  for (const call of calls) {
    const group = groups.at(-1);
    if (group && isAlike(group.last, call)) group.last = call;
    else groups.push({ first: call, last: call });
  }
  return groups.map(({ first, last }) => ({
    call: last,
    range: first === last ? `#${first.sequence}` : `#${first.sequence}–${last.sequence}`,
  }));
}

function isAlike(a: RenderedCall, b: RenderedCall): boolean {
  return a.ref === b.ref && a.decision === b.decision && a.outcome === b.outcome && a.sequence + 1 === b.sequence;
}

function listing(title: string, lines: readonly string[]): Section {
  const missing = lines.length - CALL_LINES;
  const shown = missing > 0 ? [...lines.slice(0, CALL_LINES), `- … and ${missing} more lines`] : lines;
  return { text: [title, ...shown].join("\n"), cut: missing > 0 };
}
