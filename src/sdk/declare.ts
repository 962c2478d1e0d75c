import { createHash } from "node:crypto";
import type { CatalogServer } from "../catalog/catalog.ts";
import type { JsonSchema, Tool } from "../catalog/tool.ts";
import { escapeInvisible } from "../catalog/visible-text.ts";
import { commentText, docComment } from "./doc-comment.ts";
import { declarationFile } from "./file-name.ts";
import { isNestedDeeper, MAX_JSON_DEPTH } from "./json-record.ts";
import type { ObservedSchema } from "./learned/observe.ts";
import { observedSchema } from "./learned/observed-schema.ts";
import { isPlainName } from "./property-names.ts";
import { resultSchema } from "./result-schema.ts";
import { acceptsNothing } from "./signature.ts";
import type { Side } from "./types/clean.ts";
import { type ConvertedSchema, convertSchema } from "./types/convert.ts";

/** The TypeScript of one server. */
export interface ServerDeclaration {
  /** The name in the user's configuration. */
  readonly server: string;
  /** The global, which is also the name of its interface. */
  readonly namespace: string;
  /** Safe as a file name on every system. */
  readonly file: string;
  /** A script of declarations: it needs no other file and adds only its own names. */
  readonly text: string;
  /** The same with `any` for results that were only observed; absent when there are none. */
  readonly certain?: string;
  readonly tools: readonly ToolDeclaration[];
  /** Those of all tools. */
  readonly warnings: readonly string[];
}

/** The TypeScript of one tool. */
export interface ToolDeclaration {
  readonly tool: Tool;
  /** Type expression of the arguments, wherever the server's file is referenced. */
  readonly inputType: string;
  /** Type expression of the awaited result, when the server declares one or results were observed. */
  readonly outputType?: string;
  readonly output: "declared" | "learned" | "none";
  /** What results looked like, when the server does not say. */
  readonly observed?: ObservedSchema;
  /** What the server's text says of this tool, as declarations of its own and without a call's options: for reading. */
  readonly text: string;
  /** Parts of schemas that became `unknown`, each with server, tool, pointer and reason. */
  readonly warnings: readonly string[];
}

/**
 * Declares a server's tools as the methods of an interface that is named like its global. Schemas are untrusted; whatever
 * they hold, the text compiles and contains nothing but declarations. Types that need a name live in the namespace `nami`,
 * which no server can be called, one namespace for each tool and direction. `observed` has, by tool, what results looked like; a
 * tool that declares its result does not need it.
 */
export async function declareServer(
  server: CatalogServer,
  observed: ReadonlyMap<string, ObservedSchema> = new Map(),
): Promise<ServerDeclaration> {
  const slugs = new Set<string>();
  const parts: ToolParts[] = [];
  let characters = 0;
  for (const tool of server.tools) {
    characters += schemaSize(tool.inputSchema) + schemaSize(tool.outputSchema);
    const isTyped = characters <= SERVER_CHARACTERS;
    parts.push(await (isTyped ? declareTool(tool, slugs, observed.get(tool.name)) : declareUntyped(tool, slugs)));
  }
  const hasObserved = parts.some(({ certainMethod }) => certainMethod !== undefined);
  return {
    server: server.name,
    namespace: server.namespace,
    file: declarationFile(server.namespace),
    text: renderServer(server, parts),
    ...(hasObserved && {
      certain: renderServer(
        server,
        parts.map(({ certainMethod, ...part }) => ({ ...part, method: certainMethod ?? part.method })),
      ),
    }),
    tools: parts.map(({ declaration }) => declaration),
    warnings: parts.flatMap(({ declaration }) => declaration.warnings),
  };
}

/** Schemas that are converted for one server, in characters of JSON: some seconds. The largest of 62 servers seen has 1.9 million. */
const SERVER_CHARACTERS = 5_000_000;

function schemaSize(schema: JsonSchema | undefined): number {
  return schema === undefined || isNestedDeeper(schema, MAX_JSON_DEPTH) ? 0 : JSON.stringify(schema).length;
}

/** A tool of a server whose schemas are too large altogether. */
async function declareUntyped(tool: Tool, slugs: Set<string>): Promise<ToolParts> {
  const { outputSchema: _, ...silent } = tool;
  const parts = await declareTool({ ...silent, inputSchema: true }, slugs);
  const warning = `Server ${literal(tool.server)}, tool ${literal(tool.name)}: its schemas are unknown at #: the server's schemas are larger than ${SERVER_CHARACTERS} characters.`;
  return { ...parts, declaration: { ...parts.declaration, tool, warnings: [warning] } };
}

interface ToolParts {
  readonly declaration: ToolDeclaration;
  /** `declare namespace …` blocks. */
  readonly hoisted: readonly string[];
  /** The method with its comment, for inside the interface. */
  readonly method: string;
  /** The same with `any` for its result, when that was only observed. */
  readonly certainMethod?: string;
}

