import { chooseBranches } from "./branches.ts";
import type { Finding } from "./compile.ts";
import { type Explanation, explainFinding } from "./message.ts";
import { meantProperty, propertyAt } from "./property.ts";

/** Problems that are told: more at once are not read. */
export const MAX_TOLD = 5;
/** Characters that all problems take together, at most, unless the first is longer: about 150 tokens. */
const TOLD_LENGTH = 560;

/** What is told of what was found, and how much there is. */
export interface Report {
  readonly problems: readonly Explanation[];
  /** Problems that are not in the list. */
  readonly more: number;
}

/**
 * Turns all that is wrong with some arguments into a few sentences: one branch instead of all, one rule for a value instead of
 * several that say the same, mistakes that explain others first.
 */
export function reportFindings(findings: readonly Finding[], args: unknown, root: unknown): Report {
  const chosen = withoutEchoes(chooseBranches(findings));
  const told: Explanation[] = [];
  const known = new Set<string>();
  let length = 0;
  let more = 0;
  for (const finding of chosen.toSorted((a, b) => rank(a) - rank(b))) {
    const explained = told.length < MAX_TOLD ? explainFinding(finding, args, root) : undefined;
    if (explained && known.has(explained.message)) continue;
    if (explained === undefined || (told.length > 0 && length + explained.message.length > TOLD_LENGTH)) {
      more++;
      continue;
    }
    known.add(explained.message);
    told.push(explained);
    length += explained.message.length;
  }
  return { problems: told, more };
}

/** Leaves out what only repeats another finding. */
function withoutEchoes(findings: readonly Finding[]): readonly Finding[] {
  const types = new Set(findings.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer));
  const listed = new Set(
    findings.filter(({ keyword }) => keyword === "enum" || keyword === "const").map(({ pointer }) => pointer),
  );
  const misspelt = new Set(findings.flatMap(missingByMistake));
  const rest = findings.filter((finding) => {
    const { keyword, pointer } = finding;
    // `then` and `else` speak for themselves; a name has its own finding.
    if (keyword === "if" || keyword === "propertyNames") return false;
    if (keyword === "type") return !listed.has(pointer);
    if (keyword === "required") return !misspelt.has(`${pointer}/${propertyAt(finding)}`);
    return keyword === "enum" || keyword === "const" || !types.has(pointer);
  });
  return rest.length > 0 ? rest : findings;
}

/** The property that is missing because it is there under a name that is not allowed. */
function missingByMistake(finding: Finding): string[] {
  const meant = finding.keyword === "additionalProperties" ? meantProperty(finding) : undefined;
  return meant === undefined ? [] : [`${finding.pointer}/${meant}`];
}

/** Lower is told first: wrong names, missing values, wrong values, then what only says that something is wrong. */
function rank({ keyword }: Finding): number {
  if (keyword === "additionalProperties") return 0;
  if (keyword === "required") return 1;
  return keyword === "not" || keyword === "anyOf" || keyword === "oneOf" || keyword === "if" ? 3 : 2;
}
