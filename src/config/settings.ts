import * as z from "zod";
import { NamiError } from "../errors.ts";
import type { LimitSetting, RuleSetting, SandboxSettings } from "./config.ts";
import { parseRules } from "./rules.ts";
import type { KeyPath, Source } from "./source.ts";

/** What the file says besides servers. */
export interface Settings {
  readonly limits: readonly LimitSetting[];
  readonly sandbox: SandboxSettings;
  readonly rules: readonly RuleSetting[];
}

const KEYS = ["servers", "limits", "sandbox", "rules"];

const SANDBOX = z.strictObject({
  engine: z.enum(["auto", "isolated-vm", "quickjs"]).exactOptional(),
  wrap: z.union([z.literal("bwrap"), z.array(z.string().min(1)).min(1)]).exactOptional(),
});

/** Reads the keys at the top. Throws `CONFIG_INVALID` with the place for what would be ignored or misunderstood. */
export function parseSettings({ value, place }: Source): Settings {
  const fail = (path: KeyPath, what: string): never => {
    throw new NamiError("CONFIG_INVALID", `${place(path)}: ${what}`);
  };
  const top = asObject(value) ?? fail([], 'the top level must be an object: { "servers": { … } }.');
  for (const key of Object.keys(top)) {
    if (KEYS.includes(key)) continue;
    const rename = /servers?$/i.test(key) ? 'Rename it to "servers".' : `Known keys: ${KEYS.join(", ")}.`;
    fail([key], `unknown key "${key}". ${rename}`);
  }
  const limits = asObject(top["limits"] ?? {}) ?? fail(["limits"], 'must be an object: { "calls": 2000 }.');
  const sandbox = SANDBOX.safeParse(top["sandbox"] ?? {});
  if (!sandbox.success) return fail(["sandbox"], explainSandbox(sandbox.error));
  return {
    limits: Object.entries(limits).map(([name, limit]) => ({
      name,
      value: typeof limit === "number" ? limit : fail(["limits", name], "must be a number."),
      place: place(["limits", name]),
    })),
    sandbox: sandbox.data,
    rules: parseRules({ value: top["rules"], place }, Object.keys(asObject(top["servers"]) ?? {})),
  };
}

function explainSandbox(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === "unrecognized_keys") return `unknown key "${issue.keys[0]}". Known keys: engine, wrap.`;
  return issue?.path[0] === "engine"
    ? '"engine" must be "auto", "isolated-vm" or "quickjs".'
    : '"wrap" must be "bwrap", or a command as a list of texts that is put in front of the sandbox\'s process.';
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Holds since the line above leaves only objects.
  return value as Readonly<Record<string, unknown>>;
}
