import { createHash } from "node:crypto";
import type { Tool } from "../catalog/tool.ts";
import { canonicalJson } from "./canonical.ts";

/** A rule in the form of the configuration. */
export interface WrittenRule {
  readonly tool: string;
  readonly decision: "allow";
  /** Of the definition that the person saw. */
  readonly definition: string;
  /** Conditions by argument path. */
  readonly when?: Readonly<Record<string, { readonly is: unknown } | { readonly absent: true }>>;
}

/** What a person has allowed beyond single calls. */
export interface Grants {
  /** Allows further calls of this tool as it is defined now; with a destination, those to the same one. */
  add(tool: Tool, destination?: Readonly<Record<string, unknown>>): void;
  /** Whether a call is among them. A tool whose definition has changed since is not. */
  allows(tool: Tool, args: Readonly<Record<string, unknown>>): boolean;
}

/** Grants of a run, or of a process. */
export function createGrants(): Grants {
  const granted = new Set<string>();
  return {
    add: (tool, destination) => {
      granted.add(grantKey(tool, destination));
    },
    allows: (tool, args) => {
      if (granted.size === 0) return false;
      if (granted.has(grantKey(tool, undefined))) return true;
      const destination = destinationOf(args);
      return destination !== undefined && granted.has(grantKey(tool, destination));
    },
  };
}

function grantKey(tool: Tool, destination: Readonly<Record<string, unknown>> | undefined): string {
  return canonicalJson([tool.server, tool.name, definitionHash(tool), destination ?? null]);
}

/** SHA-256 of what an approval relies on: name, description, annotations and schemas of a tool, in hexadecimal. */
export function definitionHash({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string {
  return createHash("sha256")
    .update(canonicalJson({ name, title, description, inputSchema, outputSchema, annotations }))
    .digest("hex");
}

/** Enough of the hash that nobody finds another definition with the same: 128 bits. */
const definitionOf = (tool: Tool): string => definitionHash(tool).slice(0, 32);

/** Names of arguments that say where a call goes, in lower case. From FIDES' and nami's list of sinks; more ask oftener. */
const DESTINATIONS = new Set(
  "to cc bcc recipient recipients url uri host path file directory destination target repo repository owner org branch channel channel_id project workspace bucket database table".split(
    " ",
  ),
);

/** The arguments that say where a call goes, or nothing when there is none. Values are compared as a whole. */
export function destinationOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const entries = Object.entries(args).filter(([name]) => DESTINATIONS.has(name.toLowerCase()));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The rule for every call of a tool, or nothing where no rule can say just that: names with `*`, tools that destroy. */
export function ruleFor(tool: Tool): WrittenRule | undefined {
  if (tool.ref.includes("*") || tool.annotations?.destructiveHint === true) return undefined;
  return { tool: tool.ref, decision: "allow", definition: definitionOf(tool) };
}

/**
 * The rule for a destination: these values, and none of the tool's other arguments that could send the call elsewhere as
 * well. Nothing where a value is no plain one, or a name would be read as a path.
 */
export function ruleForDestination(
  tool: Tool,
  destination: Readonly<Record<string, unknown>> | undefined,
): WrittenRule | undefined {
  if (destination === undefined || tool.ref.includes("*")) return undefined;
  const isPlain = Object.values(destination).every((value) => ["string", "number", "boolean"].includes(typeof value));
  if (!isPlain) return undefined;
  const names = [...Object.keys(destination), ...declaredDestinations(tool)];
  if (names.some((name) => /[.[\]]/.test(name))) return undefined;
  const when = Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(destination, name) ? { is: destination[name] } : { absent: true as const },
    ]),
  );
  return { tool: tool.ref, decision: "allow", when, definition: definitionOf(tool) };
}

function declaredDestinations({ inputSchema }: Tool): string[] {
  const properties = typeof inputSchema === "object" ? inputSchema["properties"] : undefined;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return names.filter((name) => DESTINATIONS.has(name.toLowerCase()));
}
