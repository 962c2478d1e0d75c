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

/** What a rule says of a call. */
export type RuleDecision = "allow" | "ask" | "deny";

/** What an argument can be compared with. */
export type Scalar = string | number | boolean | null;

/** What a condition asks of one value. */
export type ArgumentTest =
  /** A folder, absolute, without an end slash, with `/` also where it is a Windows path; the root is the empty text. */
  | { readonly kind: "under"; readonly folder: string }
  | { readonly kind: "in"; readonly values: readonly Scalar[] }
  | { readonly kind: "below" | "above" | "atMost" | "atLeast"; readonly limit: number }
  | { readonly kind: "matches"; readonly glob: string }
  /** The argument is not given. */
  | { readonly kind: "absent" };

/** A condition of a rule on one argument. */
export interface RuleCondition {
  /** The argument's path as written. */
  readonly argument: string;
  /** The same in steps: names of properties, and `[]` for each element of a list. */
  readonly steps: readonly string[];
  readonly test: ArgumentTest;
}

/** A rule of the user's. */
export interface RuleSetting {
  /** Its place in the list, from 0. */
  readonly index: number;
  /** File, line and key, for messages. */
  readonly place: string;
  /** As written: `server.tool` with `*`. */
  readonly pattern: string;
  readonly server: string;
  readonly tool: string;
  readonly decision: RuleDecision;
  readonly conditions: readonly RuleCondition[];
  /** Of an `allow`: the beginning of the SHA-256 of the tool's definition that it speaks of; of another one it asks. */
  readonly definition?: string;
  /** Most calls that it decides in one run, and on one local day; beyond, `allow` asks and `ask` denies. */
  readonly perRun?: number;
  readonly perDay?: number;
}

/** The user's configuration. */
export interface Config {
  /** Limits of each run, in the order of the file. */
  readonly limits: readonly LimitSetting[];
  readonly sandbox: SandboxSettings;
  /** In the order of the file. */
  readonly rules: readonly RuleSetting[];
  /** Where it was read from; absent when it was given as an object. */
  readonly file?: string;
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
  /** Values that must never reach a model, a log or the audit. */
  readonly secrets: readonly string[];
}
