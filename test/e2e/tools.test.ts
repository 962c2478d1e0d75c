import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeHome, runCli, runOnTerminal } from "../fixtures/cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const DEMO = ["--config", join(root, "test/fixtures/demo.json")];
const home = await makeHome({});

/** The demo's configuration names its programs from the root of the project. */
const tools = (...args: string[]) => runCli(home, ["tools", ...args], { cwd: root });

const folder = await mkdtemp(join(tmpdir(), "nami-tools-"));
async function save(server: string, names: readonly string[], more: object = {}): Promise<string> {
  const file = join(folder, `${server}.json`);
  const listed = names.map((name) => ({
    name,
    description: `Tool ${name}.`,
    inputSchema: { type: "object" },
    ...more,
  }));
  await writeFile(file, JSON.stringify({ server, tools: listed }));
  return file;
}

describe("nami tools", () => {
  it("lists every tool of every server on a line", async () => {
    const { code, stdout } = await tools(...DEMO);
    expect(code).toBe(0);
    expect(stdout).toContain("notes (5 tools)\n  notes.delete_note(args: { name: string }): Promise<any> // ");
    expect(stdout).toMatch(/\ntickets \(\d+ tools\)\n {2}tickets\./);
  });

  it("lists one server with --server, and says which there are when it is misspelt", async () => {
    const one = await tools(...DEMO, "--server", "notes");
    expect(one.stdout).toContain("notes (5 tools)");
    expect(one.stdout).not.toContain("tickets");
    const wrong = await tools(...DEMO, "--server", "ticket");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain(
      'There is no connected server "ticket". Did you mean tickets? Connected: notes, tickets.',
    );
  });

  it("says why a server that is asked for is not there", async () => {
    const broken = await makeHome({ gone: { command: "no-such-program" } });
    const { code, stderr } = await runCli(broken, ["tools", "--server", "gone"]);
    expect(code).toBe(2);
    expect(stderr).toContain('Server "gone" is not there. ');
  });

  it("searches within the servers that are asked for", async () => {
    expect((await tools(...DEMO, "search")).stdout).toContain("tickets.search_tickets(");
    expect((await tools(...DEMO, "search", "--server", "notes")).stdout).not.toContain("tickets.");
  });

  it("shows a tool in full, and folded with --budget", async () => {
    const whole = await tools(...DEMO, "tickets.get_ticket");
    expect(whole.stdout).toContain("The id of the ticket that this one repeats, or null");
    const folded = await tools(...DEMO, "tickets.get_ticket", "--budget", "200");
    expect(folded.stdout).toMatch(/^\/\/ Folded: … is left out.* To see more, ask for: tickets\.get_ticket /);
    expect(folded.stdout.length).toBeLessThan(whole.stdout.length);
  });

  it("shows a part of a tool at a path, and the way from a wrong one", async () => {
    const part = await tools(...DEMO, "tickets.get_ticket", "result.comments[]");
    expect(part.stdout).toBe(`// tickets.get_ticket result.comments[]
type Comments = {
  author: string;
  /** UTC, ISO 8601 */
  at: string;
  text: string;
};

`);
    const wrong = await tools(...DEMO, "tickets.get_ticket", "result.coments");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("There is no result.coments. Did you mean result.comments?");
  });

  it("gives JSON that has the same fields for lists, searches and a tool", async () => {
    const list = JSON.parse((await tools(...DEMO, "--json")).stdout);
    expect(list.servers[0]).toMatchObject({ server: "notes", namespace: "notes" });
    expect(list.servers[0].tools[0]).toEqual({
      ref: "notes.delete_note",
      signature: "notes.delete_note(args: { name: string }): Promise<any>",
    });
    const [first] = JSON.parse((await tools(...DEMO, "delete", "--json")).stdout);
    expect(first).toEqual(list.servers[0].tools[0]);
    expect(JSON.parse((await tools(...DEMO, "notes.delete_note", "--json")).stdout)).toMatchObject({
      name: "delete_note",
    });
  });

  it("explains itself with examples", async () => {
    const { code, stdout } = await tools("--help");
    expect(code).toBe(0);
    for (const word of ["--view", "--budget", "--tokens", "--from", "nami tools github.create_issue args.labels"]) {
      expect(stdout).toContain(word);
    }
  });

  it.each([
    [["--budget", "199"], "Give at least 200 tokens."],
    [["--view", "all"], "Allowed choices are names, lines, full."],
    [["--tokens", "--view", "names"], "cannot be used with"],
    [["--view", "full", "--budget", "1000"], "tools in full need --budget"],
    [["tickets.get_ticket", "result", "--view", "lines"], "--view shows whole tools"],
    [["--from", "no-such-file.json"], "no-such-file.json as a saved tool list"],
  ])("refuses %s with exit 2", async (args, message) => {
    const { code, stderr } = await tools(...DEMO, ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe("nami tools --view", () => {
  it("shows names, lines or types", async () => {
    expect((await tools(...DEMO, "--view", "names", "--server", "notes")).stdout).toBe(
      "notes: delete_note, list_notes, read_note, search_notes, write_note\n",
    );
    expect((await tools(...DEMO, "--view", "lines", "--server", "notes")).stdout.split("\n")).toHaveLength(6);
    expect((await tools(...DEMO, "--view", "full", "note")).stdout).toContain("interface notes {");
  });

  it("keeps to a budget, with the words of a search first", async () => {
    const { stdout } = await tools(...DEMO, "--view", "lines", "--budget", "200");
    expect(stdout).toMatch(
      /^notes\.delete_note\([\s\S]*\n\/\/ By name only; search for one to see its types:\ntickets: /,
    );
  });
});

describe("nami tools --from", () => {
  it("reads saved lists, and lists servers when there are hundreds of tools", async () => {
    const many = await save(
      "many",
      Array.from({ length: 300 }, (_, n) => `tool_${n}`),
    );
    const few = await save("a server", ["one"]);
    const { code, stdout } = await tools("--from", many, few);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^a server {2}1 tool\nmany {6}300 tools\n\n301 tools\. nami tools --server <name> /);
    expect((await tools("--server", "many", "--from", many, few)).stdout).toContain("  many.tool_299(");
    expect((await tools("--view", "lines", "--from", many, few)).stdout.split("\n")).toHaveLength(302);
  });

  it("takes what follows the files for the query", async () => {
    const list = await save("queried", ["one", "two"]);
    const { code, stdout } = await tools("--from", list, "queried.two");
    expect(code).toBe(0);
    expect(stdout).toContain("two(");
    expect(stdout).not.toContain("one(");
    // The name of a folder here.
    expect((await tools("--from", list, "src")).stderr).not.toContain("saved tool list");
    expect((await tools("--from", list, "missing.json")).stderr).toContain("missing.json as a saved tool list");
  });

  it("is safe on a terminal, whatever a server wrote", async () => {
    const file = await save("wild", ["\u001b[2Jevil\u202e"], { description: "\u001b]0;title\u0007 \u202edone" });
    for (const view of ["names", "lines", "full"]) {
      const { stdout } = await runOnTerminal(home, ["tools", "--view", view, "--from", file], []);
      expect(stdout).toContain("evil");
      expect(stdout.replaceAll("\r", "")).not.toMatch(/[\u001b\u202e\u0007]/);
    }
  });
});

describe("nami tools --tokens", () => {
  it("prints a row a server and a total", async () => {
    const { code, stdout } = await tools(...DEMO, "--tokens");
    expect(code).toBe(0);
    const [head = "", notes = "", tickets = "", total = ""] = stdout.split("\n");
    expect(head).toMatch(/^server +tools +raw +full +lines +names$/);
    expect(notes).toMatch(/^notes +5 +[\d,]+ +[\d,]+ +[\d,]+ +\d+$/);
    expect(tickets).toMatch(/^tickets +\d+ /);
    expect(total).toMatch(/^total +\d+ /);
    expect(stdout).toContain("Tokens of o200k_base.");
  });

  it("gives the same as JSON, in which the total is the sum and each form is smaller", async () => {
    const { servers, total } = JSON.parse((await tools(...DEMO, "--tokens", "--json")).stdout);
    for (const column of ["tools", "raw", "full", "lines", "names"]) {
      expect(total[column]).toBe(servers[0][column] + servers[1][column]);
    }
    expect(total.lines).toBeLessThan(total.full);
    expect(total.names).toBeLessThan(total.lines);
  });
});
