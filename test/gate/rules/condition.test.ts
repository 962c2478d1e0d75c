import { describe, expect, it } from "vitest";
import { parseConditions } from "../../../src/config/conditions.ts";
import { holds, LONGEST_TEXT } from "../../../src/gate/rules/condition.ts";
import { matchesGlob } from "../../../src/gate/rules/glob.ts";

const judge = (when: object, args: unknown) => {
  const [condition] = parseConditions(when, "/home/me", (path, what) => {
    throw new Error(`${path.join(".")}: ${what}`);
  });
  if (condition === undefined) throw new Error("no condition");
  return holds(condition, args);
};

describe("under a folder", () => {
  it.each([
    ["/home/me/notes", "yes"],
    ["/home/me/notes/", "yes"],
    ["/home/me/notes/a/b.md", "yes"],
    ["/home/me//notes/./a.md", "yes"],
    ["/home/me/notes/ä.md", "yes"],
    ["/home/me/notes2/a.md", "no"],
    ["/home/me", "no"],
    ["/", "no"],
    ["/etc/passwd", "no"],
    ["/home/me/notes/../.ssh/id", "unknown"],
    ["/home/me/notes/link/../../x", "unknown"],
    ["/etc/../home/me/notes/a", "unknown"],
    ["/home/me/notes/.. /x", "unknown"],
    ["/home/me/notes/.../x", "unknown"],
    ["//home/me/notes/a", "unknown"],
    ["notes/a.md", "unknown"],
    ["", "unknown"],
    [" /home/me/notes/a", "unknown"],
    ["~/notes/a.md", "unknown"],
    ["file:///home/me/notes/a", "unknown"],
    ["/home/me/notes/a\0/../../x", "unknown"],
    ["/home/me/notes/\u202ea", "unknown"],
    ["/home/me/notes/%2e%2e/x", "unknown"],
    ["/home/me/notes/..\\..\\x", "unknown"],
    ["\\home\\me\\notes", "unknown"],
    ["C:\\home\\me\\notes", "unknown"],
    ["/Home/Me/NOTES/a", "unknown"],
    ["/home/me/notes./a", "unknown"],
    ["/home/me/ｎotes/a", "unknown"],
    [["/home/me/notes/a"], "unknown"],
    [7, "unknown"],
    [null, "unknown"],
  ])("%j: %s", (path, verdict) => {
    expect(judge({ path: { under: "/home/me/notes" } }, { path })).toBe(verdict);
    expect(judge({ path: { under: "~/notes/" } }, { path })).toBe(verdict);
  });

  it.each([
    ["C:\\notes\\a.md", "yes"],
    ["c:/notes/a.md", "yes"],
    ["C:\\notes2\\a", "no"],
    ["D:\\notes\\a", "no"],
    ["C:\\NOTES\\a", "unknown"],
    ["C:notes\\a", "unknown"],
    ["C:\\notes\\a.md:stream", "unknown"],
    ["C:\\NOTES~1\\a", "unknown"],
    ["C:\\notes\\..\\x", "unknown"],
    ["\\\\?\\C:\\notes\\a", "unknown"],
    ["/notes/a", "unknown"],
  ])("on a drive, %j: %s", (path, verdict) => {
    expect(judge({ path: { under: "C:\\notes" } }, { path })).toBe(verdict);
  });

  it("takes the root as everything that is absolute", () => {
    expect(judge({ path: { under: "/" } }, { path: "/etc" })).toBe("yes");
    expect(judge({ path: { under: "/" } }, { path: "etc" })).toBe("unknown");
  });
});

