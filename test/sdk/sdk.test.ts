import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { ListedServer } from "../../src/catalog/tool.ts";
import { renderGenerated } from "../../src/sdk/generate.ts";
import { buildSdk } from "../../src/sdk/sdk.ts";
import { catalogOf, objectOf } from "./catalog.ts";

const SERVERS: readonly ListedServer[] = ["b", "a", "Mixed", "con"].map((name) => ({
  name,
  tools: ["two", "one", "get-sum"].map((tool) => ({
    name: tool,
    description: `The tool ${tool}.`,
    inputSchema: {
      type: "object",
      properties: { x: { $ref: "#/$defs/X" }, y: { $ref: "#/$defs/X" } },
      $defs: { X: objectOf({ again: { $ref: "#" } }) },
    },
  })),
}));

describe("the SDK", () => {
  test("has a file a server, and the text of each tool", async () => {
    const sdk = await buildSdk(catalogOf([{ name: "one", description: "Does one thing.", inputSchema: objectOf({}) }]));
    const [tool] = sdk.catalog.tools;
    if (tool === undefined) throw new Error("the catalog has a tool");
    expect([...sdk.declarations.keys()]).toEqual(["demo.d.ts"]);
    expect(sdk.describe(tool)).toBe(
      "interface demo {\n  /** Does one thing. */\n  one(args?: Record<string, never>): Promise<any>;\n}\n",
    );
    expect(sdk.signature(tool)).toBe("demo.one(args?: Record<string, never>): Promise<any>");
    expect(sdk.signatureLine(tool)).toBe("demo.one(args?: Record<string, never>): Promise<any> // Does one thing.");
  });

  test("names server, tool and place of what became unknown", async () => {
    const sdk = await buildSdk(
      catalogOf([{ name: "read", inputSchema: objectOf({ a: { $ref: "file:///etc/passwd" } }) }]),
    );
    expect(sdk.warnings).toEqual([
      'Server "demo", tool "read": its input schema is unknown at #/properties/a: "file:///etc/passwd" does not lead to a part of this schema.',
    ]);
  });
});

describe("the generated folder", () => {
  test("is the same for the same tools in any order", async () => {
    const shuffled = SERVERS.toReversed().map((server) => ({ ...server, tools: server.tools.toReversed() }));
    const [first, second] = await Promise.all(
      [SERVERS, shuffled].map(async (servers) => await renderGenerated(await buildSdk(buildCatalog(servers)))),
    );
    expect([...(second ?? [])]).toEqual([...(first ?? [])]);
    expect([...(first?.keys() ?? [])]).toEqual([...(first?.keys() ?? [])].sort());
  });

  test("does not change with a default that is the time at which the tools were listed", async () => {
    const at = async (now: number): Promise<string> => {
      const date = new Date(now);
      const texts = [
        date.toUTCString(),
        date.toString(),
        date.toLocaleDateString("en-US"),
        date.toLocaleString("en-GB"),
      ];
      const compact = date.toISOString().replace(/[-:]|\.\d+/g, "");
      const forms = [...texts, date.toDateString(), compact, compact.slice(0, 8), now.toString(16).padStart(24, "6")];
      const iso = date.toISOString();
      const words = ["de", "fr", "es", "ja", "ko"].map((language) =>
        date.toLocaleDateString(language, { dateStyle: "long" }),
      );
      forms.push(...words, iso.slice(0, 7), iso.slice(2, 10), iso.replace(/\D/g, "_"), `export_${iso.slice(0, 4)}.csv`);
      forms.push(date.toLocaleTimeString("en-US"), date.toLocaleDateString("en-US", { dateStyle: "short" }));
      const inputSchema = objectOf({
        iso: { type: "string", default: new Date(now).toISOString() },
        day: { type: "string", default: new Date(now).toISOString().slice(0, 10) },
        ms: { type: "number", default: now },
        name: { type: "string", default: `org-${now}` },
        id: { type: "string", default: crypto.randomUUID(), examples: [crypto.randomUUID()] },
        kept: { type: "number", default: 10 },
        version: { type: "string", default: "1.2.3" },
        opens: { type: "string", default: "09:00" },
        width: { type: "number", default: 2048 },
        market: { type: "string", default: "market 1000" },
        ...Object.fromEntries(forms.map((form, index) => [`form${index}`, { type: "string", default: form }])),
      });
      const files = await renderGenerated(await buildSdk(catalogOf([{ inputSchema }])));
      return [...files.values()].join("\n");
    };
    expect(await at(1_796_000_000_000)).toBe(await at(1_812_345_678_901));
    expect((await at(1_796_000_000_000)).match(/@default .*/g)).toEqual(
      ["10", '"1.2.3"', '"09:00"', "2048", '"market 1000"'].map((text) => `@default ${text} */`),
    );
  });

  test("counts a property that is called default, whatever is said of it", async () => {
    const raw = async (name: string): Promise<number> => {
      const inputSchema = objectOf({ [name]: { type: "string", description: "Since 2026-01-01" } });
      const files = await renderGenerated(await buildSdk(catalogOf([{ inputSchema }])));
      return JSON.parse(files.get("manifest.json") ?? "[]")[0].tokens.raw;
    };
    expect(await raw("default")).toBe(await raw("name"));
  });

  test("has file names that are safe and differ in more than case", async () => {
    const files = await renderGenerated(await buildSdk(buildCatalog([...SERVERS, { name: "mixed", tools: [] }])));
    const names = [...files.keys()];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names).toContain("a.d.ts");
    for (const name of names) expect(name).toMatch(/^(?!con\.)[\w-]+\.(d\.ts|json)$/);
  });

  test("lists every tool with its types and sizes in the manifest", async () => {
    const description = `A${"a".repeat(200)} <|endoftext|>`;
    const inputSchema = objectOf({ a: { type: "string" } }, ["a"]);
    const files = await renderGenerated(await buildSdk(catalogOf([{ name: "get-sum", description, inputSchema }])));
    expect(JSON.parse(files.get("manifest.json") ?? "")).toEqual([
      {
        server: "demo",
        tool: "get-sum",
        namespace: "demo",
        member: "get-sum",
        file: "demo.d.ts",
        inputType: 'Parameters<demo["get-sum"]>[0]',
        output: "none",
        tokens: { raw: expect.any(Number), full: expect.any(Number), line: expect.any(Number) },
      },
    ]);
  });

  // Uncut, this takes the tokenizer minutes.
  test("is written in time when a description is one long word", async () => {
    const sdk = await buildSdk(catalogOf([{ description: "查".repeat(300_000), inputSchema: {} }]));
    const [{ tokens }] = JSON.parse((await renderGenerated(sdk)).get("manifest.json") ?? "");
    expect(tokens.raw).toBeGreaterThan(tokens.full);
  });
});
