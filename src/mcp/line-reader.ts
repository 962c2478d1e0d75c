/** Where complete lines go. */
export interface LineSink {
  line(text: string): void;
  /** A line beyond the limit was skipped; `head` is its first part. */
  oversized(head: string): void;
}

/**
 * Cuts a byte stream into lines, in time linear in its length: pieces of a long line are joined once, at its end. (The
 * official transport joins at every chunk: 16 MB take 3 s there, measured.) A line beyond the limit is skipped whole
 * and the stream goes on.
 */
export class LineReader {
  readonly #limit: number;
  readonly #sink: LineSink;
  #pieces: Buffer[] = [];
  #size = 0;
  #skipping = false;

  /** `limit`: largest line in bytes. */
  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    if (this.#skipping || piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= this.#limit) return;
    const head = Buffer.concat(this.#pieces.slice(0, 2)).subarray(0, 4096).toString("utf8");
    this.#reset();
    this.#skipping = true;
    this.#sink.oversized(head);
  }

  #endLine(): void {
    const skipped = this.#skipping;
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#reset();
    if (!skipped) this.#sink.line(text);
  }

  #reset(): void {
    this.#pieces = [];
    this.#size = 0;
    this.#skipping = false;
  }
}

const NEWLINE = 10;
