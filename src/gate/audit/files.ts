import { readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

/**
 * Bytes from which the current file is set aside and a new one begun. 10 MB are some 25,000 lines: small enough for an
 * editor, large enough for a year of ordinary use in a folder that can be looked over.
 */
export const AUDIT_FILE_BYTES = 10_000_000;

/** The files that were set aside, oldest first: `audit-20261201T163049.123Z.jsonl` beside `audit.jsonl`. */
export function setAsideFiles(file: string): string[] {
  const { stem, extension } = nameParts(file);
  return namesIn(dirname(file))
    .filter((name) => name.startsWith(`${stem}-`) && TIME.test(name.slice(stem.length + 1, -extension.length)))
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(dirname(file), name));
}

/** A time as names of files have it. Of one length, so that the order of names is the order of times. */
const TIME = /^\d{8}T\d{6}\.\d{3}Z$/;

/** The name for setting the current file aside: after all others, also when the clock was set back. */
export function nextSetAside(file: string, now: Date): string {
  const { stem, extension } = nameParts(file);
  const named = (time: number): string => {
    const text = new Date(time).toISOString().replaceAll(/[-:]/g, "");
    return join(dirname(file), `${stem}-${text}${extension}`);
  };
  const last = setAsideFiles(file).at(-1);
  const fromNow = named(now.getTime());
  return last === undefined || fromNow > last ? fromNow : named(timeOf(last, stem) + 1);
}

function timeOf(file: string, stem: string): number {
  const text = basename(file).slice(stem.length + 1);
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z).*$/, "$1-$2-$3T$4:$5:$6"));
}

function nameParts(file: string): { readonly stem: string; readonly extension: string } {
  const extension = extname(file) || ".jsonl";
  return { stem: basename(file, extension), extension };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
