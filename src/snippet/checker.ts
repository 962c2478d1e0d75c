import type { Diagnostic as TypeScriptDiagnostic } from "typescript/unstable/async";
import { type NativeProcess, startProcess } from "./native-process.ts";

/** One finding of the type checker. Offsets count UTF-16 code units in the checked text. */
export type Finding = Pick<
  TypeScriptDiagnostic,
  "code" | "pos" | "end" | "text" | "messageChain" | "relatedInformation"
>;

/** A checked text, while its types can still be asked for. */
export interface Checked {
  /** Errors of syntax alone when there are any, else errors of types. */
  readonly findings: readonly Finding[];
  /** The type at an offset and its properties. */
  typeAt(offset: number): Promise<{ readonly text: string; readonly properties: readonly string[] } | undefined>;
}

/** Checks snippets, one at a time in the order they come. */
export interface Checker extends AsyncDisposable {
  /**
   * Checks a text and lets `use` look at the result. Throws what `use` throws, and an error when the checker could not
   * answer: it crashed, is not installed, or took too long, after which it is killed and the next check starts another.
   */
  check<T>(text: string, use: (checked: Checked) => Promise<T>): Promise<T>;
}

/**
 * A checker on TypeScript's native process, which starts with the first check. It sees only `declarations` (text by plain
 * file name) and the snippet: whatever else it asks for does not exist.
 *
 * @param timeoutMs for one check with its `use`
 */
export function createNativeChecker(declarations: () => ReadonlyMap<string, string>, timeoutMs: number): Checker {
  let process: Promise<NativeProcess> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;
  const current = async (): Promise<NativeProcess> => {
    if (closed) throw new Error("the type checker is closed");
    if ((await process?.catch(() => undefined))?.hasEnded() !== false) process = startProcess(declarations());
    return await (process ?? current());
  };
  const runOne = async <T>(text: string, use: (checked: Checked) => Promise<T>): Promise<T> => {
    const first = await current();
    try {
      return await within(timeoutMs, first, () => first.check(text).then(use));
    } catch (error) {
      // It may have been dead before we asked; a text that kills it costs one more start.
      if (error instanceof CheckTimeout || !first.hasEnded()) throw error;
    }
    const second = await current();
    return await within(timeoutMs, second, () => second.check(text).then(use));
  };
  return {
    check(text, use) {
      const result = queue.then(() => runOne(text, use));
      queue = result.catch(() => {});
      return result;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await (await process?.catch(() => undefined))?.kill();
    },
  };
}

class CheckTimeout extends Error {}

/** Races work against the end of the process and against the clock; when the clock wins, the process is killed. */
async function within<T>(timeoutMs: number, process: NativeProcess, work: () => Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    limit.reject(new CheckTimeout(`the type check took longer than ${timeoutMs} ms`));
    void process.kill();
  }, timeoutMs);
  try {
    return await Promise.race([work(), limit.promise, process.ended]);
  } finally {
    clearTimeout(timer);
  }
}
