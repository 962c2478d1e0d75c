import type { Finding } from "./compile.ts";

/**
 * Puts in the place of a failed `anyOf` or `oneOf` what is wrong with the branch that was most likely meant. Where no branch
 * fits even by type, or nothing tells them apart, the finding stays, for a message about all of them.
 */
export function chooseBranches(findings: readonly Finding[]): readonly Finding[] {
  return findings.flatMap(chooseBranch);
}

/** Findings that say what a value as a whole may be. */
const WHOLE: ReadonlySet<string> = new Set(["type", "enum", "const", "anyOf", "oneOf", "false schema"]);

function chooseBranch(finding: Finding): readonly Finding[] {
  if (finding.branches.length === 0 || isAmbiguous(finding)) return [finding];
  const branches = finding.branches.map((branch) =>
    chooseBranches(branch.map((found) => ({ ...found, pointer: `${finding.pointer}${found.pointer}` }))),
  );
  const fitting = branches.filter((branch) => !branch.some((found) => isWhole(found) && isAt(found, finding)));
  if (fitting.length === 0) return [{ ...finding, branches }];
  const agreeing = fitting.filter((branch) => labels(branch, finding).length === 0);
  if (agreeing.length === 0) return sharedLabel(fitting, finding) ?? fewest(fitting);
  if (agreeing.length > 1 && agreeing.every((branch) => branch.every((found) => isMissing(found, finding)))) {
    return [{ ...finding, branches: agreeing }];
  }
  return fewest(agreeing);
}

/** Whether a value fits more branches of `oneOf` than one. */
export function isAmbiguous({ params }: Finding): boolean {
  return Array.isArray(params["passing"]) && params["passing"].length > 1;
}

/** Values that a label may have, if this is about one: a property with a fixed value tells branches apart. */
export function allowedValues({ keyword, demand }: Finding): readonly unknown[] {
  if (keyword === "const") return [demand];
  return keyword === "enum" && Array.isArray(demand) ? demand : [];
}

/** The labels that speak against a branch. */
function labels(branch: readonly Finding[], { pointer }: Finding): readonly Finding[] {
  const depth = pointer.split("/").length + 1;
  return branch.filter((found) => allowedValues(found).length > 0 && found.pointer.split("/").length === depth);
}

/** When one label speaks against every branch: one finding with the values that it may have. */
function sharedLabel(branches: readonly (readonly Finding[])[], finding: Finding): readonly Finding[] | undefined {
  const found = branches.map((branch) => labels(branch, finding)[0]);
  const [first] = found;
  if (first === undefined || found.some((label) => label?.pointer !== first.pointer)) return undefined;
  const demand = [...new Set(found.flatMap((label) => (label ? allowedValues(label) : [])))];
  return [{ ...first, keyword: "enum", demand }];
}

function fewest(branches: readonly (readonly Finding[])[]): readonly Finding[] {
  return branches.reduce((best, branch) => (branch.length < best.length ? branch : best));
}

function isWhole({ keyword, params }: Finding): boolean {
  return WHOLE.has(keyword) && params["propertyName"] === undefined;
}

function isMissing(found: Finding, finding: Finding): boolean {
  return found.keyword === "required" && isAt(found, finding);
}

function isAt(found: Finding, { pointer }: Finding): boolean {
  return found.pointer === pointer;
}
