import type { Statement } from "oxc-parser";
import { transformSync } from "oxc-transform";
import type { Edits } from "./edits.ts";

/**
 * Replaces the namespaces among these statements by the JavaScript they mean, since oxc (like TypeScript) refuses a
 * namespace inside a function. They are lowered together, at the place of the first, so that those of one name merge.
 */
export function lowerNamespaces(
  body: readonly Statement[],
  source: string,
  edits: Edits,
): "none" | "lowered" | "failed" {
  const namespaces = body.filter((statement) => statement.type === "TSModuleDeclaration" && !statement.declare);
  const [first] = namespaces;
  if (first === undefined) return "none";
  const text = namespaces.map(({ start, end }) => source.slice(start, end)).join("\n");
  const { code, errors } = transformSync("namespaces.ts", text, { lang: "ts", sourceType: "module", target: "esnext" });
  if (errors.length > 0) return "failed";
  edits.insert(first.start, `${code.trimEnd()};`);
  for (const { start, end } of namespaces) edits.blank(start, end);
  return "lowered";
}
