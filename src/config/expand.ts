import type { Environment } from "./paths.ts";

/** A variable that a text took its value from. */
export interface UsedVariable {
  readonly name: string;
  readonly value: string;
}

/** What a text became, or the variable that it needs and that is not set. */
export type Expansion =
  | { readonly kind: "text"; readonly text: string; readonly used: readonly UsedVariable[] }
  | { readonly kind: "unset"; readonly variable: string };

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${VAR}` and `${VAR:-default}` by the environment's value. An empty variable takes the default, as in a shell.
 * A variable that is not set and has no default is reported, never sent literally. `$VAR` without braces stays as it is.
 */
export function expand(text: string, environment: Environment): Expansion {
  const used: UsedVariable[] = [];
  let unset: string | undefined;
  const expanded = text.replace(VARIABLE, (_match, name: string, fallback: string | undefined) => {
    const value = environment[name];
    if (value === undefined && fallback === undefined) unset ??= name;
    const result = fallback === undefined ? (value ?? "") : value || fallback;
    used.push({ name, value: result });
    return result;
  });
  return unset === undefined ? { kind: "text", text: expanded, used } : { kind: "unset", variable: unset };
}
