import { readFileSync } from "node:fs";

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

/** Reads the guest's code. Throws what the file system throws. */
export function readGuestCode(): GuestCode {
  const makers = MAKERS.map(readFunction).join(",\n");
  const later = LATER.map((name) => [name, readFunction(name)]);
  return {
    code: `(function boot(send, later) {\nreturn (${readFunction("prelude")})(send, later, ${makers});\n})`,
    later: JSON.stringify(Object.fromEntries(later)),
  };
}

/**
 * A script whose value is a function: it adds what QuickJS lacks and takes `send`, which it returns made fit for the prelude.
 */
export const readQuickJsPatch = (): string => readFunction("quickjs");

/** In the order of the prelude's parameters. What they take of the built-ins must be taken before a snippet runs. */
const MAKERS = [
  "primordials",
  "stacks",
  "tool-error",
  "inspect",
  "format",
  "json",
  "clone",
  "timers",
  "clock-and-chance",
  "console",
  "later",
  "nami",
  "describe-error",
];

const LATER = [
  ...["utf8", "percent", "punycode", "url-host", "url-path", "url-parser", "search-params", "url"],
  ...["text", "abort", "crypto", "table"],
];

/** Each file of `guest/` is one function in brackets, after which only a semicolon follows. */
const readFunction = (name: string): string =>
  readFileSync(new URL(`./guest/${name}.js`, import.meta.url), "utf8")
    .trimEnd()
    .replace(/;$/, "");
