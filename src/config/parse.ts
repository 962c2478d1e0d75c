import * as z from "zod";
import { NamiError } from "../errors.ts";
import type { Config, ConfigProblem, ServerConfig } from "./config.ts";
import { expand, type UsedVariable } from "./expand.ts";
import type { Environment } from "./paths.ts";
import { secretsOf } from "./secrets.ts";
import { parseSettings } from "./settings.ts";
import type { KeyPath, Source } from "./source.ts";

const serverSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().min(1).optional(),
  safe_tools: z.array(z.string().min(1)).default([]),
  start_timeout: z.number().positive().max(600).default(30),
});

/** A server entry as written in the file, before variables are expanded. */
export type ServerEntry = z.input<typeof serverSchema>;

const SERVER_KEYS = Object.keys(serverSchema.shape);

/**
 * Turns a configuration as written into one that can be used. A broken entry becomes a problem of its server; a wrong
 * shape as a whole throws `CONFIG_INVALID`.
 */
export function parseConfig(source: Source, environment: Environment): Config {
  const settings = parseSettings(source);
  const servers: ServerConfig[] = [];
  const problems: ConfigProblem[] = [];
  const used: UsedVariable[] = [];
  for (const [name, entry] of serverEntries(source)) {
    const say = (path: KeyPath, what: string): string => `${source.place(["servers", name, ...path])}: ${what}`;
    const server = parseServer(name, entry, say, environment, used);
    if (typeof server === "string") problems.push({ server: name, message: server });
    else servers.push(server);
  }
  return { servers, problems, ...settings, secrets: secretsOf(servers, used) };
}

/** Puts a place in front of what is wrong there. */
type Say = (path: KeyPath, what: string) => string;

/** The entries under "servers". */
function serverEntries({ value, place }: Source): [string, unknown][] {
  const servers = (isObject(value) ? value["servers"] : undefined) ?? {};
  if (isObject(servers)) return Object.entries(servers);
  throw new NamiError("CONFIG_INVALID", `${place(["servers"])}: must be an object: { "name": { "command": … } }.`);
}

/** A server ready to start, or the reason why it cannot be. */
function parseServer(
  name: string,
  entry: unknown,
  say: Say,
  environment: Environment,
  used: UsedVariable[],
): ServerConfig | string {
  if (name.trim() === "") return say([], "a server needs a name.");
  const result = serverSchema.safeParse(entry);
  if (!result.success) {
    // A misspelt key explains the missing one beside it, so it goes first.
    const { issues } = result.error;
    const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
    return issue ? say(issuePath(issue), explain(issue)) : say([], "not a server entry.");
  }
  return expandServer(name, result.data, say, environment, used);
}

function expandServer(
  name: string,
  entry: z.output<typeof serverSchema>,
  say: Say,
  environment: Environment,
  used: UsedVariable[],
): ServerConfig | string {
  let problem: string | undefined;
  const text = (path: KeyPath, value: string): string => {
    const expansion = expand(value, environment);
    if (expansion.kind === "text") {
      used.push(...expansion.used);
      return expansion.text;
    }
    const { variable } = expansion;
    problem ??= say(
      path,
      `environment variable ${variable} is not set. Set it, or give a default: \${${variable}:-value}.`,
    );
    return "";
  };
  const server: ServerConfig = {
    name,
    command: text(["command"], entry.command),
    args: entry.args.map((argument, index) => text(["args", index], argument)),
    env: Object.fromEntries(Object.entries(entry.env).map(([key, value]) => [key, text(["env", key], value)])),
    ...(entry.cwd !== undefined && { cwd: text(["cwd"], entry.cwd) }),
    safeTools: entry.safe_tools,
    startTimeoutMs: entry.start_timeout * 1000,
  };
  return problem ?? server;
}

function issuePath(issue: z.core.$ZodIssue): KeyPath {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  return issue.code === "unrecognized_keys" && issue.keys[0] !== undefined ? [...path, issue.keys[0]] : path;
}

/** A schema issue in words of the file. */
function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    if (key === "url") return 'servers over HTTP ("url") are not supported; this version starts servers by "command".';
    const near = SERVER_KEYS.find((known) => [squash(key), `${squash(key)}s`].includes(squash(known)));
    return `unknown key. ${near ? `Did you mean "${near}"?` : `Known keys: ${SERVER_KEYS.join(", ")}.`}`;
  }
  if (issue.code === "invalid_type") {
    if (issue.message.includes("received undefined")) return "missing: name the program that starts the server.";
    return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected} (${issue.message.replace(/^Invalid input: /, "")}).`;
  }
  if (issue.path.at(-1) === "start_timeout") return "must be seconds, above 0 and at most 600.";
  if (issue.code === "too_small") return "must not be empty.";
  return `${issue.message}.`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  number: "a number",
  string: "a text",
  array: "a list",
  record: "an object of texts",
  object: "an object",
};

const squash = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, "");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
