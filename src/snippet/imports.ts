import { builtinModules } from "node:module";
import type { ImportDeclaration, ImportDeclarationSpecifier } from "oxc-parser";
import type { Catalog } from "../catalog/catalog.ts";
import { member } from "./spelling.ts";

/** What an import becomes: declarations that stand in its place, or the reason why it cannot stand. */
export type Import =
  | { readonly kind: "globals"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string; readonly hint: string };

/** Module names that models use for an SDK: the name alone, a relative path, or a path that ends in a namespace. */
const SDK_MODULE = /^(?:@?(?:nami|mcp|sdk|tools|servers?|generated)(?:\/[\w.-]+)*|\.{1,2}(?:\/[\w.-]+)+)$/;

/** Names that stand for the whole SDK in such a module. */
const WHOLE_SDK = new Set(["*", "default", "nami", "tools", "sdk", "mcp"]);

/**
 * Maps an import to the globals of the sandbox, on one line: an SDK import becomes `const local = namespace;` (nothing
 * when the names agree), an imported type becomes `any`. Everything else is refused, since there are no modules.
 */
export function rewriteImport(declaration: ImportDeclaration, catalog: Catalog): Import {
  const module = declaration.source.value;
  const declarations: string[] = [];
  for (const specifier of declaration.specifiers) {
    const isType = declaration.importKind === "type" || ("importKind" in specifier && specifier.importKind === "type");
    const target = isType ? "any" : targetOf(module, importedName(specifier), catalog);
    const local = specifier.local.name;
    if (target === undefined) return refuse(module, importedName(specifier));
    if (isType) declarations.push(`type ${local} = any;`);
    else if (target !== local) declarations.push(`const ${local} = ${target};`);
  }
  if (declaration.specifiers.length === 0 && !isSdkModule(module)) return refuse(module, "*");
  return { kind: "globals", text: declarations.join(" ") };
}

/** The refusal of a module that the sandbox does not have; `imported` is what was wanted of it. */
export function refuse(module: string, imported: string): Extract<Import, { kind: "refused" }> {
  if (isSdkModule(module) && imported !== "*") {
    const hint = "Servers are globals already: remove the import and call them by their names.";
    return { kind: "refused", message: `The SDK has no \`${imported}\` to import.`, hint };
  }
  const hint = isBuiltin(module)
    ? "Node's modules do not exist here; use the SDK and plain JavaScript."
    : "Packages cannot be loaded; use the SDK and plain JavaScript.";
  return { kind: "refused", message: `\`${module}\` cannot be imported: the sandbox has no modules.`, hint };
}

const isBuiltin = (module: string): boolean => builtinModules.includes(module.replace(/^node:/, ""));

const isSdkModule = (module: string): boolean => SDK_MODULE.test(module) && !isBuiltin(module);

function importedName(specifier: ImportDeclarationSpecifier): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name;
}

/** The global expression that an imported name stands for. */
function targetOf(module: string, imported: string, catalog: Catalog): string | undefined {
  if (!isSdkModule(module)) return undefined;
  const namespaces = new Set(catalog.servers.map((server) => server.namespace));
  const parts = module.replace(/\.[jt]s$/, "").split("/");
  const namespace = parts.find((part) => namespaces.has(part));
  if (namespace !== undefined) {
    if (imported === "*" || imported === "default" || imported === namespace) return namespace;
    if (catalog.at(namespace, imported)) return `${namespace}${member(imported)}`;
  }
  if (namespaces.has(imported)) return imported;
  return WHOLE_SDK.has(imported) ? "nami" : undefined;
}
