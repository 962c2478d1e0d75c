import { type Expression, type Program, parseSync, type Statement } from "oxc-parser";
import { asFunction, containsReturn, unwrap, walk } from "./ast.ts";
import type { Edits } from "./edits.ts";

/** How the value of a snippet leaves it: changes made to the text, a last line to add, and what to tell the model. */
export interface ResultShape {
  readonly tail: string;
  readonly notes: readonly string[];
}

/**
 * Makes the snippet return what its author meant. A last expression is returned; a function is called, with `nami` when
 * it takes a parameter; a snippet that only declares functions gets a call; a last `const` is returned unless something
 * is printed.
 */
export function shapeResult(
  statements: readonly Statement[],
  program: Program,
  source: string,
  edits: Edits,
): ResultShape {
  const exported = takeDefaultExport(statements, edits);
  if (exported) return exported;
  const body = statements.filter((statement) => !isTypeOnly(statement));
  const last = body.at(-1);
  if (last === undefined) return { tail: "", notes: ["the snippet is empty, so its result is undefined"] };
  const object = last.type === "BlockStatement" ? asObject(source.slice(last.start, last.end)) : undefined;
  if (object) return wrap(edits, "return (", last.start, ")", last.end);
  if (last.type === "ExpressionStatement" && !last.directive) return shapeExpression(last.expression, edits);
  if (containsReturn(body)) return NOTHING;
  const entry = entryFunction(body, program);
  if (entry) {
    const call = `await ${entry.name}(${entry.takesSdk ? "nami" : ""})`;
    return { tail: `return ${call};`, notes: [`called \`${entry.name}()\`, which nothing else did`] };
  }
  if (/\bconsole\s*\.\s*\w+\s*\(/.test(source)) return NOTHING;
  const name = lastVariable(last);
  if (name) return { tail: `return ${name};`, notes: [`there is no return statement, so \`${name}\` was returned`] };
  if (mayNotFinish(body)) return NOTHING;
  return { tail: "", notes: ["the snippet neither returns nor prints anything, so its result is undefined"] };
}

const NOTHING: ResultShape = { tail: "", notes: [] };

/**
 * An object literal that stands alone and reads as a block, or as a syntax error: `{ a: 1, b }`. `before` is the text in
 * front of it: comments and blank lines.
 */
export function asObject(text: string): { before: string; text: string } | undefined {
  const before = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0] ?? "";
  const rest = text.slice(before.length).trimEnd().replace(/;$/, "").trimEnd();
  if (!rest.startsWith("{") || !rest.endsWith("}")) return undefined;
  const { errors, program } = parseSync("object.ts", `(${rest})`, { sourceType: "module" });
  const [only, ...others] = program.body;
  if (errors.length > 0 || others.length > 0 || only?.type !== "ExpressionStatement") return undefined;
  return unwrap(only.expression).type === "ObjectExpression" ? { before, text: rest } : undefined;
}

/** `export default` with a function is called, with a value is returned. */
function takeDefaultExport(statements: readonly Statement[], edits: Edits): ResultShape | undefined {
  const exported = statements.find((statement) => statement.type === "ExportDefaultDeclaration");
  if (!exported) return undefined;
  const { declaration } = exported;
  if (declaration.type === "TSInterfaceDeclaration" || declaration.type === "ClassDeclaration") {
    edits.blank(exported.start, declaration.start);
    return undefined;
  }
  const isDeclaration = declaration.type === "FunctionDeclaration" || declaration.type === "TSDeclareFunction";
  const callee = isDeclaration ? declaration : asFunction(declaration as Expression);
  const call = callee ? `await ${DEFAULT_EXPORT}(${callee.params.length > 0 ? "nami" : ""})` : DEFAULT_EXPORT;
  const notes = callee ? ["called the function that is the default export"] : [];
  if (isDeclaration && declaration.id) {
    edits.blank(exported.start, declaration.start);
    return { tail: `return ${call.replace(DEFAULT_EXPORT, declaration.id.name)};`, notes };
  }
  edits.insert(exported.start, `const ${DEFAULT_EXPORT} = (`);
  edits.blank(exported.start, declaration.start);
  edits.insert(declaration.end, ");");
  return { tail: `return ${call};`, notes };
}

