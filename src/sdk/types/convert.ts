import { createHash } from "node:crypto";
import type { compile } from "json-schema-to-typescript";
import type { JsonSchema } from "../../catalog/tool.ts";
import { escapeInvisible } from "../../catalog/visible-text.ts";
import { messageOf } from "../../errors.ts";
import { docComment } from "../doc-comment.ts";
import { isNestedDeeper, MAX_JSON_DEPTH } from "../json-record.ts";
import { unmarkNames } from "../property-names.ts";
import { type CleanedSchema, cleanSchema, ROOT_NAMES, type SchemaProblem, type Side } from "./clean.ts";
import type { CleanSchema } from "./clean-schema.ts";
import { markOptionalItems, unmarkOptionalItems } from "./clean-tuples.ts";
import { layOut } from "./layout.ts";

/** A schema as TypeScript. */
export interface ConvertedSchema {
  /** A type expression, of several lines as a rule; it may use the names of `declarations`. */
  readonly type: string;
  /** Named types (`type Issue = …;`), for a namespace of their own. */
  readonly declarations: readonly string[];
  readonly problems: readonly SchemaProblem[];
  readonly cleaned: CleanedSchema;
}

/**
 * Converts a schema with json-schema-to-typescript. Never throws, never reads a file or the network: what cannot be converted
 * is `unknown` and a problem. Equal schemas are converted once per process (the last 5,000 are kept).
 */
export function convertSchema(schema: JsonSchema, side: Side, entry = "#"): Promise<ConvertedSchema> {
  if (isNestedDeeper(schema, MAX_JSON_DEPTH)) return convert(cleanSchema(schema, side, entry), side);
  const key = createHash("sha256")
    .update(`${side} ${entry} ${JSON.stringify(schema)}`)
    .digest("base64");
  const known = converted.get(key);
  if (known) return known;
  const fresh = convert(cleanSchema(schema, side, entry), side);
  converted.set(key, fresh);
  const [oldest] = converted.keys();
  if (converted.size > KEPT && oldest !== undefined) converted.delete(oldest);
  return fresh;
}

const KEPT = 5000;
const converted = new Map<string, Promise<ConvertedSchema>>();

async function convert(cleaned: CleanedSchema, side: Side): Promise<ConvertedSchema> {
  const problems = [...cleaned.problems];
  const rootName = ROOT_NAMES[side];
  const print = async (name: string, schema: CleanSchema): Promise<string> => {
    try {
      return await printType(schema);
    } catch (error) {
      problems.push({ pointer: "#", problem: `json-schema-to-typescript failed on ${name}: ${messageOf(error)}` });
      return "unknown";
    }
  };
  if (cleaned.definitions.size === 0) {
    return { type: await print(rootName, cleaned.root), declarations: [], problems, cleaned };
  }
  const declarations: string[] = [];
  for (const [name, schema] of new Map([...cleaned.definitions, [rootName, cleaned.root]])) {
    declarations.push(`${docComment(schema.description ?? "", 0)}type ${name} = ${await print(name, schema)};`);
  }
  return { type: rootName, declarations, problems, cleaned };
}

/**
 * Options under which types came out exact on 4,957 tools: closed unless open, `unknown` rather than `any`, lists rather
 * than tuples for lengths, and no way to a file or a network.
 */
const OPTIONS = {
  bannerComment: "",
  additionalProperties: false,
  unknownAny: true,
  format: false,
  ignoreMinAndMaxItems: true,
  strictIndexSignatures: false,
  enableConstEnums: false,
  unreachableDefinitions: false,
  $refOptions: { resolve: { external: false, http: false, file: false } },
} as const satisfies Parameters<typeof compile>[2];

/** The declaration that was asked for; of a list whose items are described it comes with a comment. */
const ROOT = /^\s*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?export (?:interface Root |type Root = )([\s\S]*)$/;

async function printType(schema: CleanSchema): Promise<string> {
  if (schema.tsType !== undefined) return escapeInvisible(schema.tsType);
  // Loaded when first needed: it takes a tenth of a second.
  const { compile } = await import("json-schema-to-typescript");
  const { description: _, ...undescribed } = schema;
  // Holds since CleanSchema is a part of JSON Schema; it differs in being read-only.
  const text = await compile(markOptionalItems(undescribed) as Parameters<typeof compile>[0], "Root", OPTIONS);
  const [, type = ""] = ROOT.exec(text) ?? [];
  if (type === "" || /^export (?:interface|type|const enum|enum) /m.test(type)) throw new Error("unexpected output");
  return escapeInvisible(unmarkNames(unmarkOptionalItems(layOut(type))));
}
