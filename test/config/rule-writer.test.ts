import { chmod, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withRule, writeRule } from "../../src/config/rule-writer.ts";

const rule = { tool: "tickets.close_ticket", decision: "allow" };

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "nami-rule-")), "mcp.json");
  await writeFile(file, text);
  return file;
}

describe("a rule that is written", () => {
  it("goes behind the others; comments, order and formatting stay", () => {
    const text = `{
  // my servers
  "servers": { "a": { "command": "a" }, },
  "rules": [
    { "tool": "x.*", "decision": "deny" }, // never
  ],
}
`;
    const after = withRule(text, "mcp.json", rule);
    expect(after).toBe(text.replace("  ],\n}", '    { "tool": "tickets.close_ticket", "decision": "allow" }\n  ],\n}'));
  });

  it.each([
    ['{ "rules": [] }', '{ "rules": [{ "tool": "t", "n": 1 }] }'],
    ['{ "rules": [1 /* , */] }', '{ "rules": [1, /* , */ { "tool": "t", "n": 1 }] }'],
    ['{ "rules": [1,] }', '{ "rules": [1, { "tool": "t", "n": 1 }] }'],
    ["{}", '{"rules": [{ "tool": "t", "n": 1 }]}'],
    ['{\n\t"a": 1 // x\n}', '{\n\t"a": 1, // x\n\t"rules": [{ "tool": "t", "n": 1 }]\n}'],
    ['{ "rules": [ // none\n] }', '{ "rules": [ // none\n  { "tool": "t", "n": 1 }\n] }'],
  ])("fits into %j", (before, after) => {
    expect(withRule(before, "mcp.json", { tool: "t", n: 1 })).toBe(after);
  });

  it("makes the list where there is none", () => {
    expect(withRule('{\n  "servers": {}\n}\n', "mcp.json", rule)).toBe(`{
  "servers": {},
  "rules": [{ "tool": "tickets.close_ticket", "decision": "allow" }]
}
`);
    expect(JSON.parse(withRule("", "mcp.json", rule))).toEqual({ rules: [rule] });
  });

  it("keeps a byte-order mark and Windows line ends", () => {
    const after = withRule('\ufeff{\r\n  "servers": {}\r\n}\r\n', "mcp.json", rule);
    expect(after.startsWith("\ufeff{\r\n")).toBe(true);
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each(["{ broken", '{ "rules": {} }', "[1]"])("is an error that changes nothing in %s", async (text) => {
    const file = await fileWith(text);
    await expect(writeRule(file)(rule)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("keeps the file's mode and a link to it, and leaves no draft", async () => {
    const file = await fileWith("{}");
    await chmod(file, 0o640);
    const link = join(file, "..", "link.json");
    await symlink(file, link);
    await writeRule(link)(rule);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ rules: [rule] });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await readdir(join(file, ".."))).sort()).toEqual(["link.json", "mcp.json"]);
  });

  it("loses none of several at once", async () => {
    const file = await fileWith("{}");
    const write = writeRule(file);
    await Promise.all([1, 2, 3].map((n) => write({ ...rule, tool: `t.${n}` })));
    expect(JSON.parse(await readFile(file, "utf8")).rules).toHaveLength(3);
  });

  it("is an error where there is no file, or no room for a draft", async () => {
    const file = await fileWith("{}");
    await expect(writeRule(`${file}.gone`)(rule)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await writeFile(`${file}.${process.pid}.new`, "somebody else's");
    await expect(writeRule(file)(rule)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(await readFile(file, "utf8")).toBe("{}");
  });
});
