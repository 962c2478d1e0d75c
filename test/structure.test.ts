import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** From the ground up. A file may import from its own folder and from lower floors only. */
const FLOORS: readonly (readonly string[])[] = [
  ["errors"],
  ["config"],
  ["catalog"],
  ["mcp", "sdk", "snippet", "output"],
  ["gate"],
  ["run"],
  ["agent", "serve", "bench"],
  ["nami"],
  ["cli", "index"],
  ["demo", "bin"],
];

/** Source files under a folder of the project, relative to its root. */
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|js)$/.test(file))
    .map((file) => join(folder, file));

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** What a file imports: paths relative to the root for ours, package names for the rest. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"([^"]+)"/g)].map(([, target = ""]) =>
    target.startsWith(".") ? relative(root, join(root, dirname(file), target)) : target,
  );

/** The room of a file under src/: its folder, or its own name for files at the top. */
const roomOf = (file: string): string => file.split("/")[1]?.replace(/\.ts$/, "") ?? "";

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

const ours = sources("src").flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe("the floors", () => {
  it("have a place for every room under src", () => {
    const homeless = sources("src").filter((file) => floorOf(roomOf(file)) === -1);
    expect(homeless).toEqual([]);
  });

  it("are imported downwards only", () => {
    const upward = ours.filter(({ file, target }) => {
      if (!target.startsWith("src/") || roomOf(file) === roomOf(target)) return false;
      return floorOf(roomOf(target)) >= floorOf(roomOf(file));
    });
    expect(upward).toEqual([]);
  });

  it("leave the sandbox to run, and the sandbox imports nothing of ours", () => {
    const users = ours.filter(({ target }) => target.startsWith("sandbox/")).map(({ file }) => roomOf(file));
    expect([...new Set(users)]).toEqual(["run"]);
    const outward = sources("sandbox").flatMap((file) => importsOf(file).filter((target) => target.startsWith("src/")));
    expect(outward).toEqual([]);
  });

  it("keep the bundled demo servers apart from nami", () => {
    const servers = ours.filter(({ file }) => /^src\/demo\/(tickets|notes)\//.test(file));
    expect(servers.filter(({ target }) => target.startsWith("src/") && !target.startsWith("src/demo/"))).toEqual([]);
  });
});

describe("the doors", () => {
  /** Files under src/ and sandbox/ whose text matches, without comments. */
  const filesWith = (pattern: RegExp): string[] =>
    [...sources("src"), ...sources("sandbox")].filter((file) =>
      pattern.test(textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")),
    );

  it("to isolated-vm is sandbox/isolate.ts", () => {
    expect(filesWith(/\bfrom "isolated-vm"/)).toEqual(["sandbox/isolate.ts"]);
  });

  it("to QuickJS is sandbox/quickjs.ts", () => {
    expect(filesWith(/\bfrom "quickjs-emscripten/)).toEqual(["sandbox/quickjs.ts"]);
  });

  it("to a server's tools is gate/caller.ts", () => {
    const holders = ours.filter(({ target }) => target === "src/mcp/connection.ts").map(({ file }) => file);
    expect(holders.sort()).toEqual(["src/gate/caller.ts", "src/mcp/connect-all.ts"]);
    expect(filesWith(/\bconnection\.call\(/)).toEqual(["src/gate/caller.ts"]);
    expect(filesWith(/\.callTool\(|"tools\/call"/).every((file) => file.startsWith("src/mcp/"))).toBe(true);
  });

  it("out of the process is cli/main.ts", () => {
    expect(filesWith(/\bprocess\.exit\(/).filter((file) => !file.startsWith("sandbox/"))).toEqual(["src/cli/main.ts"]);
  });

  it("to the OpenAI package is agent", () => {
    expect(filesWith(/from "openai/).every((file) => file.startsWith("src/agent/"))).toBe(true);
  });
});
