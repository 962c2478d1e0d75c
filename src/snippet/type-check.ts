import type { Catalog } from "../catalog/catalog.ts";
import type { Tool } from "../catalog/tool.ts";
import { messageOf } from "../errors.ts";
import { indexCalls } from "./calls.ts";
import { createNativeChecker } from "./checker.ts";
import type { Declarations } from "./closed-world.ts";
import { diagnose, diagnoseSyntax } from "./diagnose.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Mapped } from "./edits.ts";
import { guestTypes } from "./guest-types.ts";
import { standardLibrary } from "./lib.ts";
import { HEAD, type Normalised, TAIL } from "./normalise.ts";
import { isError, softenObserved } from "./observed.ts";

/** What snippets are compiled against, at one time. */
export interface SnippetSdk {
  readonly catalog: Catalog;
  /** Declarations of the servers: text by file name. */
  readonly declarations: ReadonlyMap<string, string>;
  /**
   * Of those files, the ones that hold types which were only observed: the same text with `any` in their place. Empty when
   * there are none.
   */
  readonly certain: ReadonlyMap<string, string>;
  /** A tool's signature on one line, for messages. */
  signature(tool: Tool): string;
}

/** What the type check says about a snippet. */
export interface Verdict {
  readonly diagnostics: readonly Diagnostic[];
  /** Why the checker gave no verdict. */
  readonly skipped?: string;
}

/** Checks the types of snippets. Nothing of it throws: a checker that fails is only skipped. */
export interface TypeCheck extends AsyncDisposable {
  /** Types that were only observed never make an error; they are worth a second check only when the first finds one. */
  check(body: Extract<Normalised, { kind: "body" }>, sdk: SnippetSdk): Promise<Verdict>;
  /** The checker's words about a text that does not parse. */
  explainSyntax(wrapped: Mapped, source: string, sdk: SnippetSdk): Promise<Diagnostic | undefined>;
  /** Starts the checker ahead of the first snippet. */
  warm(sdk: SnippetSdk): Promise<void>;
}

/** @param timeoutMs for one snippet */
export function createTypeCheck(timeoutMs: number): TypeCheck {
  const checker = createNativeChecker(standardLibrary, timeoutMs);
  const declarationsOf = declarationNames();
  return {
    async check({ source, checked: text, program, aliases }, sdk) {
      const { catalog, signature } = sdk;
      const index = indexCalls(program, catalog, aliases);
      const explaining = { source, catalog, index, signature };
      try {
        const diagnostics = await checker.check(text.text, declarationsOf(sdk), async (checked) => {
          const found = await diagnose(text, { ...explaining, checked });
          if (!checked.certain || !found.some(isError)) return found;
          return softenObserved(found, await diagnose(text, { ...explaining, checked: await checked.certain() }));
        });
        return { diagnostics };
      } catch (error) {
        return { diagnostics: [], skipped: messageOf(error) };
      }
    },
    explainSyntax: (wrapped, source, sdk) =>
      checker
        .check(wrapped.text, declarationsOf(sdk), async (checked) => diagnoseSyntax(wrapped, source, checked))
        .catch(() => undefined),
    warm: (sdk) => checker.check(`${HEAD}${TAIL}`, declarationsOf(sdk), async () => {}).catch(() => {}),
    [Symbol.asyncDispose]: () => checker[Symbol.asyncDispose](),
  };
}

/**
 * All that the checker sees of an SDK. Files get names of our own, since a server's may be any text; a file keeps its name
 * while others come and go.
 */
function declarationNames(): (sdk: SnippetSdk) => Declarations {
  const names = new Map<string, string>();
  const rename = (texts: ReadonlyMap<string, string>): [string, string][] =>
    [...texts].map(([name, text]) => {
      const own = names.get(name) ?? `server-${names.size + 1}.d.ts`;
      names.set(name, own);
      return [own, text];
    });
  return ({ catalog, declarations, certain }) => ({
    guest: guestTypes(catalog),
    servers: new Map(rename(declarations)),
    certain: new Map(rename(certain)),
  });
}
