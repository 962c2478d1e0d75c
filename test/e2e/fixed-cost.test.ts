import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../src/output/tokens.ts";
import { makeHome, runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";
import { startModelServer } from "../fixtures/model/server.ts";

/** Tool lists of real servers, where they have been laid beside the project. */
const CORPUS = fileURLToPath(new URL("../../../shared/corpus/tools/", import.meta.url));
/** Servers that somebody might well use together: 300 tools and a few. */
const SERVERS = [
  "github",
  "brightdata",
  "filesystem",
  "memory",
  "playwright",
  "slack",
  "supabase",
  "sentry",
  "gitlab",
  "heroku",
  "asana",
];

/** Tokens of the first request's system prompt and tool definitions, and what nami says that direct definitions cost. */
async function firstRequest(
  lists: Readonly<Record<string, string>>,
): Promise<{ fixed: number; tools: number; direct: number }> {
  const servers = Object.entries(lists).map(([name, file]) => [
    name,
    { command: process.execPath, args: [fixturePath("stub"), "--tools", file] },
  ]);
  const home = await makeHome(Object.fromEntries(servers));
  const model = await startModelServer([{ text: "done" }]);
  try {
    const { stdout, stderr } = await runCli(home, ["run", "Nothing.", "--model", "scripted", "--json"], {
      env: { OPENAI_BASE_URL: model.url },
    });
    const { definitions } = JSON.parse(stdout || `{"error": ${JSON.stringify(stderr)}}`);
    const body = model.requests[0]?.body;
    const fixed = await countTokens(JSON.stringify([body?.messages[0], body?.tools]));
    return { fixed, tools: definitions.tools, direct: definitions.tokens };
  } finally {
    await model.close();
  }
}

const report = (what: string, cost: { fixed: number; tools: number; direct: number }): void =>
  console.log(
    `fixed cost with ${cost.tools} ${what} tools: ${cost.fixed} tokens; as definitions: ${cost.direct} tokens`,
  );

describe("the fixed cost of a conversation", () => {
  it("stays under 1,000 tokens with 300 invented tools on 60 servers with long names", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nami-tools-"));
    const file = join(folder, "many.json");
    const tools = Array.from({ length: 5 }, (_, n) => ({
      name: `do_thing_${n}`,
      description: `Does thing number ${n} with care, and says afterwards how it went.`,
      inputSchema: {
        type: "object",
        properties: { id: { type: "number" }, text: { type: "string" } },
        required: ["id"],
      },
    }));
    await writeFile(file, JSON.stringify({ server: "many", tools }));
    const names = Array.from({ length: 60 }, (_, n) => `department-${n}-knowledge-management-service-production`);
    const cost = await firstRequest(Object.fromEntries(names.map((name) => [name, file])));
    report("invented", cost);
    expect(cost.tools).toBe(300);
    expect(cost.fixed).toBeLessThan(1000);
    expect(cost.direct).toBeGreaterThan(10_000);
  });

  it.skipIf(!existsSync(CORPUS))(
    `stays under 1,000 tokens with 300 tools of real servers${existsSync(CORPUS) ? "" : " (SKIPPED: no corpus beside the project)"}`,
    async () => {
      const lists: Record<string, string> = {};
      let count = 0;
      for (const server of SERVERS) {
        const file = join(CORPUS, `${server}.json`);
        lists[server] = file;
        count += JSON.parse(await readFile(file, "utf8")).tools.length;
        if (count >= 300) break;
      }
      const cost = await firstRequest(lists);
      report("real", cost);
      expect(cost.tools).toBeGreaterThanOrEqual(300);
      expect(cost.fixed).toBeLessThan(1000);
    },
  );
});
