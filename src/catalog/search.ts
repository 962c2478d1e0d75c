import MiniSearch from "minisearch";
import type { Catalog } from "./catalog.ts";
import type { JsonSchema, Tool } from "./tool.ts";

/** Finds tools by words. */
export interface ToolSearch {
  /** The best matches first, at most `limit`. An empty query gives the first tools in order. */
  search(query: string, limit: number): Tool[];
}

/**
 * An index over names, titles, descriptions and argument names. Identifiers are split at case and separators, words
 * match by prefix and with a typing mistake; scripts without spaces are indexed by character pairs.
 */
export function createSearch(catalog: Catalog): ToolSearch {
  const index = new MiniSearch<SearchDocument>({
    idField: "id",
    fields: ["name", "server", "title", "description", "parameters"],
    tokenize: searchWords,
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 4, title: 2, server: 2, parameters: 1 },
      prefix: (term) => term.length >= 3,
      fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
    },
  });
  index.addAll(catalog.tools.map(toDocument));
  return {
    search: (query, limit) => {
      if (query.trim() === "") return catalog.tools.slice(0, limit);
      const exact = catalog.find(query.trim());
      const found = index.search(query).flatMap(({ id }) => catalog.tools[Number(id)] ?? []);
      return [...new Set(exact ? [exact, ...found] : found)].slice(0, limit);
    },
  };
}

interface SearchDocument {
  /** The tool's place in the catalog: refs may be equal. */
  readonly id: number;
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

/** Characters of a description that are indexed: the rest is examples and small print (the longest seen has 40,326). */
const INDEXED_DESCRIPTION = 2000;

function toDocument(tool: Tool, id: number): SearchDocument {
  return {
    id,
    name: tool.name,
    server: tool.server,
    title: tool.title ?? "",
    description: (tool.description ?? "").slice(0, INDEXED_DESCRIPTION),
    parameters: propertyNames(tool.inputSchema).join(" "),
  };
}

function propertyNames(schema: JsonSchema): string[] {
  const properties = typeof schema === "object" ? schema["properties"] : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

/** Words as they are indexed and searched: lower case, identifiers split, plural endings dropped, pairs for CJK. */
function searchWords(text: string): string[] {
  const words: string[] = [];
  const split = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase();
  for (const [word] of split.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word)) {
      const characters = [...word];
      for (let i = 0; i < Math.max(1, characters.length - 1); i++) words.push(characters.slice(i, i + 2).join(""));
    } else if (!STOP_WORDS.has(word)) {
      words.push(word.length > 3 ? word.replace(/ies$/, "y").replace(/([^s])s$/, "$1") : word);
    }
  }
  return words;
}

/** Words of a task that say nothing about a tool. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from in is it of on or the this that to with all any me my".split(" "),
);
