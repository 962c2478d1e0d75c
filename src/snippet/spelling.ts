import type { Tool } from "../catalog/tool.ts";

/** How a snippet writes a tool: `github.list_issues`, or `everything["get-sum"]` when the name is no identifier. */
export function spell(tool: Tool): string {
  return `${tool.namespace}${member(tool.member)}`;
}

/** How a snippet writes a property after an object: `.name` or `["odd name"]`. */
export function member(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
