/** A JSON Schema as a server sent it: an object, or a boolean schema. Untrusted data. */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean;

/** What a server says about a tool's effect. Hints from an untrusted party: they may tighten a decision, never loosen it. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as its server listed it, after repair at the wire: `name` is a non-empty string, `inputSchema` is present. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** What one connected server offers. */
export interface ListedServer {
  /** The name in the user's configuration. */
  readonly name: string;
  /** What the server calls itself, with its version. */
  readonly version?: string;
  readonly instructions?: string;
  readonly tools: readonly ListedTool[];
}

/** One tool of one server, with the names it has on both sides of the sandbox. */
export interface Tool extends ListedTool {
  readonly server: string;
  /** `server.tool` with the server's exact names: how people, rules and the audit name it. */
  readonly ref: string;
  /** The global in the snippet that holds the server's tools: a TypeScript identifier. */
  readonly namespace: string;
  /** The property of that global: the tool's exact name, whatever characters it has. */
  readonly member: string;
}
