import { isRecord } from "../json-record.ts";
import { joinWords, listValues, literal } from "./words.ts";

const ARTICLES: ReadonlyMap<unknown, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "an integer"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "an array"],
]);

/** A type of JSON Schema within a sentence. */
export function article(type: unknown): string {
  return ARTICLES.get(type) ?? String(type);
}

/** The type of a schema in few words, empty when it says none. */
export function typeWords(schema: unknown, root: unknown, depth = 0): string {
  if (!isRecord(schema) || depth > 3) return "";
  const { type, anyOf, oneOf, $ref } = schema;
  if ("const" in schema) return literal(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return schema["enum"].length === 1 ? literal(schema["enum"][0]) : `one of ${listValues(schema["enum"], 6)}`;
  if (type === "array") {
    const item = typeWords(schema["items"], root, depth + 1);
    return item === "" || item.includes(" ") ? "array" : `array of ${item}`;
  }
  if (type !== undefined) return joinWords([type].flat().map(String));
  const branches = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(branches)) {
    const kinds = branches.slice(0, 6).map((branch) => typeWords(branch, root, depth + 1));
    return kinds.includes("") ? "" : joinWords([...new Set(kinds)]);
  }
  const definitions = isRecord(root) ? root["$defs"] : undefined;
  const name = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : "";
  return isRecord(definitions) ? typeWords(definitions[name], root, depth + 1) : "";
}
