import type { ArgumentTest, RuleCondition, Scalar } from "../../config/config.ts";
import { isUnder } from "./folder.ts";
import { matchesGlob } from "./glob.ts";
import { lookAlike } from "./look-alike.ts";
import { onEvery, type Verdict } from "./verdict.ts";

/** UTF-16 units of a text that is looked at; what a condition says of a longer one is `unknown`. */
export const LONGEST_TEXT = 100_000;

/** Whether a condition holds for these arguments. Never throws: what cannot be read is `unknown`. */
export function holds(condition: RuleCondition, args: unknown): Verdict {
  try {
    return follow(condition.steps, 0, args, condition.test);
  } catch {
    return "unknown";
  }
}

/** Follows own properties only, so that an argument cannot stand for what it inherits. */
function follow(steps: readonly string[], at: number, value: unknown, test: ArgumentTest): Verdict {
  const step = steps[at];
  if (step === undefined) return judge(test, value);
  if (step === "[]") {
    return Array.isArray(value) ? onEvery(value, (element) => follow(steps, at + 1, element, test)) : "unknown";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "unknown";
  if (!Object.hasOwn(value, step)) return test.kind === "absent" ? lacks(value, step) : "unknown";
  return follow(steps, at + 1, Reflect.get(value, step), test);
}

/** A server may take an argument in another spelling for the same. */
const lacks = (args: object, name: string): Verdict =>
  Object.keys(args).some((key) => lookAlike(key) === lookAlike(name)) ? "unknown" : "yes";

function judge(test: ArgumentTest, value: unknown): Verdict {
  if (test.kind === "absent") return "no";
  if (typeof value === "string" && value.length > LONGEST_TEXT) return "unknown";
  switch (test.kind) {
    case "under":
      return typeof value === "string" ? isUnder(test.folder, value) : "unknown";
    case "in":
      return isOneOf(test.values, value);
    case "matches":
      return typeof value === "string" ? fits(test.glob, value) : "unknown";
    case "below":
    case "above":
    case "atMost":
    case "atLeast":
      if (typeof value !== "number" || !Number.isFinite(value)) return "unknown";
      return compare(test.kind, value, test.limit) ? "yes" : "no";
    default:
      return test satisfies never;
  }
}

function isOneOf(values: readonly Scalar[], value: unknown): Verdict {
  if (values.some((known) => known === value)) return "yes";
  return values.every((known) => differs(known, value)) ? "no" : "unknown";
}

/** Whether two values surely mean different things: of one type, and no look-alikes. */
function differs(known: Scalar, value: unknown): boolean {
  if (typeof known === "string" && typeof value === "string") return lookAlike(known) !== lookAlike(value);
  return known !== null && typeof known === typeof value && typeof value !== "object";
}

function fits(glob: string, text: string): Verdict {
  if (matchesGlob(glob, text)) return "yes";
  return matchesGlob(lookAlike(glob), lookAlike(text)) ? "unknown" : "no";
}

function compare(kind: "below" | "above" | "atMost" | "atLeast", value: number, limit: number): boolean {
  switch (kind) {
    case "below":
      return value < limit;
    case "above":
      return value > limit;
    case "atMost":
      return value <= limit;
    case "atLeast":
      return value >= limit;
    default:
      return kind satisfies never;
  }
}
