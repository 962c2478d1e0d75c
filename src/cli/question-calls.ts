import { escapeInvisible } from "../catalog/visible-text.ts";
import type { PendingCall } from "../gate/ask.ts";
import { canonicalJson } from "../gate/canonical.ts";
import { textWidth, wrapLine } from "./text-width.ts";

/**
 * The arguments of calls of one tool, in full, as lines of at most so many columns: of one call as JSON; of several what they
 * share, and a table of what differs. A table that does not fit becomes a paragraph for each call. Nothing is cut.
 */
export function callLines(calls: readonly PendingCall[], columns: number): readonly string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const lines =
    calls.length === 1 ? escapeInvisible(JSON.stringify(first.shown, null, 2)).split("\n") : manyLines(calls, columns);
  return lines.flatMap((line) => wrapLine(line, columns));
}

/** The calls that a list such as `3, 5-9` names; undefined when one of its numbers is none of a call. */
export function chosenCalls(text: string, calls: readonly PendingCall[]): readonly number[] | undefined {
  const allow = new Set<number>();
  for (const part of text.split(/[\s,]+/)) {
    const [, from, to] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    if (from === undefined) return undefined;
    const named = calls.filter(({ sequence }) => sequence >= Number(from) && sequence <= Number(to ?? from));
    if (named.length === 0) return undefined;
    for (const { sequence } of named) allow.add(sequence);
  }
  return [...allow];
}

function manyLines(calls: readonly PendingCall[], columns: number): readonly string[] {
  const rows = calls.map(({ shown }) => new Map(Object.entries(isRecord(shown) ? shown : { arguments: shown })));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const differing = names.filter((name) => new Set(rows.map((row) => cell(row, name))).size > 1);
  const shared = names
    .filter((name) => !differing.includes(name))
    .map((name) => `all: ${visibleName(name)} = ${cell(rows[0], name)}`);
  const header = ["call", ...differing.map(visibleName)];
  const cells = calls.map(({ sequence }, at) => [String(sequence), ...differing.map((name) => cell(rows[at], name))]);
  const widths = header.map((title, at) => Math.max(...[title, ...cells.map((row) => row[at] ?? "")].map(textWidth)));
  const fits = widths.reduce((sum, width) => sum + width + 2, -2) <= columns;
  if (fits) return [...shared, ...[header, ...cells].map((row) => padded(row, widths))];
  const paragraphs = cells.map(
    ([sequence, ...values]) =>
      `${sequence}: ${values
        .map((value, at) => (value === "" ? "" : `${visibleName(differing[at] ?? "")} = ${value}`))
        .filter((text) => text !== "")
        .join(", ")}`,
  );
  return [...shared, ...paragraphs];
}

/** A value as JSON; nothing for one that the call does not have. */
function cell(row: ReadonlyMap<string, unknown> | undefined, name: string): string {
  return row?.has(name) ? escapeInvisible(canonicalJson(row.get(name))) : "";
}

function padded(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((text, at) => text + " ".repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text))))
    .join("  ")
    .trimEnd();
}

/** A name as it is, but on one line: unlike JSON it may bring line breaks and tabs of its own. */
const visibleName = (name: string): string => escapeInvisible(name).replaceAll("\t", "\\t").replaceAll("\n", "\\n");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
