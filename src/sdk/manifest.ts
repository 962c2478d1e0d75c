import type { ToolDeclaration } from "./declare.ts";
import { isNestedDeeper, MAX_JSON_DEPTH } from "./json-record.ts";
import { signatureLine } from "./signature.ts";
import { withoutMoments } from "./types/moment.ts";

/** One tool in `manifest.json`. */
export interface ManifestEntry {
  readonly server: string;
  readonly tool: string;
  readonly namespace: string;
  readonly member: string;
  /** The declarations to reference. */
  readonly file: string;
  /** Type expressions that hold where the file is referenced. */
  readonly inputType: string;
  readonly outputType?: string;
  /** Whether the server declares the result, or its type was observed in results. */
  readonly output: "declared" | "learned" | "none";
  /** Sizes in tokens of o200k_base. */
  readonly tokens: {
    /** The definition as a chat model's API takes it, without defaults that differ at every start. */
    readonly raw: number;
    /** The declarations of the tool. */
    readonly full: number;
    /** The signature line. */
    readonly line: number;
  };
}

/** Counts tokens. */
export type CountTokens = (text: string) => number;

/** Loads the counter: its table takes 50 MB and a fifth of a second, so only what writes a manifest loads it. */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Otherwise the tokenizer throws on a text that spells a control token.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    const parts = MAY_HAVE_LONG_RUN.test(text) ? text.split(LONG_RUN) : [text];
    return parts.reduce((sum, part) => sum + countTokens(part, options), 0);
  };
}

/**
 * Runs that the tokenizer keeps together. Its time grows with the square of their length, so they are cut; the words of a
 * language are shorter.
 */
const LONG_RUN = /(\s{128}|[\p{L}\p{M}]{128}|[^\s\p{L}\p{N}]{128})/u;
const MAY_HAVE_LONG_RUN = /\S{128}|\s{128}/;

/** The manifest's line about one tool. */
export function manifestEntry(declaration: ToolDeclaration, file: string, count: CountTokens): ManifestEntry {
  const { tool, inputType, outputType, output, text, observed } = declaration;
  const { name, description, inputSchema } = tool;
  const parameters = isNestedDeeper(inputSchema, MAX_JSON_DEPTH) ? {} : withoutMoments(inputSchema);
  return {
    server: tool.server,
    tool: name,
    namespace: tool.namespace,
    member: tool.member,
    file,
    inputType,
    ...(outputType !== undefined && { outputType }),
    output,
    tokens: {
      raw: count(JSON.stringify({ type: "function", function: { name, description, parameters } })),
      full: count(text),
      line: count(signatureLine(tool, observed)),
    },
  };
}
