import type { Tool } from "../../catalog/tool.ts";
import { escapeInvisible } from "../../catalog/visible-text.ts";
import { isPlainName } from "../property-names.ts";

/** Longest name that is shown whole, in characters. */
const NAME_LENGTH = 100;

/**
 * Tools by name only, a line for each server in the order in which they first come: `github: create_issue, "odd-name"`. Servers are
 * called as in a snippet.
 */
export function nameLines(tools: readonly Tool[]): string[] {
  return [...byNamespace(tools)].map(([namespace, members]) => {
    return `${namespace}: ${members.map(({ member }) => shortName(member)).join(", ")}`;
  });
}

/** Tools by the namespace of their server, in the order in which they come. */
export function byNamespace(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const group = groups.get(tool.namespace);
    if (group) group.push(tool);
    else groups.set(tool.namespace, [tool]);
  }
  return groups;
}

function shortName(member: string): string {
  const name = member.length <= NAME_LENGTH ? member : `${member.slice(0, NAME_LENGTH).toWellFormed()}…`;
  return isPlainName(name) ? name : escapeInvisible(JSON.stringify(name));
}
