import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasTerminal } from "../cli/terminal.ts";
import { demoSnippet, demoTask } from "./job.ts";
import { demoServers } from "./servers.ts";

/**
 * The demo: a real job on two real MCP servers, through the command line as a person would use it. Everything lives in a
 * temporary folder that is removed at the end. With OPENAI_API_KEY (or OPENAI_BASE_URL) and NAMI_MODEL set, a model then does
 * the same from one sentence, on fresh data.
 */
const nami = fileURLToPath(new URL("../bin.js", import.meta.url));
const WRITES = ["tickets.close_ticket", "notes.write_note"];

const codes = [await byHand()];
if ((process.env["OPENAI_API_KEY"] || process.env["OPENAI_BASE_URL"]) && process.env["NAMI_MODEL"]) {
  codes.push(await byModel());
} else {
  say(
    `With OPENAI_API_KEY and NAMI_MODEL set, this demo goes on with a model that gets one sentence:\n  "${demoTask}"`,
  );
}
process.exitCode = codes.find((code) => code !== 0) ?? 0;

/** A snippet that somebody wrote, run with no model. */
async function byHand(): Promise<number> {
  return await inFreshFolder(async (folder, config) => {
    const file = join(folder, "close-duplicates.ts");
    await writeFile(file, demoSnippet);
    say(`A ticket system with 500 tickets and a folder of notes, as MCP servers. The job, as a snippet:\n`);
    process.stdout.write(`${demoSnippet.trim().replace(/^/gm, "  | ")}\n`);
    return await run(folder, ["exec", file, "--config", config, ...allowed()]);
  });
}

/** The same job from one sentence. */
async function byModel(): Promise<number> {
  return await inFreshFolder((folder, config) => run(folder, ["run", demoTask, "--config", config, ...allowed()]));
}

/** Where somebody can answer, nami asks before it writes; elsewhere the demo allows its two writes and says so. */
function allowed(): string[] {
  if (hasTerminal()) return [];
  say(`There is no terminal to ask on, so the demo allows its two writes: ${WRITES.join(", ")}.`);
  return WRITES.flatMap((ref) => ["--allow", ref]);
}

async function inFreshFolder(work: (folder: string, config: string) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "nami-demo-"));
  try {
    const notes = join(folder, "notes");
    await mkdir(notes);
    const config = join(folder, "mcp.json");
    await writeFile(
      config,
      JSON.stringify({ servers: demoServers({ db: join(folder, "tickets.db"), dir: notes }) }, null, 2),
    );
    const code = await work(folder, config);
    const note = await readFile(join(notes, "stale-duplicates.md"), "utf8").catch(() => undefined);
    if (note) say(`The note that it wrote begins:\n${note.split("\n").slice(0, 8).join("\n").replace(/^/gm, "  | ")}`);
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command line with the terminal as it is, and its state in the demo's folder. */
async function run(folder: string, args: readonly string[]): Promise<number> {
  say(
    `$ nami ${args
      .map((arg) => (/[\s"']/.test(arg) ? JSON.stringify(arg) : arg))
      .join(" ")
      .replaceAll(folder, "…")}`,
  );
  const child = spawn(process.execPath, [nami, ...args], {
    stdio: "inherit",
    env: { ...process.env, NAMI_HOME: join(folder, "home") },
  });
  // The terminal sends Ctrl-C to both: the child decides, the demo waits for it.
  process.on("SIGINT", () => {});
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 130));
  });
}

function say(text: string): void {
  process.stdout.write(`\n${text}\n\n`);
}
