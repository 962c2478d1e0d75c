import { createHash } from "node:crypto";
import type { JsonSchema, Tool } from "../../catalog/tool.ts";
import { messageOf } from "../../errors.ts";
import { isNestedDeeper, MAX_JSON_DEPTH } from "../json-record.ts";
import { toolExpression } from "../signature.ts";
import type { BrokenRule, CompiledSchema } from "./compile.ts";
import { runWithin } from "./guard.ts";
import { type Explanation, explainRule } from "./message.ts";
import { reportFindings } from "./report.ts";
import { prepareSchema } from "./schema.ts";
import { clip } from "./words.ts";

/** Checks arguments against a tool's own schema, which says more than the types: ranges, patterns, formats, conditions. */
export interface ArgumentValidator {
  /**
   * Changes nothing in the arguments, fills in nothing, converts nothing, fetches nothing, never throws. Holds up the event loop
   * for two seconds of processor time at the very most, and only with a schema made for it.
   */
  check(tool: Tool, args: unknown): Promise<ArgumentCheck>;
}

/** What a check found. */
export type ArgumentCheck =
  | { readonly kind: "valid" }
  /** `message`: all of it, for a model; `problems`: at most five, most telling first. */
  | { readonly kind: "invalid"; readonly message: string; readonly problems: readonly Explanation[] }
  /** Nothing is known about the arguments; `reason` is the end of a sentence that begins with "was not checked: ". */
  | { readonly kind: "skipped"; readonly reason: string };

/** Longest schema that is checked against, in characters of JSON. The longest of 2,970 real ones has 84,167. */
export const MAX_SCHEMA_LENGTH = 500_000;
/** Milliseconds for compiling a schema. The slowest of 2,970 real ones takes 100, on a busy machine 240. */
const COMPILE_TIME = 1000;
/** Milliseconds for judging one call's arguments; real ones take less than one. */
const JUDGE_TIME = 250;
/** Milliseconds for finding out all that is wrong with them, for which the schema is compiled once more. */
const EXPLAIN_TIME = 500;
/** Timeouts after which a schema is not tried again. More than one, since a pause of the machine counts too. */
export const MAX_TIMEOUTS = 3;
/** Compiled schemas that are kept: more tools than one session calls. */
const CACHE_SIZE = 256;

/** Makes a validator with a cache of its own. Ajv is loaded at the first check, since that takes 40 ms. */
export function createArgumentValidator(): ArgumentValidator {
  const keys = new WeakMap<object, SchemaKey>();
  const entries = new Map<string, Entry>();
  const keyOf = (schema: JsonSchema): SchemaKey => {
    if (typeof schema === "boolean") return { kind: "hash", hash: String(schema) };
    const key = keys.get(schema) ?? identify(schema);
    keys.set(schema, key);
    return key;
  };
  return {
    check: async (tool, args) => {
      const key = keyOf(tool.inputSchema);
      if (key.kind === "refused") return { kind: "skipped", reason: key.reason };
      const { compileSchema } = await import("./compile.ts");
      const entry = entries.get(key.hash) ?? createEntry(tool.inputSchema, compileSchema);
      // Deleted and set, so that the first is the one that was not used for longest.
      entries.delete(key.hash);
      entries.set(key.hash, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= CACHE_SIZE) break;
        entries.delete(oldest);
      }
      return checkWith(entry, tool, args);
    },
  };
}

/** What a schema is known by. Schemas of equal content share one: a tool list that is sent again compiles nothing. */
type SchemaKey =
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "refused"; readonly reason: string };

/** A schema as far as it came. */
interface Entry {
  readonly state: Compiled | { readonly kind: "unusable"; readonly reason: string };
  /** Checks and explanations that took too long. */
  slowChecks: number;
  slowExplanations: number;
}

interface Compiled {
  readonly kind: "compiled";
  readonly schema: JsonSchema;
  readonly compiled: CompiledSchema;
}

function identify(schema: JsonSchema): SchemaKey {
  if (isNestedDeeper(schema, MAX_JSON_DEPTH)) {
    return { kind: "refused", reason: `its schema is nested deeper than ${MAX_JSON_DEPTH} levels` };
  }
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_LENGTH) {
    return { kind: "refused", reason: `its schema has more than ${MAX_SCHEMA_LENGTH} characters` };
  }
  return { kind: "hash", hash: createHash("sha256").update(text).digest("base64") };
}

function createEntry(original: JsonSchema, compile: (schema: JsonSchema) => CompiledSchema): Entry {
  const { schema, problems } = prepareSchema(original);
  const [problem] = problems;
  const unusable = (reason: string): Entry => ({
    state: { kind: "unusable", reason },
    slowChecks: 0,
    slowExplanations: 0,
  });
  if (problem && (schema === true || Object.keys(schema).length === 0)) {
    return unusable(`its schema cannot be used: ${problem.problem} (at ${clip(problem.pointer)})`);
  }
  const outcome = runWithin(COMPILE_TIME, () => {
    const compiled = compile(schema);
    // V8 translates a function at its first call: that is not to count as the time of a check.
    compiled.judge(null);
    return compiled;
  });
  switch (outcome.kind) {
    case "done":
      return { state: { kind: "compiled", schema, compiled: outcome.value }, slowChecks: 0, slowExplanations: 0 };
    case "timeout":
      return unusable(`compiling its schema took longer than ${COMPILE_TIME} ms`);
    case "threw":
      return unusable(`its schema cannot be compiled: ${clip(messageOf(outcome.error), 200)}`);
  }
}

function checkWith(entry: Entry, tool: Tool, args: unknown): ArgumentCheck {
  const { state } = entry;
  if (state.kind === "unusable") return { kind: "skipped", reason: state.reason };
  if (entry.slowChecks >= MAX_TIMEOUTS)
    return { kind: "skipped", reason: "checking its arguments took too long before" };
  const outcome = runWithin(JUDGE_TIME, () => state.compiled.judge(args));
  switch (outcome.kind) {
    case "timeout":
      entry.slowChecks++;
      return { kind: "skipped", reason: `checking its arguments took longer than ${JUDGE_TIME} ms` };
    case "threw":
      return { kind: "skipped", reason: `checking its arguments failed: ${clip(messageOf(outcome.error), 200)}` };
    case "done":
      if (outcome.value === undefined) return { kind: "valid" };
      return { kind: "invalid", ...explain(entry, state, tool, args, outcome.value) };
  }
}

/** Says what is wrong. When finding all of it takes too long, only the rule that was broken first. */
function explain(
  entry: Entry,
  { schema, compiled }: Compiled,
  tool: Tool,
  args: unknown,
  broken: BrokenRule,
): { message: string; problems: readonly Explanation[] } {
  const outcome =
    entry.slowExplanations < MAX_TIMEOUTS
      ? runWithin(EXPLAIN_TIME, () => reportFindings(compiled.explain(args), args, schema))
      : undefined;
  if (outcome?.kind === "timeout") entry.slowExplanations++;
  const report = outcome?.kind === "done" ? outcome.value : { problems: [], more: 0 };
  const problems = report.problems.length > 0 ? report.problems : [explainRule(broken, args)];
  const more =
    report.more === 0 ? "" : ` There ${report.more === 1 ? "is 1 more problem" : `are ${report.more} more problems`}.`;
  const told = problems.map(({ message }) => message).join(" ");
  return { message: `${toolExpression(tool)} was not called: ${told}${more}`, problems };
}
