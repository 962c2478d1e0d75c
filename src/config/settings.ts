import { NamiError } from "../errors.ts";
import type { LimitSetting } from "./config.ts";
import type { KeyPath, Source } from "./source.ts";

/** What the file says besides servers. */
export interface Settings {
  readonly limits: readonly LimitSetting[];
}

const KEYS = ["servers", "limits"];

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
  return {
    limits: Object.entries(limits).map(([name, limit]) => ({
      name,
      value: typeof limit === "number" ? limit : fail(["limits", name], "must be a number."),
      place: place(["limits", name]),
    })),
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Holds since the line above leaves only objects.
  return value as Readonly<Record<string, unknown>>;
}
