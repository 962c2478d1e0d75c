import type { Catalog } from "../../catalog/catalog.ts";
import type { Tool } from "../../catalog/tool.ts";
import { toolExpression } from "../signature.ts";

/** A tool that is asked for by name, or a part of it. */
export interface ViewRequest {
  /** Usually one; all when the name fits several. */
  readonly tools: readonly Tool[];
  /** Such as `args.body.fields`: not checked yet. */
  readonly path?: string;
}

/** Where a path may begin behind a name. */
const PATH_BEGINS = /\s+(?=(?:args|result)(?![\w$]))/g;

/**
 * Reads `server.tool`, or `server.tool args.body.fields`: names may hold blanks, dots and slashes, so the longest beginning
 * that is a name wins. Names as a snippet writes them (`server["odd-name"]`) count too. Undefined when no tool is named.
 */
export function findRequest(query: string, catalog: Catalog): ViewRequest | undefined {
  const text = query.trim();
  const whole = namedTools(text, catalog);
  if (whole.length > 0) return { tools: whole };
  for (const { index, 0: blanks } of [...text.matchAll(PATH_BEGINS)].reverse()) {
    const tools = namedTools(text.slice(0, index), catalog);
    if (tools.length > 0) return { tools, path: text.slice(index + blanks.length) };
  }
  return undefined;
}

function namedTools(name: string, catalog: Catalog): readonly Tool[] {
  const named = catalog.named(name);
  return named.length > 0 ? named : catalog.tools.filter((tool) => toolExpression(tool) === name);
}