async function declareTool(tool: Tool, slugs: Set<string>, seen?: ObservedSchema): Promise<ToolParts> {
  const declared = resultSchema(tool);
  const observed = declared ? undefined : seen;
  const result = declared ?? (observed && { schema: observedSchema(observed, "optional"), entry: "#" });
  const input = await convertSchema(tool.inputSchema, "input");
  const output = result && (await convertSchema(result.schema, "output", result.entry));
  const slug = input.declarations.length + (output?.declarations.length ?? 0) > 0 ? claimSlug(tool, slugs) : "";
  const home = (side: Side): string => `nami.${tool.namespace}.${slug}$${side}`;
  const typeOf = (schema: ConvertedSchema, side: Side): string =>
    schema.declarations.length > 0 ? `${home(side)}.${schema.type}` : indent(schema.type).trimStart();
  const hoisted = [
    ...renderNamespace(home("input"), input.declarations),
    ...renderNamespace(home("output"), output?.declarations ?? []),
  ];
  const isOptional = acceptsNothing(input.cleaned);
  const args = `args${isOptional ? "?" : ""}: ${typeOf(input, "input")}`;
  const promised = output ? typeOf(output, "output") : "any";
  const member = `${tool.namespace}[${literal(tool.member)}]`;
  const argument = `Parameters<${member}>[0]`;
  return {
    hoisted,
    method: renderMethod(tool, `${args}, ${OPTIONS}`, promised, observed !== undefined),
    ...(observed && { certainMethod: renderMethod(tool, `${args}, ${OPTIONS}`, "any", false) }),
    declaration: {
      tool,
      inputType: isOptional ? `Exclude<${argument}, undefined>` : argument,
      ...(output && { outputType: `Awaited<ReturnType<${member}>>` }),
      output: observed ? "learned" : declared ? "declared" : "none",
      ...(observed && { observed }),
      text: [
        ...hoisted,
        `interface ${tool.namespace} {\n${renderMethod(tool, args, promised, observed !== undefined)}\n}\n`,
      ].join("\n"),
      warnings: [...warningsOf(tool, "input", input), ...(output ? warningsOf(tool, "output", output) : [])],
    },
  };
}

/** A call can be given up. The type has what an `AbortSignal` has everywhere, so that the text needs no library. */
const OPTIONS = "options?: { signal?: { readonly aborted: boolean } }";

function renderMethod(tool: Tool, args: string, result: string, isObserved: boolean): string {
  const said = commentText(tool.description || tool.title || "");
  const doc = docComment([said, isObserved ? OBSERVED : ""].filter(Boolean).join("\n\n"), 1);
  return `${doc}  ${memberName(tool)}(${args}): Promise<${result}>;`;
}

/** What a reader must know of a type that no server has promised. */
const OBSERVED = "The result's type was observed in earlier results, not declared: fields may be missing or new.";

function renderServer(
  { name, namespace }: CatalogServer,
  parts: readonly Pick<ToolParts, "hoisted" | "method">[],
): string {
  const methods = parts.map(({ method }) => `${method}\n`).join("\n");
  return [
    `// The tools of the MCP server ${literal(name)}, declared by nami.\n`,
    ...parts.flatMap(({ hoisted }) => hoisted),
    `interface ${namespace} {\n${methods}}\n`,
    `declare const ${namespace}: ${namespace};\n`,
  ].join("\n");
}

function renderNamespace(name: string, declarations: readonly string[]): string[] {
  if (declarations.length === 0) return [];
  return [`declare namespace ${name} {\n${declarations.map(indent).join("\n\n")}\n}\n`];
}

/**
 * A name for the tool's types, unique in the server. A name that had to be changed gets `$` and eight digits of a hash of the
 * original, so that no slug changes when the server adds a tool.
 */
function claimSlug({ member }: Tool, taken: Set<string>): string {
  const readable = member.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|$)/, "_");
  const hash = createHash("sha256").update(member).digest("hex");
  let slug = readable === member ? member : `${readable}$${hash.slice(0, 8)}`;
  // Only two names that become the same and share 32 bits of their hashes come here.
  for (let digits = 9; taken.has(slug); digits++) slug = `${readable}$${hash.slice(0, digits)}`;
  taken.add(slug);
  return slug;
}

/** Words that mean something else at the beginning of a member. */
const NOT_MEMBERS = new Set(["new", "constructor", "__proto__"]);

function memberName({ member }: Tool): string {
  return isPlainName(member) && !NOT_MEMBERS.has(member) ? member : literal(member);
}

function literal(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** Every line two blanks further in: types hold no text of several lines but comments. */
function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function warningsOf({ server, name }: Tool, side: Side, { problems }: ConvertedSchema): string[] {
  return problems.map(
    ({ pointer, problem }) =>
      `Server ${literal(server)}, tool ${literal(name)}: its ${side} schema is unknown at ${escapeInvisible(pointer).slice(0, 200)}: ${escapeInvisible(problem)}.`,
  );
}
