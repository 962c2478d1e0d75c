import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { buildCatalog, type Catalog } from "../../src/catalog/catalog.ts";
import type { ListedServer, ListedTool } from "../../src/catalog/tool.ts";
import { readToolList } from "../../src/mcp/saved-list.ts";
import { buildSdk, type Sdk } from "../../src/sdk/sdk.ts";

const CORPUS = process.env["NAMI_CORPUS"] ?? join(import.meta.dirname, "../../../shared/corpus");
const TOOLS_OF_A_SERVER = 20;

/** A server whose schemas nothing has converted before: results are remembered by content. */
function freshServer(name: string): ListedServer {
  const marker = Math.random();
  const tools = Array.from(
    { length: TOOLS_OF_A_SERVER },
    (_, n): ListedTool => ({
      name: `tool_${n}`,
      description: `Does the thing number ${n} with what it is given.`,
      inputSchema: {
        $comment: `${marker} ${n}`,
        type: "object",
        properties: {
          owner: { type: "string", description: "Who it belongs to" },
          state: { type: "string", enum: ["open", "closed"] },
          items: {
            type: "array",
            items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
          },
        },
        required: ["owner"],
      },
    }),
  );
  return { name, tools };
}

interface World {
  servers: ListedServer[];
  catalog: Catalog;
  sdk: Sdk;
}

async function worldOf(tools: number): Promise<World> {
  const servers = Array.from({ length: tools / TOOLS_OF_A_SERVER }, (_, n) => freshServer(`server_${n}`));
  const catalog = buildCatalog(servers);
  return { servers, catalog, sdk: await buildSdk(catalog) };
}

/** What happens when one server says that its list has changed. */
async function changeOne(world: World): Promise<void> {
  world.servers = [freshServer("server_0"), ...world.servers.slice(1)];
  world.catalog = buildCatalog(world.servers, world.catalog);
  world.sdk = await buildSdk(world.catalog, { previous: world.sdk });
}

test("one server's changed list among few and among many tools: the time must be the same", async ({ bench }) => {
  const [few, many] = [await worldOf(100), await worldOf(5000)];
  await bench.compare(
    bench("a server of 20 tools changes, 100 tools in all", () => changeOne(few)),
    bench("a server of 20 tools changes, 5,000 tools in all", () => changeOne(many)),
  );
});

test.skipIf(!existsSync(CORPUS))("the SDK of real servers", async ({ bench }) => {
  const folder = join(CORPUS, "tools");
  const lists = readdirSync(folder).map((file) => readToolList(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const tools = lists.reduce((sum, list) => sum + list.tools.length, 0);
  let marker = 0;
  /** The same lists, to be converted anew: at most 2 ms a tool. */
  const unknown = (): ListedServer[] => {
    marker += 1;
    const mark = (schema: ListedTool["inputSchema"]): ListedTool["inputSchema"] =>
      typeof schema === "object" ? { ...schema, $comment: String(marker) } : schema;
    return lists.map((list) => ({
      ...list,
      tools: list.tools.map((tool) => ({
        ...tool,
        inputSchema: mark(tool.inputSchema),
        ...(tool.outputSchema !== undefined && { outputSchema: mark(tool.outputSchema) }),
      })),
    }));
  };
  const few = { iterations: 3, time: 0, warmupIterations: 1, warmupTime: 0 };
  await bench.compare(
    bench(`${tools} tools, converted for the first time`, async () => {
      await buildSdk(buildCatalog(unknown()));
    }),
    bench(`${tools} tools, seen before`, async () => {
      await buildSdk(buildCatalog(lists));
    }),
    few,
  );
});
