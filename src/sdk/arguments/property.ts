import { isRecord } from "../json-record.ts";
import type { Finding } from "./compile.ts";
import { typeWords } from "./type-words.ts";
import { likeliest, listNames, propertyName } from "./words.ts";

/** The property that a finding about an object is about: it is missing, too much, or has a wrong name. */
export function propertyAt({ params }: Finding): string | undefined {
  const name = params["propertyName"] ?? params["missingProperty"] ?? params["additionalProperty"];
  return typeof name === "string" ? name : undefined;
}

/** The rest of a sentence that begins with a property that is missing or too much. */
export function ruleOfProperty(finding: Finding, name: string, root: unknown): string {
  const { keyword, params } = finding;
  if (keyword === "dependentRequired") {
    return `is missing (required beside ${propertyName(String(params["property"]))}).`;
  }
  if (keyword === "required") return ruleOfMissing(finding, name, root);
  const meant = meantProperty(finding);
  if (meant !== undefined) return `is not allowed. Did you mean ${propertyName(meant)}?`;
  const known = knownProperties(finding);
  return known.length === 0 ? "is not allowed." : `is not allowed, only ${listNames(known)}.`;
}

function ruleOfMissing(finding: Finding, name: string, root: unknown): string {
  const { around, value } = finding;
  const properties = around["properties"];
  const schema = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : true;
  const type = typeWords(schema, root);
  const known = new Set(knownProperties(finding));
  const unknown = isRecord(value) ? Object.keys(value).filter((given) => !known.has(given)) : [];
  const given = likeliest(name, unknown);
  const hint = given === undefined ? "" : ` Did you write ${propertyName(given)} for it?`;
  return `is missing (required${type === "" ? "" : `, ${type}`}).${hint}`;
}

/** The property that a name which is not allowed most likely stands for: one that the object lacks. */
export function meantProperty(finding: Finding): string | undefined {
  const { value } = finding;
  const lacking = knownProperties(finding).filter((name) => !(isRecord(value) && Object.hasOwn(value, name)));
  return likeliest(finding.params["additionalProperty"], lacking);
}

function knownProperties({ around }: Finding): readonly string[] {
  return isRecord(around["properties"]) ? Object.keys(around["properties"]) : [];
}
