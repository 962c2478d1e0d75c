import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";

let home: string;
let list: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "nami-policy-"));
  list = join(home, "files.json");
  const tools = ["read_a", "read_b", "wipe"].map((name) => ({ name, inputSchema: { type: "object" } }));
  await writeFile(list, JSON.stringify({ server: "files", tools }));
  await writeFile(
    join(home, "mcp.json"),
    JSON.stringify({
      servers: {
        files: { command: "no-such-program", safe_tools: ["read_b"] },
        counting: { command: process.execPath, args: [fixturePath("counting"), "--file", join(home, "touched")] },
      },
      rules: [
        { tool: "files.read_*", decision: "allow", when: { path: { under: "/n" } }, perRun: 5 },
        { tool: "*.wipe", decision: "deny" },
        { tool: "counting.touch", decision: "deny" },
      ],
    }),
  );
});

describe("nami policy", () => {
  it("lists the rules in the order in which they are tried, from saved lists, with no server", async () => {
    const { code, stdout } = await runCli(home, ["policy", "--from", list]);
    expect(stdout).toBe(`rules[2] counting.touch: deny
  covers no tool
safe_tools: allow
  covers 1: files.read_b
rules[0] files.read_*: allow, if path under /n, at most 5 a run
  covers 2: files.read_a, files.read_b
rules[1] *.wipe: deny
  covers 1: files.wipe
default: ask
  covers 3: files.read_a, files.read_b, files.wipe
`);
    expect(code).toBe(0);
  });

  it("explains which rule decides a call, also as JSON", async () => {
    const args = ["policy", "explain", "files.read_a", '{"path": "/n/../x"}', "--from", list];
    expect((await runCli(home, args)).stdout).toBe(`files.read_a: ask, by default
  skipped: rules[0] files.read_* (allow): path under /n: cannot be decided, and an allow must be certain
  decides: default (ask): it has no conditions
`);
    const { stdout } = await runCli(home, ["policy", "--from", list, "--json", "explain", "files.wipe"]);
    expect(JSON.parse(stdout)).toMatchObject({ tool: "files.wipe", kind: "deny", rule: "rules[1] *.wipe" });
  });

  it("refuses arguments that are no object and tools that are not there", async () => {
    expect(await runCli(home, ["policy", "explain", "files.wipe", "[1]", "--from", list])).toMatchObject({ code: 2 });
    const missing = await runCli(home, ["policy", "explain", "files.wip", "--from", list]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean files.wipe") });
  });
});

it("a call that a rule forbids ends with exit code 3 and says which rule", async () => {
  const { code, stdout, stderr } = await runCli(home, ["exec", "-e", "return await counting.touch({ n: 1 })"]);
  expect(`${stdout}${stderr}`).toContain("a rule of the user forbids it (rules[2] counting.touch)");
  expect(code).toBe(3);
});

describe("a cap that is reached with nobody to ask", () => {
  it("is what the messages tell to raise, not --allow", async () => {
    const capped = await mkdtemp(join(tmpdir(), "nami-capped-"));
    await writeFile(
      join(capped, "mcp.json"),
      JSON.stringify({
        servers: {
          counting: { command: process.execPath, args: [fixturePath("counting"), "--file", join(capped, "touched")] },
        },
        rules: [{ tool: "counting.touch", decision: "allow", perRun: 1 }],
      }),
    );
    const source =
      "await counting.touch({ n: 1 }); return await counting.touch({ n: 2 }).catch((error) => error.message)";
    const { code, stdout, stderr } = await runCli(capped, ["exec", "-e", source]);
    const cap = "rules[0] counting.touch: its cap of 1 a run is reached";
    expect(stdout).toContain(`counting.touch was not called: ${cap}`);
    expect(stderr).toContain(`To allow: raise a cap (${cap}).`);
    expect(stdout + stderr).not.toContain("--allow");
    expect(code).toBe(5);
  });
});
