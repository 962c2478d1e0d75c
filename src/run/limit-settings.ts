import { DEFAULT_LIMITS, type Limits } from "../../sandbox/index.ts";
import { nearest } from "../catalog/nearest.ts";
import type { LimitSetting } from "../config/config.ts";
import { NamiError } from "../errors.ts";

/** Limits as a person set them, by name. Throws `CONFIG_INVALID` with the place for a name or a value that is none. */
export function readLimits(settings: readonly LimitSetting[]): Partial<Limits> {
  const limits: { -readonly [Name in keyof Limits]?: number } = {};
  for (const { name, value, place } of settings) {
    if (!isLimit(name))
      throw new NamiError("CONFIG_INVALID", `${place}: there is no limit "${name}". ${hintFor(name)}`);
    if (!(value > 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw new NamiError("CONFIG_INVALID", `${place}: must be a number above zero, not ${value}.`);
    }
    limits[name] = value;
  }
  return limits;
}

/** The names of all limits, with their defaults. */
export const LIMIT_DEFAULTS: Readonly<Limits> = DEFAULT_LIMITS;

const isLimit = (name: string): name is keyof Limits => Object.hasOwn(DEFAULT_LIMITS, name);

function hintFor(name: string): string {
  const names = Object.keys(DEFAULT_LIMITS);
  const [near] = nearest(name, names);
  return near === undefined ? `Limits: ${names.join(", ")}.` : `Did you mean "${near}"?`;
}
