/** A text made from another one, and the way back. Offsets count UTF-16 code units from 0. */
export interface Mapped {
  readonly text: string;
  /** Offset in the original. Inside an inserted text: where it was inserted. */
  toSource(offset: number): number;
  /** Where a character of the original is now; nothing when it was replaced. */
  fromSource(offset: number): number | undefined;
  /** Whether the character came from us rather than from the author. */
  isOurs(offset: number): boolean;
}

/** Collects changes to a text and applies them at once. A change that begins inside an earlier one is dropped. */
export interface Edits {
  /** Puts spaces in place of a range and keeps its line breaks. */
  blank(start: number, end: number): void;
  replace(start: number, end: number, text: string): void;
  insert(at: number, text: string): void;
  /** The changed text between a head and a tail. May be called again after more changes. */
  apply(head: string, tail: string): Mapped;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A stretch of the new text that begins at `at`; it runs in step with the original when `original` is set. */
interface Segment {
  readonly at: number;
  readonly source: number;
  readonly original: boolean;
}

export function createEdits(source: string): Edits {
  const edits: Edit[] = [];
  return {
    blank: (start, end) => edits.push({ start, end, text: source.slice(start, end).replace(/[^\n]/g, " ") }),
    replace: (start, end, text) => edits.push({ start, end, text }),
    insert: (at, text) => edits.push({ start: at, end: at, text }),
    apply: (head, tail) => applyEdits(source, edits, head, tail),
  };
}

function applyEdits(source: string, edits: readonly Edit[], head: string, tail: string): Mapped {
  const segments: Segment[] = [{ at: 0, source: 0, original: false }];
  let text = head;
  let done = 0;
  const copyUntil = (end: number): void => {
    if (end > done) segments.push({ at: text.length, source: done, original: true });
    text += source.slice(done, end);
    done = end;
  };
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < done) continue;
    copyUntil(edit.start);
    segments.push({ at: text.length, source: edit.start, original: false });
    text += edit.text;
    done = edit.end;
  }
  copyUntil(source.length);
  segments.push({ at: text.length, source: source.length, original: false });
  text += tail;
  const segmentAt = (offset: number): Segment => findSegment(segments, offset);
  return {
    text,
    toSource(offset) {
      const segment = segmentAt(offset);
      return segment.original ? Math.min(segment.source + offset - segment.at, source.length) : segment.source;
    },
    fromSource(offset) {
      const segment = segments.findLast(({ source, original }) => original && source <= offset);
      const at = segment && segment.at + offset - segment.source;
      return at !== undefined && segmentAt(at) === segment ? at : undefined;
    },
    isOurs: (offset) => !segmentAt(offset).original,
  };
}

/** The last segment that begins at or before an offset, by halving. */
function findSegment(segments: readonly Segment[], offset: number): Segment {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return segments[low] ?? { at: 0, source: 0, original: false };
}
