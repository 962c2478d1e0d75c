import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNami, type NamiEvent, type NamiOptions } from "../../src/nami.ts";
import { makeHome, runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";

const TOKEN = "schlüssel/+grün?straße&hunter22";

/** Every piece of twelve characters of the secret, as it is and in the encodings that it is masked in. */
const PIECES = [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString("base64")].flatMap((form) =>
  Array.from({ length: form.length - 11 }, (_, at) => form.slice(at, at + 12)),
);

const leaksIn = (text: string): string[] => [...PIECES, "hunter22"].filter((piece) => text.includes(piece));

const leaky = (env: Readonly<Record<string, string>> = {}) => ({
  command: process.execPath,
  args: [fixturePath("leaky")],
  env: { API_TOKEN: TOKEN, ...env },
});

async function open(options: Partial<NamiOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "nami-redaction-"));
  const events: NamiEvent[] = [];
  const nami = await createNami({
    servers: { leaky: leaky() },
    allow: ["give", "fail", "fail_long", "protocol", "die", "die_long", "die_split"].map((tool) => `leaky.${tool}`),
    audit: join(folder, "audit.jsonl"),
    learned: join(folder, "learned"),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { nami, folder, events };
}

const everythingIn = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
};

describe("a secret of the configuration is masked", () => {
  it("in what a server says of itself and its tools", async () => {
    await using opened = (await open()).nami;
    const { sdk, tools, warnings, catalog } = opened;
    const said = [opened.search("token"), opened.search("leaky.give"), tools, warnings, catalog.servers, sdk];
    expect(leaksIn(JSON.stringify(said))).toEqual([]);
    expect(opened.search("leaky.give")).toContain("[secret]");
  });

  it.each(["give", "fail", "fail_long", "protocol", "die", "die_long", "die_split"])(
    "in all that comes of leaky.%s: result, text, logs, events, audit, learned types",
    async (tool) => {
      const { nami, folder, events } = await open();
      await using opened = nami;
      const result = await opened.execute(`
        const got = await leaky.${tool}({ how: "loud" }).catch((error) => ({ caught: error.message, data: error.data }));
        console.log(got, "in a log");
        await leaky.${tool}({ how: "again" });
        return got;`);
      expect(result.calls).toHaveLength(2);
      expect(leaksIn(JSON.stringify(result))).toEqual([]);
      expect(leaksIn(JSON.stringify(events))).toEqual([]);
      expect(leaksIn(await everythingIn(folder))).toEqual([]);
    },
  );

  it("in arguments that the audit keeps, and in events of logs, when the snippet has it from elsewhere", async () => {
    const { nami, folder, events } = await open();
    await using opened = nami;
    const result = await opened.execute(
      `const t = ${JSON.stringify(TOKEN)}; console.log(t); await leaky.give({ how: t + "x".repeat(9000), ...{ [t]: 1 } }); throw new Error(t);`,
    );
    expect(result.outcome.kind).toBe("threw");
    expect(leaksIn(JSON.stringify([result, events]))).toEqual([]);
    const audit = await everythingIn(folder);
    expect(leaksIn(audit)).toEqual([]);
    expect(audit).toContain("[secret]");
  });

  it("in the line that an error quotes, also where the line is cut", async () => {
    await using opened = (await open()).nami;
    const before = "/* */".padEnd(125, " ");
    const { text } = await opened.execute(`${before} throw new Error(${JSON.stringify(TOKEN)});`);
    expect(text).toContain("1 | ");
    expect(leaksIn(text)).toEqual([]);
  });

  it("in diagnostics of a snippet that is not run", async () => {
    await using opened = (await open()).nami;
    const result = await opened.execute(`return await leaky[${JSON.stringify(TOKEN)}]({});`);
    expect(result.outcome.kind).toBe("rejected");
    expect(leaksIn(JSON.stringify(result))).toEqual([]);
  });

  it("in the last words of a server that did not start, in events and on the screen", async () => {
    const { nami, events } = await open({ servers: { leaky: leaky({ LEAK_AT: "start" }) }, allow: [] });
    await using opened = nami;
    expect(opened.failed).toEqual([
      { server: "leaky", message: expect.stringContaining("cannot log in with [secret]") },
    ]);
    expect(leaksIn(JSON.stringify([opened.failed, events]))).toEqual([]);
    const home = await makeHome({ leaky: leaky({ LEAK_AT: "start" }) });
    const { stdout, stderr } = await runCli(home, ["exec", "-e", "return await leaky.give({})"]);
    expect(leaksIn(stdout + stderr)).toEqual([]);
    expect(stderr).toContain("[secret]");
  });

  it.each(["noise", "refuse"])("before it is cut, in the reason why a server did not start: %s", async (place) => {
    const { nami, events } = await open({ servers: { leaky: leaky({ LEAK_AT: place }) }, allow: [] });
    await using opened = nami;
    expect(opened.failed).toEqual([{ server: "leaky", message: expect.stringContaining("x x x") }]);
    expect(leaksIn(JSON.stringify([opened.failed, events]))).toEqual([]);
  });

  it("in what the commands print and write", async () => {
    const home = await makeHome({ leaky: leaky() });
    const shown = [
      await runCli(home, ["tools", "leaky.give"]),
      await runCli(home, ["tools", "token", "--json"]),
      await runCli(home, ["exec", "--allow", "leaky.give", "-e", "console.log(await leaky.give({})); return 1"]),
      await runCli(home, ["audit", "--json"]),
      await runCli(home, ["generate", "--out", join(home, "sdk")]),
    ];
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(leaksIn(shown.map(({ stdout, stderr }) => stdout + stderr).join("\n"))).toEqual([]);
    expect(leaksIn(await everythingIn(join(home, "sdk")))).toEqual([]);
    expect(leaksIn(await everythingIn(join(home, "state")))).toEqual([]);
  });
});
