import { type Program, parseSync, type Statement } from "oxc-parser";
import type { Catalog } from "../catalog/catalog.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { createEdits, type Edits, type Mapped } from "./edits.ts";
import { findForbidden } from "./forbidden.ts";
import { positionAt } from "./frame.ts";
import { rewriteImport } from "./imports.ts";
import { lowerNamespaces } from "./namespaces.ts";
import { asObject, shapeResult } from "./result-shape.ts";

/** Name of the function around every snippet. */
export const WRAPPER = "__nami__";

/** Ends on the snippet's first line, so that line numbers never move. Strict, as the module that the parser reads is. */
export const HEAD = `async function ${WRAPPER}() {"use strict";`;

/** The last line of a comment must not swallow the brace. */
export const TAIL = "\n}";

/** A snippet as the body of an async function. */
export type Normalised =
  | {
      readonly kind: "body";
      /** The author's text; in parentheses when it was a bare object literal. */
      readonly source: string;
      /** What the checker reads. */
      readonly checked: Mapped;
      /** What is stripped and run; the same text unless the snippet has namespaces. */
      readonly runnable: Mapped;
      /** What was changed, in sentences for the model. */
      readonly notes: readonly string[];
      readonly program: Program;
      /** Namespaces and tools that imports gave other names: expression by local name. */
      readonly aliases: ReadonlyMap<string, string>;
    }
  /** The text is not TypeScript; `wrapped` lets the checker say so in its own words. */
  | { readonly kind: "syntax"; readonly wrapped: Mapped; readonly problem: Diagnostic }
  | { readonly kind: "refused"; readonly problems: readonly Diagnostic[] };

/**
 * Turns whatever shape a model writes into the body of an async function that returns the value the model meant:
 * statements, a last expression, a function, `main()`, exports, SDK imports. One text serves checker and engine.
 */
export function normalise(source: string, catalog: Catalog): Normalised {
  const parsed = parse(source);
  if (parsed.kind === "syntax") {
    const object = asObject(source);
    if (object) return normalise(`${object.before}(${object.text})`, catalog);
    return { ...parsed, wrapped: createEdits(source).apply(HEAD, TAIL) };
  }
  const { program } = parsed;
  const edits = createEdits(source);
  const problems = [...findForbidden(program, source)];
  const notes: string[] = [];
  if (program.hashbang) edits.blank(program.hashbang.start, program.hashbang.end);
  silenceDirectives(parsed.comments, source, edits);
  const { body, aliases } = takeModuleSyntax(program.body, source, catalog, edits, problems, notes);
  if (problems.length > 0) return { kind: "refused", problems };
  const shape = shapeResult(body, program, source, edits);
  notes.push(...shape.notes);
  const tail = `${shape.tail === "" ? "" : `\n${shape.tail}`}${TAIL}`;
  const checked = edits.apply(HEAD, tail);
  const lowered = lowerNamespaces(body, source, edits);
  if (lowered === "failed") return { kind: "refused", problems: [namespaceProblem(body, source)] };
  const runnable = lowered === "none" ? checked : edits.apply(HEAD, tail);
  return { kind: "body", source, checked, runnable, notes, program, aliases };
}

type Comments = ReturnType<typeof parseSync>["comments"];

type Parsed =
  | { readonly kind: "parsed"; readonly program: Program; readonly comments: Comments }
  | { readonly kind: "syntax"; readonly problem: Diagnostic };

/** Whether a text is a program by itself. Only for texts that `tooMuch` lets pass. */
export const parses = (source: string): boolean => parse(source).kind === "parsed";

/** Parses the snippet by itself, so that an extra brace is an error and cannot close the function around it. */
function parse(source: string): Parsed {
  const { errors, program, comments } = parseSync("snippet.ts", source, { sourceType: "module" });
  const error = errors.find(({ message }) => !message.includes("'return' statement can only be used"));
  if (error === undefined) return { kind: "parsed", program, comments };
  const offset = error.labels[0]?.start ?? 0;
  const problem: Diagnostic = {
    ...positionAt(source, offset),
    severity: "error",
    code: "syntax",
    message: error.message.replace(/\.?$/, "."),
    length: Math.max(1, (error.labels[0]?.end ?? offset) - offset),
    ...syntaxHint(source[offset] ?? "", error.helpMessage),
  };
  return { kind: "syntax", problem };
}

function syntaxHint(character: string, help: string | null): { hint?: string } {
  if (/[)\]}]/.test(character))
    return { hint: `This \`${character}\` closes nothing, or something before it is missing.` };
  return help === null ? {} : { hint: help };
}

/** Makes comments that would switch the checker off mean nothing, without moving anything. */
function silenceDirectives(comments: Comments, source: string, edits: Edits): void {
  for (const { start, end } of comments) {
    const comment = source.slice(start, end);
    if (/@ts-/.test(comment)) edits.replace(start, end, comment.replaceAll("@ts-", " ts-"));
  }
}

interface Body {
  /** The statements that do something, out of their `export`. */
  readonly body: readonly Statement[];
  readonly aliases: ReadonlyMap<string, string>;
}

/** Rewrites imports and drops the `export` in front of declarations: neither can stand in a function. */
function takeModuleSyntax(
  statements: Program["body"],
  source: string,
  catalog: Catalog,
  edits: Edits,
  problems: Diagnostic[],
  notes: string[],
): Body {
  const body: Statement[] = [];
  const aliases = new Map<string, string>();
  for (const statement of statements) {
    if (statement.type === "ImportDeclaration") {
      const result = rewriteImport(statement, catalog);
      if (result.kind === "refused") {
        const { start, end } = statement.source;
        const { message, hint } = result;
        const place = { ...positionAt(source, start), length: end - start };
        problems.push({ ...place, severity: "error", code: "import", message, hint });
        continue;
      }
      edits.insert(statement.start, result.text);
      edits.blank(statement.start, statement.end);
      for (const [, local = "", target = ""] of result.text.matchAll(/const (\S+) = (.+?);/g))
        aliases.set(local, target);
      notes.push(`took the import of "${statement.source.value}" for the SDK's globals`);
    } else if (statement.type === "ExportNamedDeclaration") {
      const { declaration } = statement;
      edits.blank(statement.start, declaration ? declaration.start : statement.end);
      if (declaration) body.push(declaration);
    } else if (statement.type !== "EmptyStatement") body.push(statement);
  }
  return { body, aliases };
}

function namespaceProblem(body: readonly Statement[], source: string): Diagnostic {
  const start = body.find((statement) => statement.type === "TSModuleDeclaration")?.start ?? 0;
  const message = "This namespace cannot be used in a snippet.";
  const hint = "Use an object or plain functions instead.";
  return { ...positionAt(source, start), severity: "error", code: "namespace", message, hint };
}
