/** One server as the user configured it, ready to start: variables are expanded, nothing is missing. */
export interface ServerConfig {
  readonly name: string;
  /** A program on the PATH or a path to one. It is started without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to a small base environment; the rest of nami's own environment is not passed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Exact tool names that may run without asking. Everything else asks. */
  readonly safeTools: readonly string[];
  /** Time to start and to list its tools, in milliseconds; by default 30 s, since `npx` may have to fetch a package. */
  readonly startTimeoutMs: number;
}

/** One entry that could not be used. The other servers are not affected. */
export interface ConfigProblem {
  readonly server: string;
  /** Says file, line, key and the way out. */
  readonly message: string;
}

/** A limit that the user set. Whether there is one of that name is for who knows them all. */
export interface LimitSetting {
  readonly name: string;
  readonly value: number;
  /** Where it was set, for the start of an error message. */
  readonly place: string;
}

/** How the sandbox runs. */
export interface SandboxSettings {
  /** What runs the snippets: isolated-vm where it has a binary, else QuickJS; or the one that is named. Default `auto`. */
  readonly engine?: "auto" | "isolated-vm" | "quickjs";
  /** A second wall around the sandbox's process: bubblewrap, or a command that is put in front of it. */
  readonly wrap?: "bwrap" | readonly string[];
}

/** The user's configuration. */
export interface Config {
  /** Limits of each run, in the order of the file. */
  readonly limits: readonly LimitSetting[];
  readonly sandbox: SandboxSettings;
  /** Where it was read from; absent when it was given as an object. */
  readonly file?: string;
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
  /** Values that must never reach a model, a log or the audit. */
  readonly secrets: readonly string[];
}
