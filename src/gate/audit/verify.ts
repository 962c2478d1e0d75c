import { auditLines, type PlacedLine } from "./lines.ts";
import { GENESIS, hashOf, hashOfCut, readLine } from "./link.ts";

/** Something at a line of an audit. */
export interface Finding {
  readonly file: string;
  /** From 1, in its file. */
  readonly number: number;
  readonly message: string;
}

/** What became of an audit. */
export interface Verdict {
  readonly files: number;
  /** Whole lines. */
  readonly lines: number;
  /** The hash of the last whole line: whoever keeps it elsewhere can see later that it is still there. */
  readonly last: string;
  /** Lines that were changed, removed or inserted; the first hundred. */
  readonly problems: readonly Finding[];
  /** Lines that a process or a disk left unfinished, and that the next line accounts for. */
  readonly cut: readonly Finding[];
  /** Whether a line with the hash asked for is there. */
  readonly isKnownThere: boolean;
}

/** Findings of a kind that are kept: of a file that is none, every line is one. */
const KEPT = 100;

/**
 * Checks that each line follows the one before, from the first file to the last. What it cannot see by itself: that lines were
 * removed from the end, or that everything was written anew; for that, give as `known` a hash that was kept elsewhere.
 */
export async function verifyAudit(file: string, known?: string): Promise<Verdict> {
  const problems: Finding[] = [];
  const cut: Finding[] = [];
  const files = new Set<string>();
  let pending: PlacedLine[] = [];
  /** Of the last two whole lines. */
  let previous = GENESIS;
  let beforePrevious: string | undefined;
  let lines = 0;
  let isKnownThere = known === undefined || known === GENESIS;
  let isFirst = true;
  for await (const placed of auditLines(file)) {
    const isFirstOfFile = !files.has(placed.file);
    files.add(placed.file);
    const link = readLine(placed.line);
    if (link === undefined) {
      if (pending.length < KEPT) pending.push(placed);
      continue;
    }
    const follows = link.previous === previous;
    const isAccounted = link.cut === (pending.length > 0 ? hashOfCut(pending.map(({ line }) => line)) : undefined);
    if (pending.length > 0 && isAccounted) keep(cut, ...pending.map((line) => finding(line, CUT)));
    else if (pending.length > 0) keep(problems, ...pending.map((line) => finding(line, follows ? INSERTED : CHANGED)));
    else if (!isAccounted) keep(problems, finding(placed, "an unfinished line before this one was removed"));
    if (!follows && (pending.length === 0 || isAccounted)) {
      const message = misfit({ isFirst, isFirstOfFile, isPreviousAlien: link.previous === beforePrevious });
      keep(problems, finding(placed, message));
    }
    pending = [];
    isFirst = false;
    beforePrevious = previous;
    previous = hashOf(placed.line);
    isKnownThere ||= previous === known;
    lines++;
  }
  // A line that is cut has no line break until the next one is written, which then accounts for it.
  const isCut = pending.at(-1)?.hasBreak === false;
  keep(isCut ? cut : problems, ...pending.map((line) => finding(line, isCut ? CUT : CHANGED)));
  return { files: files.size, lines, last: previous, problems, cut, isKnownThere };
}

const CUT = "cut: a process or the disk failed while it was written";
const INSERTED = "inserted: nami did not write this line";
const CHANGED = "changed: this is no line of an audit";

function misfit(at: { readonly isFirst: boolean; readonly isFirstOfFile: boolean; readonly isPreviousAlien: boolean }) {
  if (at.isFirst) return "the lines before this one are missing: an older file, or the first lines of this one";
  if (at.isPreviousAlien) return "the line before this one was inserted";
  if (at.isFirstOfFile)
    return "does not follow the last line of the file before: a file in between is missing, or lines were changed or removed";
  return "does not follow the line before: that one was changed, or lines in between were removed";
}

function finding({ file, number }: PlacedLine, message: string): Finding {
  return { file, number, message };
}

function keep(findings: Finding[], ...more: readonly Finding[]): void {
  findings.push(...more.slice(0, KEPT - findings.length));
}
