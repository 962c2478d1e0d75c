import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import type { CallIndex } from "./calls.ts";
import type { Checked } from "./checker.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Mapped } from "./edits.ts";
import { explainArguments } from "./explain-arguments.ts";
import { explainName } from "./explain-name.ts";
import { explainList, explainProperty, explainUnknownTool } from "./explain-property.ts";
import { clip, positionAt } from "./frame.ts";
import { unclosedBrace } from "./indentation.ts";
import { SIGNATURE_WIDTH } from "./limits.ts";
import { findMissing } from "./missing-properties.ts";
import { allText, type PlacedFinding, severityOf, unknownToolAt } from "./severity.ts";

/** What explanations draw on. */
export interface Explaining {
  readonly source: string;
  readonly catalog: Catalog;
  readonly index: CallIndex;
  readonly checked: Checked;
  signature(tool: Tool): string;
}

/** What is wrong and what to do, without the place. */
export type Explanation = Pick<Diagnostic, "message" | "hint" | "signatures">;

/** Turns the checker's findings and the careless habits of a snippet into diagnostics, in the order of the text. */
export async function diagnose(text: Mapped, explaining: Explaining): Promise<Diagnostic[]> {
  const { source, index, checked } = explaining;
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  let explainedUntil = 0;
  const placed = checked.findings.map((each) => place(each, text));
  const findings = await findMissing(placed, text, index, checked);
  for (const finding of findings.toSorted((a, b) => a.start - b.start)) {
    const word = source.slice(finding.start, finding.stop);
    const severity = text.isOurs(finding.pos) ? "error" : severityOf(finding, source, index);
    const position = positionAt(source, finding.start);
    const key = `${position.line} ${finding.code} ${word}`;
    if (severity === "off" || seen.has(key) || finding.start < explainedUntil) continue;
    seen.add(key);
    const { covers, ...explanation } = explain(finding, word, text, explaining);
    explainedUntil = covers ?? explainedUntil;
    const length = Math.max(1, finding.stop - finding.start);
    diagnostics.push({ ...position, severity, code: finding.code, ...explanation, length });
  }
  return [...diagnostics, ...habits(source, index)].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The checker's own words about a text that does not parse, with a guess where a brace is missing. */
export function diagnoseSyntax(text: Mapped, source: string, checked: Checked): Diagnostic | undefined {
  const finding = checked.findings.find(({ code }) => code >= 1000 && code < 2000);
  if (!finding) return undefined;
  const { start, stop } = place(finding, text);
  return {
    ...positionAt(source, start),
    severity: "error",
    code: finding.code,
    ...explainSyntax(finding, text, source),
    length: Math.max(1, stop - start),
  };
}

function place(finding: Checked["findings"][number], text: Mapped): PlacedFinding {
  const start = text.toSource(finding.pos);
  const { code, pos, end, messageChain, relatedInformation } = finding;
  const common = { code, pos, end, text: finding.text, start, stop: Math.max(start, text.toSource(end)) };
  return { ...common, messageChain, relatedInformation };
}

/** An explanation, and up to where it covers the text so that later findings there are echoes. */
type Covering = Explanation & { readonly covers?: number };

function explain(finding: PlacedFinding, word: string, text: Mapped, explaining: Explaining): Covering {
  const { source, index, signature } = explaining;
  const { code, start, stop } = finding;
  if (text.isOurs(finding.pos)) return { message: CANNOT_CALL, hint: "End with `return await yourFunction(…)`." };
  if (code >= 1000 && code < 2000) return explainSyntax(finding, text, source);
  const access = unknownToolAt(finding, index);
  if (access) return explainUnknownTool(access, explaining);
  return (
    explainName(finding, word, explaining) ??
    explainProperty(finding, explaining) ??
    explainList(finding, word) ??
    explainArguments(finding, word, index.callAround(start, stop), (tool) => clip(signature(tool), SIGNATURE_WIDTH)) ??
    explainMaybe(finding, word) ?? { message: clip(allText(finding).replace(/\n\s*/g, " "), 220) }
  );
}

const CANNOT_CALL = "The snippet only declares a function, and nami does not know what to call it with.";

function explainSyntax(finding: Checked["findings"][number], text: Mapped, source: string): Explanation {
  const message = allText(finding).split("\n")[0] ?? "";
  const opening = finding.relatedInformation?.[0];
  if (opening && !text.isOurs(opening.pos)) {
    return { message, hint: `The bracket without a partner opens on line ${lineOf(source, text, opening.pos)}.` };
  }
  const line = /expected/.test(message) ? unclosedBrace(source) : undefined;
  return line === undefined
    ? { message }
    : { message, hint: `The \`{\` on line ${line} looks unclosed (by indentation).` };
}

const lineOf = (source: string, text: Mapped, offset: number): number => positionAt(source, text.toSource(offset)).line;

/** Values that may be missing, or are of no type that the checker can judge. */
function explainMaybe({ code, text }: PlacedFinding, word: string): Explanation | undefined {
  if (code === 18046 || code === 2571) return { message: `\`${word}\` has an unknown type, so this is not checked.` };
  if (code === 2362 || code === 2363) return { message: `\`${clip(word, 60)}\` is no number by its type.` };
  if (![2531, 2532, 2533, 18047, 18048, 18049].includes(code)) return undefined;
  const what = ["null", "undefined"].filter((each) => text.includes(`'${each}'`)).join(" or ");
  return { message: `\`${clip(word, 60)}\` may be ${what} here; use \`?.\` or a default.` };
}

/** What the type checker does not mind but loses results. */
function habits(source: string, index: CallIndex): Diagnostic[] {
  const floating = index.calls.filter((call) => call.floating && call.tool);
  return [
    ...floating.map((call): Diagnostic => {
      const message = `\`${source.slice(call.start, call.calleeEnd)}(…)\` is not awaited: its result and its error are lost.`;
      return note(source, call.start, "not-awaited", message);
    }),
    ...index.asyncForEach.map(({ start }): Diagnostic => {
      const message = "`forEach(async …)` does not wait; use `for … of` or `await Promise.all(list.map(async …))`.";
      return note(source, start, "async-for-each", message);
    }),
  ];
}

function note(source: string, offset: number, code: string, message: string): Diagnostic {
  return { ...positionAt(source, offset), severity: "note", code, message };
}
