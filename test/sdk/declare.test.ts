import { describe, expect, test } from "vitest";
import type { JsonSchema, ListedTool } from "../../src/catalog/tool.ts";
import { declareServer, type ServerDeclaration } from "../../src/sdk/declare.ts";
import { catalogOf, objectOf } from "./catalog.ts";
import { typeErrors } from "./type-check.ts";

async function declare(tools: readonly Partial<ListedTool>[], server = "demo"): Promise<ServerDeclaration> {
  const [first] = catalogOf(tools, server).servers;
  if (first === undefined) throw new Error("a catalog of one server has one");
  return await declareServer(first);
}

describe("the declarations of a server", () => {
  test("are an interface with a method a tool, and a global of that type", async () => {
    const { text, file, namespace, warnings } = await declare(
      [
        {
          name: "list_issues",
          description: "List the issues of a repository.\nNewest first.",
          inputSchema: {
            type: "object",
            required: ["owner"],
            properties: {
              owner: { type: "string", description: "Account that owns it" },
              state: { type: "string", enum: ["open", "closed"], default: "open" },
              page: { type: "integer", minimum: 1, maximum: 50 },
              labels: { type: "array", items: { type: "string" } },
              filter: { type: "object", properties: { since: { type: ["string", "null"], format: "date" } } },
            },
          },
          outputSchema: objectOf({ total: { type: "number" } }, ["total"]),
        },
        { name: "get-sum", inputSchema: { type: "object", properties: {} } },
      ],
      "github",
    );
    expect(text).toBe(`// The tools of the MCP server "github", declared by nami.

interface github {
  "get-sum"(args?: Record<string, never>, options?: { signal?: { readonly aborted: boolean } }): Promise<any>;

  /**
   * List the issues of a repository.
   * Newest first.
   */
  list_issues(args: {
    /** Account that owns it */
    owner: string;
    /** @default "open" */
    state?: "open" | "closed";
    /**
     * @integer
     * @minimum 1
     * @maximum 50
     */
    page?: number;
    labels?: string[];
    filter?: {
      /** @format date */
      since?: string | null;
    };
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    total: number;
    [k: string]: unknown;
  }>;
}

declare const github: github;
`);
    expect({ file, namespace, warnings }).toEqual({ file: "github.d.ts", namespace: "github", warnings: [] });
  });

  test("name recursive and repeated types in a namespace of the tool and direction", async () => {
    const node = {
      type: "object",
      description: "A node.",
      properties: { next: { $ref: "#/$defs/node" } },
    };
    const inputSchema = { ...(objectOf({ root: { $ref: "#/$defs/node" } }, ["root"]) as object), $defs: { node } };
    const { text, tools } = await declare([{ name: "walk", inputSchema }]);
    expect(text).toContain(`declare namespace nami.demo.walk$input {
  /** A node. */
  type Node = {
    next?: Node;
  };

  type Input = {
    root: Node;
  };
}
`);
    const options = ", options?: { signal?: { readonly aborted: boolean } }";
    expect(text).toContain(`  walk(args: nami.demo.walk$input.Input${options}): Promise<any>;`);
    const own = text.slice(text.indexOf("declare namespace"), text.indexOf("declare const") - 1);
    expect(tools[0]?.text).toBe(own.replace(options, ""));
  });

  test("name what contains itself by way of references that stand elsewhere", async () => {
    const inputSchema = {
      ...(objectOf({ a: objectOf({ b: { $ref: "#/$defs/B" } }) }) as object),
      $defs: { B: objectOf({ a: { $ref: "#/properties/a" } }) },
    };
    const { text, warnings } = await declare([{ name: "walk", inputSchema }]);
    expect(text).toContain("type A = {\n    b?: {\n      a?: A;\n    };\n  };");
    expect(warnings).toEqual([]);
  });

  test("put a type that is used once in its place", async () => {
    const inputSchema = { ...(objectOf({ a: { $ref: "#/$defs/A" } }) as object), $defs: { A: objectOf({ b: {} }) } };
    expect((await declare([{ name: "once", inputSchema }])).text).not.toContain("namespace");
  });

  test("put a type that is no longer than its name in its place, however often it is used", async () => {
    const use = { $ref: "#/$defs/Id" };
    const $defs = { Id: { type: "string", description: "An id." } };
    const { text } = await declare([{ inputSchema: { ...(objectOf({ a: use, b: use }) as object), $defs } }]);
    expect(text).toContain("    /** An id. */\n    a?: string;\n    /** An id. */\n    b?: string;\n");
  });

  test("offer the arguments and the result as type expressions", async () => {
    const { tools, text, file } = await declare([
      { name: "optional", inputSchema: objectOf({ a: { type: "string" } }) },
      { name: "required", inputSchema: objectOf({ a: { type: "string" } }, ["a"]), outputSchema: objectOf({ b: {} }) },
    ]);
    const [optional, required] = tools;
    expect(optional).toMatchObject({
      inputType: 'Exclude<Parameters<demo["optional"]>[0], undefined>',
      output: "none",
    });
    expect(required).toMatchObject({
      inputType: 'Parameters<demo["required"]>[0]',
      outputType: 'Awaited<ReturnType<demo["required"]>>',
      output: "declared",
    });
    const use = `const a: ${optional?.inputType} = { a: "" };
const b: ${required?.inputType} = {};
const c: ${required?.outputType} = { b: 1 };
const d: ${optional?.inputType} = undefined;`;
    const errors = await typeErrors(
      new Map([
        [file, text],
        ["use.ts", use],
      ]),
    );
    expect(errors.map((error) => error.slice(0, 10))).toEqual(["use.ts(2):", "use.ts(4):"]);
  });

  test("type the value itself where FastMCP wraps it as result", async () => {
    const outputSchema = {
      ...(objectOf({ result: { type: "array", items: { type: "string" } } }, ["result"]) as object),
      "x-fastmcp-wrap-result": true,
    };
    expect((await declare([{ name: "names", outputSchema }])).text).toContain("Promise<string[]>");
  });

  test("promise any result where the output schema says nothing", async () => {
    const [silent, bare] = [{ $schema: "x", title: "T" }, { type: "object" }];
    expect((await declare([{ outputSchema: silent }])).text).toContain("Promise<any>");
    expect((await declare([{ outputSchema: bare }])).text).toContain("Promise<Record<string, unknown>>");
  });

  test("compile for tools of any name, also those that differ by one sign", async () => {
    const names = [
      "a.b",
      "a-b",
      "a_b",
      "a_b_2",
      "new",
      "constructor",
      "__proto__",
      "delete",
      "9",
      "查询",
      "ns/x y",
      '"',
      "\u202e*/",
      "",
    ];
    const recursive = { type: "object", properties: { again: { $ref: "#" } } };
    const { text, file } = await declare(
      names.map((name) => ({ name, inputSchema: recursive, outputSchema: recursive })),
    );
    const use = `const names: (keyof demo)[] = ${JSON.stringify(names)};`;
    expect(
      await typeErrors(
        new Map([
          [file, text],
          ["use.ts", use],
        ]),
      ),
    ).toEqual([]);
    expect(new Set(text.match(/declare namespace \S+/g)).size).toBe(names.length * 2);
    expect(text).not.toContain("\u202e");
  });

  test("of two servers never share a name", async () => {
    const tools = [{ name: "walk", inputSchema: { type: "object", properties: { again: { $ref: "#" } } } }];
    const [one, two] = [await declare(tools, "one"), await declare(tools, "one$types")];
    expect(
      await typeErrors(
        new Map([
          [one.file, one.text],
          [two.file, two.text],
        ]),
      ),
    ).toEqual([]);
  });

  test("give up types beyond 5 million characters of schemas a server, with a warning", async () => {
    const ofSize = (characters: number): JsonSchema => ({ enum: ["x".repeat(characters - 13)] });
    expect(JSON.stringify(ofSize(100))).toHaveLength(100);
    const million = ["a", "b", "c", "d"].map((name) => ({ name, inputSchema: ofSize(1_000_000) }));
    const declared = async (last: number): Promise<ServerDeclaration> =>
      await declare([...million, { name: "e", inputSchema: ofSize(last) }]);
    expect((await declared(1_000_000)).warnings).toEqual([]);
    const over = await declare([...million, { name: "e", inputSchema: ofSize(1_000_000) }, { name: "f" }]);
    expect(over.tools.map(({ warnings }) => warnings.length)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(over.text).toContain("f(args?: unknown, options?");
  });

  test("keep the name of a tool's types when the server adds tools", async () => {
    const recursive = { type: "object", properties: { again: { $ref: "#" } } };
    const slugs = async (...names: readonly string[]): Promise<string[]> => {
      const { text } = await declare(names.map((name) => ({ name, inputSchema: recursive })));
      return [...text.matchAll(/declare namespace nami\.demo\.(\S+)\$input /g)]
        .flatMap(([, slug]) => slug ?? [])
        .sort();
    };
    const before = await slugs("a-c", "a_b");
    expect(before).toEqual(["a_b", expect.stringMatching(/^a_c\$[0-9a-f]{8}$/)]);
    expect(await slugs("a-b", "a.c", "a-c", "a_c", "a_b", "a_c_2")).toEqual(expect.arrayContaining(before));
  });
});