const DEFAULT_EXPORT = "__nami_default__";

function shapeExpression(expression: Expression, edits: Edits): ResultShape {
  const inner = unwrap(expression);
  const called = asFunction(inner);
  if (called) {
    const end = called.params.length > 0 ? ")(nami)" : ")()";
    const notes = ["called the function that the snippet consists of"];
    return { ...wrap(edits, "return await (", expression.start, end, expression.end), notes };
  }
  if (inner.type === "AssignmentExpression" || inner.type === "UpdateExpression") return NOTHING;
  if (inner.type === "CallExpression" && rootName(inner.callee) === "console") return NOTHING;
  const start = inner.type === "AwaitExpression" ? "return (" : "return await (";
  return wrap(edits, start, expression.start, ")", expression.end);
}

function wrap(edits: Edits, before: string, start: number, after: string, end: number): ResultShape {
  edits.insert(start, before);
  edits.insert(end, after);
  return NOTHING;
}

/** The variable at the root of `a.b.c`. */
function rootName(expression: Expression): string | undefined {
  let inner = expression;
  while (inner.type === "MemberExpression") inner = inner.object;
  return inner.type === "Identifier" ? inner.name : undefined;
}

/** A top-level function that nothing has called yet. */
interface Entry {
  readonly name: string;
  readonly takesSdk: boolean;
}

/** Names that say "start here". */
const ENTRY_NAME = /^(?:main|run|execute|exec|handler|solve|task|script|start|process|snippet|code|fn)$/i;

/**
 * The function to call when the snippet calls none: the one with an entry's name that nothing mentions; else, when the
 * snippet ends in a function and does nothing by itself, that function.
 */
function entryFunction(body: readonly Statement[], program: Program): Entry | undefined {
  const functions = body.flatMap((statement) => declaredFunction(statement) ?? []);
  const named = functions.filter(({ name }) => ENTRY_NAME.test(name) && mentions(program, name) === 1);
  const last = body.at(-1);
  const lastFunction = last && declaredFunction(last);
  const idle = !body.some((statement) => statement.type === "ExpressionStatement");
  return named[0] ?? (idle ? lastFunction : undefined);
}

function declaredFunction(statement: Statement): Entry | undefined {
  if (statement.type === "FunctionDeclaration") {
    return statement.id ? { name: statement.id.name, takesSdk: statement.params.length > 0 } : undefined;
  }
  if (statement.type !== "VariableDeclaration" || statement.declarations.length !== 1) return undefined;
  const [declarator] = statement.declarations;
  const value = asFunction(declarator?.init);
  if (!value || declarator?.id.type !== "Identifier") return undefined;
  return { name: declarator.id.name, takesSdk: value.params.length > 0 };
}

/** How often a name occurs in the code, its declaration included and exports of it left out. */
function mentions(program: Program, name: string): number {
  let count = 0;
  walk(program, (node) => {
    if (node.type === "ExportSpecifier") return "skip";
    if (node.type === "Identifier" && node.name === name) count += 1;
    return undefined;
  });
  return count;
}

function lastVariable(statement: Statement): string | undefined {
  if (statement.type !== "VariableDeclaration" || statement.declare) return undefined;
  const id = statement.declarations.at(-1)?.id;
  return id?.type === "Identifier" ? id.name : undefined;
}

/** Whether statements may end in an error or go on for ever on purpose: then a missing result is no news. */
function mayNotFinish(statements: readonly Statement[]): boolean {
  let found = false;
  walk(statements, ({ type }) => {
    if (/^(?:Throw|While|DoWhile|For)Statement$/.test(type)) found = true;
    return found ? "skip" : undefined;
  });
  return found;
}

function isTypeOnly(statement: Statement): boolean {
  return (
    statement.type === "TSInterfaceDeclaration" ||
    statement.type === "TSTypeAliasDeclaration" ||
    ("declare" in statement && statement.declare === true)
  );
}
