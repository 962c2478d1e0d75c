import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The guest's own code, for any engine. */
export interface GuestCode {
  /**
   * A script whose value is a function: called with `send` and `later` it gives the prelude's function. One script and not
   * ten, since each costs 0.1 ms and a new realm needs all of them. Its file name must begin with `nami:`, which is how
   * our frames are told from the snippet's.
   */
  readonly code: string;
  /** JSON, name to code, of files that the guest evaluates at the first use of their globals: most runs use none. */
  readonly later: string;
}

/** Reads the guest's code from its folder. Throws what the file system throws. */
export function readGuestCode(folder: string): GuestCode {
  const makers = MAKERS.map((name) => readFunction(folder, name)).join(",\n");
  const later = LATER.map((name) => [name, readFunction(folder, name)]);
  return {
    code: `(function boot(send, later) {\nreturn (${readFunction(folder, "prelude")})(send, later, ${makers});\n})`,
    later: JSON.stringify(Object.fromEntries(later)),
  };
}

/**
 * A script whose value is a function: it adds what QuickJS lacks and takes `send`, which it returns made fit for the prelude.
 */
export const readQuickJsPatch = (folder: string): string => readFunction(folder, "quickjs");

/** In the order of the prelude's parameters. What they take of the built-ins must be taken before a snippet runs. */
const MAKERS = [
  "primordials",
  "stacks",
  "tool-error",
  "inspect",
  "format",
  "simple",
  "json",
  "clone",
  "timers",
  "clock-and-chance",
  "console",
  "later",
  "calls",
  "nami",
  "describe-error",
];

const LATER = [
  ...["utf8", "percent", "punycode", "url-host", "url-path", "url-parser", "search-params", "url"],
  ...["text", "abort", "crypto", "table"],
];

/** Each file of `guest/` is one function in brackets, after which only a semicolon follows. */
const readFunction = (folder: string, name: string): string =>
  readFileSync(join(folder, `${name}.js`), "utf8")
    .trimEnd()
    .replace(/;$/, "");
