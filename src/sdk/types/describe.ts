import { commentText } from "../doc-comment.ts";
import { isRecord, type JsonRecord } from "../json-record.ts";
import { isOfTheMoment } from "./moment.ts";

/**
 * What a type cannot say about a value, as the text of a JSDoc comment: the description, then a tag a line for default and
 * constraints. Of the form "this or null" the description and tags of "this" count too, since TypeScript shows no comment
 * inside a union; for the same reason the items of a list are described with the list.
 */
export function describeSchema(schema: JsonRecord): string {
  const branch = onlyBranch(schema);
  const text = textOf(schema) || (branch && textOf(branch)) || "";
  const tags = new Set([...tagsOf(schema), ...(branch ? tagsOf(branch) : [])]);
  return [text, describeItems(schema) ?? (branch && describeItems(branch)), ...tags].filter(Boolean).join("\n");
}

function textOf(schema: JsonRecord): string {
  return typeof schema["description"] === "string" ? commentText(schema["description"]) : "";
}

function onlyBranch(schema: JsonRecord): JsonRecord | undefined {
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const [only, ...others] = branches.filter((branch) => isRecord(branch) && branch["type"] !== "null");
    if (only !== undefined && others.length === 0) return only;
  }
  return undefined;
}

function describeItems(schema: JsonRecord): string | undefined {
  const { items } = schema;
  if (!isRecord(items)) return undefined;
  const text = textOf(items);
  const tags = tagsOf(items).map((tag) => tag.slice(1));
  if (text === "" && tags.length === 0) return undefined;
  return `Items: ${[text, tags.length > 0 ? `(${tags.join(", ")})` : ""].filter(Boolean).join(" ")}`;
}

/** Keywords that become tags, in this order. Draft 4 writes the exclusive ones as booleans. */
const CONSTRAINTS = [
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
];

/** Longest value of a tag, in characters. */
const TAG_LENGTH = 200;

function tagsOf(schema: JsonRecord): string[] {
  const tags: string[] = [];
  if (schema["deprecated"] === true) tags.push("@deprecated");
  if ([schema["type"]].flat().includes("integer")) tags.push("@integer");
  if ("default" in schema && !isOfTheMoment(schema["default"])) tags.push(...tag("default", schema["default"]));
  for (const keyword of CONSTRAINTS) {
    const value = schema[keyword];
    if (typeof value === "string") tags.push(...tag(keyword, commentText(value).replace(/\s+/g, " ")));
    else if (typeof value === "number") tags.push(`@${keyword} ${value}`);
    else if (value === true) tags.push(`@${keyword}`);
  }
  return tags;
}

/** One tag, or none when its value is too long to be of use. */
function tag(name: string, value: unknown): string[] {
  const text = typeof value === "string" && name !== "default" ? value : commentText(JSON.stringify(value) ?? "");
  return text === "" || text.length > TAG_LENGTH ? [] : [`@${name} ${text}`];
}
