import { buildCatalog } from "../../../src/catalog/catalog.ts";
import type { ListedTool } from "../../../src/catalog/tool.ts";
import type { ObservedSchema } from "../../../src/sdk/learned/observe.ts";
import { loadTokenCounter } from "../../../src/sdk/manifest.ts";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { type FoldedView, type FoldRequest, renderFolded } from "../../../src/sdk/view/fold.ts";
import { objectOf } from "../catalog.ts";

/** Tokens of o200k_base. */
export const count = await loadTokenCounter();

/** Asks for views of one tool of a server called `demo`. */
export async function folder(
  listed: Partial<ListedTool>,
  server = "demo",
  observed?: ObservedSchema,
): Promise<(request?: Partial<FoldRequest>) => FoldedView> {
  const catalog = buildCatalog([{ name: server, tools: [{ name: "tool", inputSchema: {}, ...listed }] }]);
  const [tool] = catalog.tools;
  if (tool === undefined) throw new Error("a catalog of one tool has one");
  const sdk = await buildSdk(catalog, { observed: () => new Map(observed && [[tool.name, observed]]) });
  return (request) => renderFolded({ tool, sdk, count, ...request });
}

const described = (description: string, schema: object): object => ({ ...schema, description });
const text = { type: "string" };

/** A tool with a bit of everything that is folded. */
export const BIG_TOOL: Partial<ListedTool> = {
  name: "create-order",
  description: `Creates an order.\n\nThe order is sent at once. ${"It cannot be changed later, only cancelled. ".repeat(8)}`,
  inputSchema: objectOf(
    {
      note: described("A note for the people who pack it. ".repeat(6).trim(), text),
      country: { enum: Array.from({ length: 60 }, (_, n) => `country-${n}`) },
      customer: objectOf({ id: { type: "integer" }, address: { $ref: "#/$defs/Address" } }, ["id"]),
      lines: described("What is ordered", {
        type: "array",
        items: objectOf(
          {
            sku: described("The number of the article", text),
            amount: { type: "integer", minimum: 1, default: 1 },
            "gift-wrap": objectOf({ colour: text, card: objectOf({ text, font: text }) }),
          },
          ["sku"],
        ),
      }),
      target: {
        oneOf: [
          objectOf({ kind: { const: "shop" }, shop: text, desk: text }, ["kind", "shop"]),
          objectOf({ kind: { const: "home" }, address: { $ref: "#/$defs/Address" }, floor: { type: "number" } }, [
            "kind",
          ]),
        ],
      },
      labels: { type: "object", additionalProperties: objectOf({ value: text, since: text }) },
      filter: { $ref: "#/$defs/Filter" },
    },
    ["lines", "customer"],
  ),
  outputSchema: objectOf(
    { order: objectOf({ id: text, state: { enum: ["open", "sent"] } }), warnings: { type: "array", items: text } },
    ["order"],
  ),
};
Object.assign(BIG_TOOL.inputSchema ?? {}, {
  $defs: {
    Address: objectOf({ street: text, city: text, zip: described("Without blanks", text) }),
    Filter: objectOf({ field: text, and: { type: "array", items: { $ref: "#/$defs/Filter" } } }, ["field"]),
  },
});
