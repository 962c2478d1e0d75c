import { join } from "node:path";
import type { ArgumentTest, RuleCondition, Scalar } from "./config.ts";
import type { KeyPath } from "./source.ts";

type Fail = (path: KeyPath, what: string) => never;

const WORDS = ["under", "in", "is", "below", "above", "atMost", "atLeast", "matches", "absent"] as const;

/** Reads `when`: one condition for each word of each argument. `fail` is given the key path below `when`. */
export function parseConditions(when: unknown, home: string, fail: Fail): readonly RuleCondition[] {
  if (when === undefined) return [];
  const entries = entriesOf(when) ?? fail([], 'must be an object: { "path": { "under": "/home/me/notes" } }.');
  if (entries.length === 0) fail([], "must name an argument. Remove it to have no conditions.");
  return entries.flatMap(([argument, words]) => {
    const steps = parseSteps(argument) ?? fail([argument], PATHS);
    const tests = entriesOf(words) ?? fail([argument], `must be an object of conditions. ${KNOWN}`);
    if (tests.length === 0) fail([argument], `must have a condition. ${KNOWN}`);
    return tests.map(([word, value]) => ({
      argument,
      steps,
      test: parseTest(word, value, home, (what) => fail([argument, word], what)),
    }));
  });
}

const KNOWN = `Known conditions: ${WORDS.join(", ")}.`;
const PATHS =
  'is not the path of an argument. Write path, issue.repo or files[].path ("[]" is each element of a list).';

/** The steps of an argument path; `[]` is each element. */
function parseSteps(argument: string): readonly string[] | undefined {
  const steps = argument.split(".").flatMap((part) => {
    const [name = "", ...elements] = part.split("[]");
    return [name, ...elements.map((rest) => (rest === "" ? "[]" : ""))];
  });
  return steps.every((step) => step === "[]" || (step !== "" && !/[[\]]/.test(step))) ? steps : undefined;
}

function parseTest(word: string, value: unknown, home: string, fail: (what: string) => never): ArgumentTest {
  switch (word) {
    case "under":
      return { kind: "under", folder: parseFolder(value, home) ?? fail(FOLDERS) };
    case "is":
      return { kind: "in", values: [isScalar(value) ? value : fail("must be a text, a number, true, false or null.")] };
    case "in":
      if (Array.isArray(value) && value.length > 0 && value.every(isScalar)) return { kind: "in", values: value };
      return fail("must be a list of texts, numbers, true, false or null.");
    case "below":
    case "above":
    case "atMost":
    case "atLeast":
      return { kind: word, limit: typeof value === "number" ? value : fail("must be a number.") };
    case "matches":
      return { kind: "matches", glob: typeof value === "string" && value !== "" ? value : fail(GLOBS) };
    case "absent":
      return value === true ? { kind: "absent" } : fail("must be true: the argument is not given.");
    default:
      return fail(`unknown condition "${word}". ${KNOWN}`);
  }
}

const GLOBS =
  'must be a text in which * stands for any characters: "feature/*". It is held against the whole argument.';
const FOLDERS = 'must be the absolute path of a folder without "..": "/home/me/notes", "~/notes" or "C:\\\\notes".';

/** An absolute folder with `/` between its parts and none at its end. */
function parseFolder(value: unknown, home: string): string | undefined {
  if (typeof value !== "string") return undefined;
  const whole = value === "~" || value.startsWith("~/") ? join(home, value.slice(1)) : value;
  const isWindows = /^[A-Za-z]:[\\/]/.test(whole);
  const parts = (isWindows ? whole.replaceAll("\\", "/") : whole).split("/");
  if (!(isWindows || whole.startsWith("/")) || parts.includes("..")) return undefined;
  const [first = "", ...rest] = parts;
  return [first, ...rest.filter((part) => part !== "" && part !== ".")].join("/");
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function entriesOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}
