import type { Tool } from "../catalog/tool.ts";
import { estimateTokens } from "../output/tokens.ts";

/**
 * What the tools would cost in every request as ordinary definitions, in tokens: an estimate, since each endpoint renders
 * them in its own way. Counted is the compact JSON of Chat Completions (`function` with name, description, parameters).
 */
export async function directDefinitionTokens(tools: readonly Tool[]): Promise<number> {
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  return await estimateTokens(JSON.stringify(definitions));
}
