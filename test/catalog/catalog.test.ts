import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { assignNamespaces } from "../../src/catalog/names.ts";
import { nearest } from "../../src/catalog/nearest.ts";
import { createSearch } from "../../src/catalog/search.ts";
import { dropInvisible, escapeInvisible } from "../../src/catalog/visible-text.ts";

const tool = (name: string, description = "", properties: Record<string, unknown> = {}) => ({
  name,
  description,
  inputSchema: { type: "object", properties },
});

describe("the catalog", () => {
  const catalog = buildCatalog([
    { name: "b", tools: [tool("z"), tool("a-tool")] },
    { name: "a", tools: [tool("constructor"), tool("__proto__"), tool("x")] },
  ]);

  it("is the same in whatever order servers and tools come", () => {
    const other = buildCatalog([
      { name: "a", tools: [tool("x"), tool("__proto__"), tool("constructor")] },
      { name: "b", tools: [tool("a-tool"), tool("z")] },
    ]);
    expect(other.tools).toEqual(catalog.tools);
    expect(catalog.tools.map(({ ref }) => ref)).toEqual(["a.__proto__", "a.constructor", "a.x", "b.a-tool", "b.z"]);
  });

  it("finds a tool by server.tool and by mcp__server__tool, with exact names only", () => {
    expect(catalog.find("b.a-tool")?.name).toBe("a-tool");
    expect(catalog.find("mcp__b__a-tool")?.name).toBe("a-tool");
    expect(catalog.find("a.__proto__")?.name).toBe("__proto__");
    expect(catalog.find("b.a_tool")).toBeUndefined();
    expect(catalog.find("b.toString")).toBeUndefined();
    expect(catalog.at("a", "hasOwnProperty")).toBeUndefined();
  });

  it("leaves out a tool that a server lists twice, and says so", () => {
    const { tools, warnings } = buildCatalog([{ name: "s", tools: [tool("t", "first"), tool("t", "second")] }]);
    expect(tools.map(({ description }) => description)).toEqual(["first"]);
    expect(warnings).toEqual(['Server "s" lists the tool "t" twice; the second one is left out.']);
  });
});

describe("a ref that fits tools of two servers", () => {
  const catalog = buildCatalog([
    { name: "a", tools: [tool("b.c"), tool("b__c")] },
    { name: "a.b", tools: [tool("c")] },
    { name: "a__b", tools: [tool("c")] },
  ]);

  it("keeps both tools and names neither, and says so", () => {
    expect(catalog.tools).toHaveLength(4);
    expect(catalog.find("a.b.c")).toBeUndefined();
    expect(catalog.find("mcp__a__b__c")).toBeUndefined();
    expect(catalog.find("a.b__c")?.server).toBe("a");
    expect(catalog.warnings).toEqual([
      '"a.b.c" means tools of two servers, so it names neither. Rename a server.',
      '"mcp__a__b__c" means tools of two servers, so it names neither. Rename a server.',
    ]);
  });
});

describe("namespaces", () => {
  const assign = (...names: string[]) => Object.fromEntries(assignNamespaces(names).namespaces);

  it.each([
    ["github", "github"],
    ["my-server", "my_server"],
    ["2fa", "_2fa"],
    ["delete", "delete_"],
    ["console", "console_"],
    ["nami", "nami_"],
    ["search", "search_"],
    ["store", "store_"],
    ["日本", "日本"],
    ["a b.c/d:e", "a_b_c_d_e"],
    ["$x", "$x"],
  ])("of %s is %s", (name, identifier) => {
    expect(assign(name)).toEqual({ [name]: identifier });
  });

  it("keep a name that fits; the others never take one that is there, also in another case", () => {
    expect(assign("a-b", "a_b", "A_B", "a.b")).toEqual({ a_b: "a_b", A_B: "A_B", "a-b": "a_b_2", "a.b": "a_b_3" });
    expect(assignNamespaces(["a-b", "a_b"]).warnings).toEqual([
      'Server "a-b" is called a_b_2 in snippets, because another server already has a_b. Rename one to choose.',
    ]);
  });
});

describe("near names", () => {
  const names = ["github.list_issues", "github.create_issue", "slack.post_message", "everything.get-sum", "slow"];

  it.each([
    ["github.listIssues", "github.list_issues"],
    ["github.create_isue", "github.create_issue"],
    ["everything.get_sum", "everything.get-sum"],
    ["slack.postMessage", "slack.post_message"],
    ["slwo", "slow"],
  ])("of %s start with %s", (wanted, best) => {
    expect(nearest(wanted, names)[0]).toBe(best);
  });

  it("are none when nothing is like it", () => {
    expect(nearest("zzz.qqq", names)).toEqual([]);
  });
});

describe("search", () => {
  const { search } = createSearch(
    buildCatalog([
      {
        name: "github",
        tools: [tool("list_issues", "List issues of a repository"), tool("create_issue", "Open an issue")],
      },
      {
        name: "mail",
        tools: [tool("sendMessage", "Deliver an e-mail", { recipient: {} }), tool("cal", "查询日历事件")],
      },
    ]),
  );
  const refs = (query: string): string[] => search(query, 5).map(({ ref }) => ref);

  it.each([
    ["create an issue", "github.create_issue"],
    ["issues list", "github.list_issues"],
    ["send message", "mail.sendMessage"],
    ["recipients", "mail.sendMessage"],
    ["日历", "mail.cal"],
    ["delivr", "mail.sendMessage"],
    ["mail.cal", "mail.cal"],
    ["mcp__mail__cal", "mail.cal"],
  ])("for %s finds %s first", (query, ref) => {
    expect(refs(query)[0]).toBe(ref);
  });

  it("gives the first tools for an empty query and none for words that are nowhere", () => {
    expect(refs("")).toHaveLength(4);
    expect(refs("xylophone")).toEqual([]);
  });
});

describe("invisible characters", () => {
  const hostile = "a\u202eb\u200bc\u{e0041}d\u001b[31me\u0085\u2066f\tg\nh";

  it("are dropped from descriptions", () => {
    expect(dropInvisible(hostile)).toBe("abcd[31mef\tg\nh");
  });

  it("are shown as escapes where a person decides", () => {
    expect(escapeInvisible(hostile)).toBe("a\\u{202e}b\\u{200b}c\\u{e0041}d\\u{1b}[31me\\u{85}\\u{2066}f\tg\nh");
  });
});
