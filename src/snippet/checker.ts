import type { Diagnostic as TypeScriptDiagnostic } from "typescript/unstable/async";
import type { Declarations } from "./closed-world.ts";
import { type NativeProcess, startProcess } from "./native-process.ts";
import type { ObjectType } from "./object-types.ts";

/** One finding of the type checker. Offsets count UTF-16 code units in the checked text. */
export type Finding = Pick<
  TypeScriptDiagnostic,
  "code" | "pos" | "end" | "text" | "messageChain" | "relatedInformation"
>;

/** A checked text, while its types can still be asked for. */
export interface Checked {
  /** Errors of syntax alone when there are any, else errors of types. */
  readonly findings: readonly Finding[];
  /**
   * The objects that ranges are about. The range of a property's name, in `x.name`, `const { name } = x` or `({ name } = x)`,
   * is about the object that has it; that of another expression is about its value.
   */
  objectsAt(ranges: readonly Pick<Finding, "pos" | "end">[]): Promise<readonly (ObjectType | undefined)[]>;
  /** Checks the same text against the certain declarations. Missing when there are none. */
  readonly certain?: () => Promise<Checked>;
}

/** Checks snippets, one at a time in the order they come. */
export interface Checker extends AsyncDisposable {
  /**
   * Checks a text against declarations and lets `use` look at the result. Throws what `use` throws, and an error when the checker could not
   * answer: it crashed, is not installed, or took too long, after which it is killed and the next check starts another.
   */
  check<T>(text: string, declarations: Declarations, use: (checked: Checked) => Promise<T>): Promise<T>;
}

/**
 * A checker on TypeScript's native process, which starts with the first check. It sees only the library (text by plain
 * file name), the declarations and the snippet: whatever else it asks for does not exist.
 *
 * @param timeoutMs for one check with its `use`
 */
export function createNativeChecker(library: () => ReadonlyMap<string, string>, timeoutMs: number): Checker {
  let process: Promise<NativeProcess> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;
  const current = async (declarations: Declarations): Promise<NativeProcess> => {
    if (closed) throw new Error("the type checker is closed");
    if ((await process?.catch(() => undefined))?.hasEnded() !== false) {
      process = startProcess(library(), declarations);
    }
    return await (process ?? current(declarations));
  };
  const runOne: Checker["check"] = async (text, declarations, use) => {
    const first = await current(declarations);
    try {
      return await within(timeoutMs, first, () => first.check(text, declarations).then(use));
    } catch (error) {
      // It may have been dead before we asked; a text that kills it costs one more start.
      if (error instanceof CheckTimeout || !first.hasEnded()) throw error;
    }
    const second = await current(declarations);
    return await within(timeoutMs, second, () => second.check(text, declarations).then(use));
  };
  return {
    check(text, declarations, use) {
      const result = queue.then(() => runOne(text, declarations, use));
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
