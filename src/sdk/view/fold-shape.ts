import type { Tool } from "../../catalog/tool.ts";
import type { ObservedSchema } from "../learned/observe.ts";
import { observedSchema } from "../learned/observed-schema.ts";
import { resultSchema } from "../result-schema.ts";
import { acceptsNothing } from "../signature.ts";
import { type CleanedSchema, cleanSchema, ROOT_NAMES, type Side } from "../types/clean.ts";
import type { CleanSchema } from "../types/clean-schema.ts";

/** The arguments of a tool and its result as schemas that can be walked and printed in part. */
export interface ToolShape {
  readonly input: ShapeSide;
  /** Whether the arguments may be left out. */
  readonly isOptional: boolean;
  /** Missing when nothing is known about the result. */
  readonly output?: ShapeSide;
}

/** One direction of a tool. */
export interface ShapeSide {
  readonly side: Side;
  readonly root: CleanSchema;
  readonly definitions: ReadonlyMap<string, CleanSchema>;
  /** What a definition is called in a text that shows both sides. */
  nameOf(definition: string): string;
}

/** The shape of a tool; a result that the server does not declare is what was observed. Never throws. */
export function toolShape(tool: Tool, observed?: ObservedSchema): ToolShape {
  const cleaned = cleanSchema(tool.inputSchema, "input");
  const input = shapeSide(cleaned, "input", new Set([tool.namespace]));
  const isOptional = acceptsNothing(cleaned);
  const result = resultSchema(tool) ?? (observed && { schema: observedSchema(observed, "asSeen"), entry: "#" });
  if (result === undefined) return { input, isOptional };
  const taken = new Set([tool.namespace, ...input.definitions.keys()]);
  const output = shapeSide(cleanSchema(result.schema, "output", result.entry), "output", taken);
  return { input, output, isOptional };
}

/** A cleaned schema as a side of a shape; definitions whose names are `taken` are called `ResultNode`, `ResultNode2`, … */
function shapeSide({ root, definitions }: CleanedSchema, side: Side, taken: ReadonlySet<string>): ShapeSide {
  const rootName = ROOT_NAMES[side];
  const names = new Map<string, string>();
  const used = new Set([...taken, ...definitions.keys()]);
  for (const name of definitions.keys()) {
    let free = name;
    for (let n = 1; taken.has(name) && used.has(free); n++) free = `Result${name}${n === 1 ? "" : n}`;
    used.add(free);
    names.set(name, free);
  }
  return {
    side,
    root: definitions.has(rootName) ? { tsType: rootName } : root,
    definitions,
    nameOf: (definition) => names.get(definition) ?? definition,
  };
}

/** The definition that a schema names, and its name. */
export function definitionOf(
  schema: CleanSchema,
  { definitions }: Pick<ShapeSide, "definitions">,
): { readonly name: string; readonly schema: CleanSchema } | undefined {
  const name = schema.tsType;
  const definition = name === undefined ? undefined : definitions.get(name);
  return name === undefined || definition === undefined ? undefined : { name, schema: definition };
}

/** One property of an object, under the server's name. */
export interface Property {
  /** As a key of the schema. */
  readonly key: string;
  readonly schema: CleanSchema;
  readonly required: boolean;
}

/** The properties of an object: those that are required first, each kind in the server's order. */
export function propertiesOf({ properties = {}, required = [] }: CleanSchema): readonly Property[] {
  const needed = new Set(required);
  const all = Object.entries(properties).map(([key, schema]) => ({ key, schema, required: needed.has(key) }));
  return [...all.filter((property) => property.required), ...all.filter((property) => !property.required)];
}
