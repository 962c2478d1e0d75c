import type { Node, Program } from "oxc-parser";
import { walk } from "./ast.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { positionAt } from "./frame.ts";
import { refuse } from "./imports.ts";

/** Syntax that parses and checks but cannot run in the sandbox, or that would reach into nami's own code. */
export function* findForbidden(program: Program, source: string): Generator<Diagnostic> {
  const found: Diagnostic[] = [];
  walk(program, (node) => {
    const reason = reasonAgainst(node);
    if (!reason) return undefined;
    const place = { ...positionAt(source, node.start), length: node.end - node.start };
    found.push({ ...place, severity: "error", ...reason });
    return "skip";
  });
  yield* found;
}

type Reason = Pick<Diagnostic, "code" | "message" | "hint">;

function reasonAgainst(node: Node): Reason | undefined {
  switch (node.type) {
    case "Decorator":
      return {
        code: "decorator",
        message: "Decorators do not run in the sandbox.",
        hint: "Call the function yourself on the class or method.",
      };
    case "Identifier":
      if (node.name !== "__nami__") return undefined;
      return { code: "reserved", message: "`__nami__` is nami's own name.", hint: "Choose another name." };
    case "ImportExpression":
      return moduleReason(node.source.type === "Literal" ? String(node.source.value) : "that");
    case "ExportAllDeclaration":
      return moduleReason(node.source.value);
    case "ExportNamedDeclaration":
      return node.source ? moduleReason(node.source.value) : undefined;
    case "TSImportEqualsDeclaration":
      if (node.moduleReference.type !== "TSExternalModuleReference") return undefined;
      return moduleReason(node.moduleReference.expression.value);
    case "TSExportAssignment":
    case "TSNamespaceExportDeclaration":
      return { code: "export", message: "A snippet has no exports.", hint: "End with `return value`." };
    case "MetaProperty":
      if (node.meta.name !== "import") return undefined;
      return { code: "import", message: "`import.meta` does not exist: the sandbox has no modules." };
    default:
      return undefined;
  }
}

function moduleReason(module: string): Reason {
  const { message, hint } = refuse(module, "*");
  return { code: "import", message, hint };
}
