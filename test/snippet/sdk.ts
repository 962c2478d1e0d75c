import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { JsonSchema, Tool } from "../../src/catalog/tool.ts";
import type { SnippetSdk } from "../../src/snippet/compile.ts";

/**
 * A hand-written SDK of a few realistic servers: what the SDK generator would declare, only shorter. Results are closed, or
 * open as generated ones are when the schema leaves them open.
 */
export function sampleSdk(results: "closed" | "open" = "closed"): SnippetSdk {
  const catalog = buildCatalog(
    [...SERVERS].map(([name, server]) => ({
      name,
      tools: Object.entries(server).map(([tool, [args]]) => ({ name: tool, inputSchema: schemaOf(args) })),
    })),
  );
  const declarations = new Map(
    [...SERVERS].map(([name, server]) => {
      const members = Object.entries(server).map(([tool, [args, result]]) => {
        return `  ${JSON.stringify(tool)}(args${isOptional(args) ? "?" : ""}: ${args}, options?: { signal?: { readonly aborted: boolean } }): Promise<${results === "open" ? opened(result) : result}>;`;
      });
      return [`${name}.d.ts`, `interface ${name} {\n${members.join("\n")}\n}\ndeclare const ${name}: ${name};\n`];
    }),
  );
  return { catalog, declarations, certain: new Map(), signature };
}

const opened = (type: string): string => type.replaceAll(" }", "; [k: string]: unknown }");

function signature(tool: Tool): string {
  const [args = "", result = ""] = SERVERS.get(tool.server)?.[tool.name] ?? [];
  const name = /^\w+$/.test(tool.member) ? `.${tool.member}` : `["${tool.member}"]`;
  return `${tool.namespace}${name}(args${isOptional(args) ? "?" : ""}: ${args}): Promise<${result}>`;
}

const ISSUE =
  '{ number: number; title: string; state: "open" | "closed"; user: { login: string; id: number }; labels: { name: string; color?: string }[]; created_at: string; comments: number; assignee: { login: string } | null }';

/** Arguments and result of each tool, by server. */
const SERVERS = new Map<string, Record<string, readonly [args: string, result: string]>>([
  [
    "github",
    {
      list_issues: [
        '{ owner: string; repo: string; state?: "open" | "closed" | "all"; labels?: string[]; per_page?: number }',
        `{ issues: ${ISSUE}[]; total_count: number }`,
      ],
      create_issue: [
        "{ owner: string; repo: string; title: string; body?: string; labels?: string[] }",
        "{ number: number; url: string }",
      ],
      add_issue_comment: [
        "{ owner: string; repo: string; issue_number: number; body: string }",
        "{ id: number; url: string }",
      ],
    },
  ],
  [
    "slack",
    {
      post_message: ["{ channel: string; text: string; thread_ts?: string }", "{ ok: boolean; ts: string }"],
      search_users: ["{ query: string }", "any"],
    },
  ],
  [
    "linear",
    {
      list_projects: [
        '{ team?: string; status?: "planned" | "started" | "completed" }',
        "{ projects: { id: string; name: string; lead?: string }[] }",
      ],
      count_issues: ["{}", "{ by_state: Record<string, number>; labels: { [name: string]: { count: number } } }"],
    },
  ],
  [
    "everything",
    {
      "get-sum": ["{ a: number; b: number }", "any"],
      echo: ["{ message: string }", "any"],
      "print env": ["{}", "any"],
    },
  ],
]);

const isOptional = (args: string): boolean => !/[{;] \w+:/.test(args);

function schemaOf(args: string): JsonSchema {
  const properties = Object.fromEntries([...args.matchAll(/(\w+)\??:/g)].map(([, name = ""]) => [name, {}]));
  return { type: "object", properties };
}
