import type { Tool } from "../../catalog/tool.ts";
import { escapeInvisible } from "../../catalog/visible-text.ts";
import { commentText } from "../doc-comment.ts";
import type { CountTokens } from "../manifest.ts";
import { isPlainName } from "../property-names.ts";
import type { Sdk } from "../sdk.ts";
import { type Fold, fitFold, isWithin } from "./fold-fit.ts";
import { type Located, locate } from "./fold-locate.ts";
import { type FoldRoot, unfoldOrder } from "./fold-order.ts";
import { type FoldPath, parsePath, placeText, rootPlace } from "./fold-path.ts";
import { createFoldPrinter, type FoldPrinter, noteText } from "./fold-print.ts";
import { definitionOf, type ToolShape, toolShape } from "./fold-shape.ts";

/**
 * Tokens of one tool's declaration as a model reads it. Of 2,970 tools of 62 real servers 96 in 100 have no more as a whole;
 * the longest has 20 times as many, of which a task needs a few fields.
 */
export const FOLD_TOKENS = 1500;

/** What is shown, of which tool, in how many tokens. */
export interface FoldRequest {
  readonly tool: Tool;
  readonly sdk: Pick<Sdk, "servers">;
  /** A part of it: `args.body.fields[]`, `result.items[].owner`, `args["odd-name"]`, `args.target|2`. */
  readonly path?: string;
  /** Tokens of o200k_base, default 1,500. Below some 150 only the tool's name, or of a path its last step, is sure to fit. */
  readonly budgetTokens?: number;
  readonly count: CountTokens;
}

/** A declaration for a model. */
export interface FoldedView {
  /** `whole` has nothing left out; `missing` is a message on a path that leads nowhere. */
  readonly kind: "whole" | "folded" | "missing";
  readonly text: string;
}

/**
 * The declaration of a tool, or of the part of it at a path, within a budget. What fits is whole. Else documentation is
 * shortened first, then deeper objects are `{ … }` with the number of their properties and the path that shows them, and long
 * lists are cut with the number of what is missing. Equal requests give equal texts. Never throws.
 */
export function renderFolded(request: FoldRequest): FoldedView {
  const { tool, sdk, path, budgetTokens = FOLD_TOKENS, count } = request;
  const declaration = sdk.servers
    .find(({ server }) => server === tool.server)
    ?.tools.find((declared) => declared.tool === tool);
  if (path === undefined && declaration && isWithin(declaration.text, budgetTokens, count)) {
    return { kind: "whole", text: declaration.text };
  }
  const shape = toolShape(tool, declaration?.observed);
  if (path === undefined) {
    const isObserved = declaration?.output === "learned";
    return foldToFit(toolRoots(shape), (printer, fold) => printTool(tool, shape, isObserved, printer, fold), request);
  }
  const parsed = parsePath(path);
  const found = parsed && locate(shape, parsed);
  if (parsed === undefined || found === undefined) return { kind: "missing", text: PATHS };
  if (found.kind === "missing") return { kind: "missing", text: found.message };
  const root = { schema: found.schema, at: found };
  return foldToFit([root], (printer, fold) => printPart(tool, parsed, found, printer, fold), request);
}

/** What a path looks like, for who wrote another one. */
const PATHS =
  'A path begins with args or result and goes on like this: args.body.fields[], args["odd-name"], result|2.';

function foldToFit(
  roots: readonly FoldRoot[],
  print: (printer: FoldPrinter, fold: Fold) => string,
  { tool, path, budgetTokens = FOLD_TOKENS, count }: FoldRequest,
): FoldedView {
  const order = unfoldOrder(roots);
  let kind: FoldedView["kind"] = "whole";
  const render = (fold: Fold): string => {
    const also = new Set(fold.also);
    // The first object of a part is what was asked for.
    const open = path === undefined ? fold.open : Math.max(1, fold.open);
    const isOpen = (key: string): boolean => {
      const number = order.get(key) ?? 0;
      return number < open || also.has(number);
    };
    const printer = createFoldPrinter({ ...fold, isOpen });
    const text = print(printer, fold);
    const hint = moreHint(tool, printer);
    kind = hint === "" ? "whole" : "folded";
    return hint + text;
  };
  const text = fitFold(render, order.size, budgetTokens, count);
  return { kind, text };
}

/** How to see what is left out, as a first line; empty when nothing is. */
function moreHint(tool: Tool, { more, isShortened }: FoldPrinter): string {
  const example = more.find((place) => !place.endsWith("..")) ?? more[0];
  const cut = isShortened();
  if (example === undefined) return cut ? "// Long comments and texts are cut: a part is whole at its path.\n" : "";
  return `// Folded: … is left out${cut ? ", comments are cut" : ""}. To see more, ask for: ${refText(tool)} ${example}\n`;
}

function toolRoots({ input, output }: ToolShape): FoldRoot[] {
  const roots: FoldRoot[] = [{ schema: input.root, at: { side: input, place: rootPlace("args") } }];
  if (output) roots.push({ schema: output.root, at: { side: output, place: rootPlace("result") } });
  return roots;
}

function printTool(tool: Tool, shape: ToolShape, isObserved: boolean, printer: FoldPrinter, fold: Fold): string {
  const [args, result] = toolRoots(shape).map(({ schema, at }) => printer.type(schema, at, 1));
  const doc = printer.doc(commentText(tool.description || tool.title || ""), fold.toolDocs, 1);
  const name = isPlainName(tool.member) ? tool.member : escapeInvisible(JSON.stringify(tool.member));
  const question = shape.isOptional ? "?" : "";
  const mark = isObserved ? " /* observed */" : "";
  const notes = noteText([...(args?.notes ?? []), ...(result?.notes ?? [])]);
  const method = `  ${name}(args${question}: ${args?.text ?? "unknown"}): Promise<${result?.text ?? "any"}${mark}>;${notes}\n`;
  return [`interface ${tool.namespace} {\n${doc}${method}}\n`, ...printer.definitions()].join("\n");
}

function printPart(tool: Tool, path: FoldPath, found: Located, printer: FoldPrinter, fold: Fold): string {
  const { schema, side, place, from } = found;
  const { text, notes } = printer.type(schema, found, 0, from);
  const doc = printer.doc(schema.description ?? "", fold.docs, 0);
  const head = `// ${refText(tool)} ${placeText(place)}${from > 1 ? `|${from}..` : ""}\n`;
  // A definition has its name already; what is said of it here goes first.
  if (definitionOf(schema, side)) return head + doc + printer.definitions().join("\n");
  const used = new Set([...side.definitions.keys()].map(side.nameOf));
  const name = partName(path, used);
  return head + [`${doc}type ${name} = ${text};${noteText(notes)}\n`, ...printer.definitions()].join("\n");
}

/** A name for a part: its last name in PascalCase, unless a definition is called so. */
function partName({ side, steps }: FoldPath, used: ReadonlySet<string>): string {
  const last = steps.findLast((step) => step.kind === "property")?.name ?? side;
  const words = last.slice(0, PART_NAME).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const wanted = joined.replace(/^\d+/, "") || "Part";
  let name = wanted;
  for (let n = 2; used.has(name) || name === "Record"; n++) name = `${wanted}${n}`;
  return name;
}

/** Longest name of a part, in characters. */
const PART_NAME = 40;

/** The tool as it can be asked for, on one line. */
function refText({ ref }: Tool): string {
  return escapeInvisible(ref).replace(/\s/g, " ");
}
