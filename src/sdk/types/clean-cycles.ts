import { type CleanSchema, UNKNOWN } from "./clean-schema.ts";

/** Definitions that stand for one another, one after the other, before the rest counts as a circle. */
const LONGEST_CHAIN = 64;

/**
 * TypeScript refuses a type that is only itself (`type A = A | string`), which breaks the whole file. Such references,
 * with no object or list in between, become `unknown`. Gives the names of the definitions that had one.
 */
export function breakAliasCycles(definitions: Map<string, CleanSchema>): string[] {
  const broken: string[] = [];
  const finished = new Set<string>();
  const visit = (name: string, open: ReadonlySet<string>): void => {
    const schema = definitions.get(name);
    if (schema === undefined || finished.has(name)) return;
    const within = new Set([...open, name]);
    const rewrite = (node: CleanSchema): CleanSchema => {
      const leadsBack = node.tsType !== undefined && within.has(node.tsType);
      if (leadsBack || (node.tsType !== undefined && definitions.has(node.tsType) && within.size > LONGEST_CHAIN)) {
        broken.push(name);
        return UNKNOWN;
      }
      if (node.tsType !== undefined) visit(node.tsType, within);
      return {
        ...node,
        ...(node.anyOf && { anyOf: node.anyOf.map(rewrite) }),
        ...(node.allOf && { allOf: node.allOf.map(rewrite) }),
      };
    };
    definitions.set(name, rewrite(schema));
    finished.add(name);
  };
  for (const name of definitions.keys()) visit(name, new Set());
  return broken;
}
