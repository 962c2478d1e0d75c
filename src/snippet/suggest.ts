import type { Catalog } from "../catalog/catalog.ts";
import { nearest } from "../catalog/nearest.ts";
import type { Tool } from "../catalog/tool.ts";

/** Tools that a wrong name may have meant, best first, at most three: of its namespace, else of all the others. */
export function suggestTools(namespace: string, wanted: string, catalog: Catalog): Tool[] {
  const own = catalog.tools.filter((tool) => tool.namespace === namespace);
  const others = catalog.tools.filter((tool) => tool.namespace !== namespace);
  const exact = (tools: readonly Tool[]): Tool[] => tools.filter((tool) => squash(tool.member) === squash(wanted));
  const searches = [() => exact(own), () => exact(others), () => near(wanted, own), () => near(wanted, others)];
  for (const search of searches) {
    const tools = search();
    if (tools.length > 0) return tools.slice(0, 3);
  }
  return [];
}

/** A name without case and separators. */
const squash = (name: string): string => name.toLowerCase().replace(/[-_\s./]/g, "");

function near(wanted: string, tools: readonly Tool[]): Tool[] {
  const members = nearest(wanted, [...new Set(tools.map((tool) => tool.member))]);
  return members.flatMap((name) => tools.filter((tool) => tool.member === name));
}
