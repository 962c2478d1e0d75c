import { homedir } from "node:os";
import { NamiError } from "../errors.ts";
import { parseConditions } from "./conditions.ts";
import type { RuleDecision, RuleSetting } from "./config.ts";
import type { KeyPath, Source } from "./source.ts";

/** One rule as it is written in the file. */
export interface RuleEntry {
  /** `server.tool` with the server's exact names; `*` stands for any characters in either part. */
  readonly tool: string;
  readonly decision: RuleDecision;
  /** Conditions by the path of an argument (`path`, `issue.repo`, `files[].path`); all must hold. */
  readonly when?: Readonly<Record<string, unknown>>;
  readonly perRun?: number;
  readonly perDay?: number;
  /** Of an `allow`: the first hexadecimal digits of the tool's definition, as nami writes it. With another definition it asks. */
  readonly definition?: string;
}

const KEYS = ["tool", "decision", "when", "perRun", "perDay", "definition"];
const DECISIONS: readonly RuleDecision[] = ["allow", "ask", "deny"];

/**
 * Reads `rules`. Throws `CONFIG_INVALID` with the place for everything that would be ignored or misunderstood: a rule that is
 * half right is worse than none.
 */
export function parseRules({ value, place }: Source, servers: readonly string[]): readonly RuleSetting[] {
  const fail = (path: KeyPath, what: string): never => {
    throw new NamiError("CONFIG_INVALID", `${place(["rules", ...path])}: ${what}`);
  };
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fail([], 'must be a list: [{ "tool": "files.read_*", "decision": "allow" }].');
  return value.map((entry: unknown, index) =>
    parseRule(entry, index, servers, (path, what) => fail([index, ...path], what), place(["rules", index])),
  );
}

type Fail = (path: KeyPath, what: string) => never;

function parseRule(entry: unknown, index: number, servers: readonly string[], fail: Fail, place: string): RuleSetting {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    return fail([], 'must be an object: { "tool": "files.read_*", "decision": "allow" }.');
  const keys = new Map<string, unknown>(Object.entries(entry));
  for (const key of keys.keys()) {
    if (!KEYS.includes(key)) fail([key], `unknown key "${key}". Known keys: ${KEYS.join(", ")}.`);
  }
  const decision = DECISIONS.find((known) => known === keys.get("decision"));
  if (decision === undefined) return fail(["decision"], 'must be "allow", "ask" or "deny".');
  const perRun = parseCap(keys.get("perRun"), "perRun", decision, fail);
  const perDay = parseCap(keys.get("perDay"), "perDay", decision, fail);
  const definition = parseDefinition(keys.get("definition"), decision, fail);
  const tool = keys.get("tool");
  return {
    index,
    place,
    ...parsePattern(tool, servers, fail),
    decision,
    conditions: parseConditions(keys.get("when"), homedir(), (path, what) => fail(["when", ...path], what)),
    ...(definition !== undefined && { definition }),
    ...(perRun !== undefined && { perRun }),
    ...(perDay !== undefined && { perDay }),
  };
}

/**
 * Both parts of a pattern. Server and tool names may have dots: the part before is a configured server where one fits, else
 * what stands before the first dot.
 */
function parsePattern(
  pattern: unknown,
  servers: readonly string[],
  fail: Fail,
): Pick<RuleSetting, "pattern" | "server" | "tool"> {
  if (typeof pattern !== "string")
    return fail(["tool"], 'must be a text: "server.tool", such as "files.read_*" or "files.*".');
  const fitting = servers.filter((name) => pattern.startsWith(`${name}.`));
  if (fitting.length > 1)
    return fail(["tool"], `"${pattern}" could be of the servers ${fitting.join(" and ")}. Rename one of them.`);
  const dot = fitting[0]?.length ?? pattern.indexOf(".");
  const server = pattern.slice(0, Math.max(0, dot));
  const tool = pattern.slice(dot + 1);
  if (dot < 1 || tool === "") {
    const example = pattern === "*" ? "*.*" : `${pattern.replace(/\.+$/, "") || "files"}.*`;
    return fail(["tool"], `"${pattern}" must be "server.tool"; every tool of a server is "${example}".`);
  }
  if (/\s|\*\*/.test(pattern))
    return fail(["tool"], `"${pattern}" must not have blanks or "**": one * already stands for any characters.`);
  return { pattern, server, tool };
}

function parseCap(value: unknown, name: string, decision: RuleDecision, fail: Fail): number | undefined {
  if (value === undefined) return undefined;
  if (decision === "deny") return fail([name], `"${name}" has no meaning with "deny", which never calls. Remove it.`);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  return fail([name], 'must be a whole number of calls, 1 or more. To forbid all, use "decision": "deny".');
}

function parseDefinition(value: unknown, decision: RuleDecision, fail: Fail): string | undefined {
  if (value === undefined) return undefined;
  if (decision !== "allow") return fail(["definition"], '"definition" has a meaning with "allow" only. Remove it.');
  if (typeof value === "string" && /^[0-9a-f]{16,64}$/.test(value)) return value;
  return fail(
    ["definition"],
    "must be 16 or more hexadecimal digits, as nami writes them. Remove it for any definition.",
  );
}