describe("other conditions", () => {
  it.each([
    [{ repo: { in: ["a/b", "c/d"] } }, { repo: "c/d" }, "yes"],
    [{ repo: { in: ["a/b"] } }, { repo: "x/y" }, "no"],
    [{ repo: { in: ["a/b"] } }, { repo: "A/B" }, "unknown"],
    [{ repo: { in: ["a/b"] } }, { repo: "a/\u200bb" }, "unknown"],
    [{ repo: { in: ["a/b"] } }, { repo: ["a/b"] }, "unknown"],
    [{ n: { is: 5 } }, { n: 5 }, "yes"],
    [{ n: { is: 5 } }, { n: 6 }, "no"],
    [{ n: { is: 5 } }, { n: "5" }, "unknown"],
    [{ n: { is: true } }, { n: false }, "no"],
    [{ n: { is: null } }, { n: null }, "yes"],
    [{ n: { is: null } }, { n: {} }, "unknown"],
    [{ n: { below: 5 } }, { n: 4.9 }, "yes"],
    [{ n: { below: 5 } }, { n: 5 }, "no"],
    [{ n: { atMost: 5 } }, { n: 5 }, "yes"],
    [{ n: { atMost: 5 } }, { n: 5.1 }, "no"],
    [{ n: { above: 5 } }, { n: 5 }, "no"],
    [{ n: { atLeast: 5 } }, { n: 5 }, "yes"],
    [{ n: { atLeast: 5 } }, { n: "9" }, "unknown"],
    [{ n: { below: 5 } }, { n: Number.NaN }, "unknown"],
    [{ n: { above: 5 } }, { n: Number.POSITIVE_INFINITY }, "unknown"],
    [{ b: { matches: "feature/*" } }, { b: "feature/x" }, "yes"],
    [{ b: { matches: "feature/*" } }, { b: "my/feature/x" }, "no"],
    [{ b: { matches: "feature/*" } }, { b: "Feature/x" }, "unknown"],
    [{ "issue.repo": { is: "r" } }, { issue: { repo: "r" } }, "yes"],
    [{ "issue.repo": { is: "r" } }, { "issue.repo": "r" }, "unknown"],
    [{ "issue.repo": { is: "r" } }, {}, "unknown"],
    [{ "issue.repo": { is: "r" } }, { issue: "r" }, "unknown"],
  ])("%j on %j: %s", (when, args, verdict) => {
    expect(judge(when, args)).toBe(verdict);
  });

  it.each([
    [["/n/a", "/n/b"], "yes"],
    [["/etc/a", "/etc/b"], "no"],
    [["/n/a", "/etc/b"], "unknown"],
    [["/n/a", "n/b"], "unknown"],
    [[], "unknown"],
  ])("on each element of a list, %j: %s", (paths, verdict) => {
    const files = paths.map((path) => ({ path }));
    expect(judge({ "files[].path": { under: "/n" } }, { files })).toBe(verdict);
    expect(judge({ "paths[]": { under: "/n" } }, { paths })).toBe(verdict);
  });

  it("look at own properties only, and at nothing that throws", () => {
    const inherited = Object.create({ path: "/n/a" });
    expect(judge({ path: { under: "/n" } }, inherited)).toBe("unknown");
    expect(judge({ "__proto__.path": { is: 1 } }, { a: 1 })).toBe("unknown");
    expect(judge({ "constructor.name": { is: "Object" } }, {})).toBe("unknown");
    expect(judge({ length: { atLeast: 0 } }, [])).toBe("unknown");
    const thrower = {
      get path() {
        throw new Error("no");
      },
    };
    expect(judge({ path: { under: "/n" } }, thrower)).toBe("unknown");
  });

  it("say nothing of texts above their limit", () => {
    const text = "a".repeat(LONGEST_TEXT);
    expect(judge({ b: { matches: "a*" } }, { b: text })).toBe("yes");
    expect(judge({ b: { matches: "a*" } }, { b: `${text}a` })).toBe("unknown");
  });
});

describe("a pattern", () => {
  it.each([
    ["a", "a", true],
    ["a", "ab", false],
    ["*", "", true],
    ["a*", "a", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*b*", "abc", true],
    ["a*b*c", "acbc", true],
    ["a*bc*c", "abc", false],
    ["*ab*ab*", "ab", false],
    [".*", "ax", false],
  ])("%s fits %s: %s", (pattern, text, fits) => {
    expect(matchesGlob(pattern, text)).toBe(fits);
  });
});

describe("an argument that is absent", () => {
  it.each([
    [{}, "yes"],
    [{ other: 1 }, "yes"],
    [{ cc: "a" }, "no"],
    [{ cc: null }, "no"],
    [{ CC: "a" }, "unknown"],
    [{ "c\u200bc": "a" }, "unknown"],
    [[], "unknown"],
    ["text", "unknown"],
    [JSON.parse('{ "__proto__": { "cc": "a" } }'), "yes"],
  ])("%j: %s", (args, verdict) => {
    expect(judge({ cc: { absent: true } }, args)).toBe(verdict);
  });

  it("takes only true for its word", () => {
    expect(() => judge({ cc: { absent: false } }, {})).toThrow("must be true");
  });
});
