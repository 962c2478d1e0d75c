/** One finding about a snippet. Lines and columns count from 1 and belong to the author's text, after fences. */
export interface Diagnostic {
  readonly line: number;
  readonly column: number;
  /** An error stops the snippet; a note is shown only when the run throws. */
  readonly severity: "error" | "note";
  /** TypeScript's number, or a word of ours. */
  readonly code: string | number;
  /** What is wrong, in terms of the SDK. */
  readonly message: string;
  /** What to do instead. */
  readonly hint?: string;
  /** The real signatures of the tools involved. */
  readonly signatures?: readonly string[];
  /** Characters to underline; 1 when unknown. */
  readonly length?: number;
}
