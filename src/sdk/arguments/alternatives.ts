import { allowedValues, isAmbiguous } from "./branches.ts";
import type { Finding } from "./compile.ts";
import { propertyAt } from "./property.ts";
import { article } from "./type-words.ts";
import { describeValue, joinWords, likeliest, listValues, literal, propertyName } from "./words.ts";

/** The rest of a sentence about a value that fits no branch of `anyOf` or `oneOf`, or more than one. */
export function ruleOfAlternatives(finding: Finding): string {
  const { branches, value, params } = finding;
  if (isAmbiguous(finding)) {
    const numbers = [params["passing"] ?? []].flat().map((index) => String(Number(index) + 1));
    return `must fit exactly one of ${branches.length} alternatives, but fits numbers ${joinWords(numbers, "and")}.`;
  }
  const missing = branches.map((branch) =>
    branch.flatMap((found) => (found.keyword === "required" ? (propertyAt(found) ?? []) : [])),
  );
  if (missing.every((names) => names.length > 0)) {
    return `must have ${joinWords(missing.slice(0, 6).map((names) => joinWords(names.map(propertyName), "and")))}.`;
  }
  const whole = branches.flatMap((branch) => wholes(branch, finding.pointer));
  const values = [...new Set(whole.flatMap(allowedValues))];
  const types = whole.flatMap(({ keyword, demand }) => (keyword === "type" ? [demand].flat() : []));
  if (types.length === 0)
    return values.length === 0 ? "fits no alternative that is allowed." : mustBeOneOf(values, value);
  const kinds = [...new Set(types)].map(article);
  if (values.length > 0) kinds.push(values.length === 1 ? literal(values[0]) : `one of ${listValues(values)}`);
  return `must be ${joinWords(kinds)}, but is ${describeValue(value)}.`;
}

/** What the value as a whole must be by one branch: of a value and its type, the value. */
function wholes(branch: readonly Finding[], pointer: string): readonly Finding[] {
  const found = branch
    .filter((inner) => inner.pointer === pointer)
    .flatMap((inner) => (inner.branches.length > 0 ? inner.branches.flatMap((b) => wholes(b, pointer)) : [inner]));
  const listed = found.filter((inner) => allowedValues(inner).length > 0);
  return listed.length > 0 ? listed : found;
}

/** The rest of a sentence about a value that is none of those that are listed. */
export function mustBeOneOf(values: readonly unknown[], value: unknown): string {
  const allowed = values.length === 1 ? literal(values[0]) : `one of ${listValues(values)}`;
  const meant = likeliest(value, values);
  const hint = meant === undefined || values.length === 1 ? "" : ` Did you mean ${literal(meant)}?`;
  return `must be ${allowed}, but is ${describeValue(value)}.${hint}`;
}
