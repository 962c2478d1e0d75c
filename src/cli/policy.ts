import { type Command, InvalidArgumentError } from "commander";
import type { Catalog } from "../catalog/catalog.ts";
import type { RuleSetting } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { configFile, namiHome } from "../config/paths.ts";
import { ruleWords } from "../gate/rules/words.ts";
import { createRules, findTool, type Rules, type WrittenRules } from "../gate/rules.ts";
import { openWorkspace } from "../nami.ts";
import type { Io } from "./io.ts";
import { addServerOptions, type ServerFlags } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { reportEvents, reportWarnings } from "./report.ts";
import { savedCatalog } from "./saved-catalog.ts";

interface PolicyFlags extends ServerFlags {
  readonly from?: readonly string[];
  readonly json?: true;
}

/** `nami policy`: the rules in the order in which they are tried, and which of them decides a call. Counts no call. */
export function policyCommand(program: Command, io: Io): void {
  const policy = addOptions(program.command("policy"))
    .description("list the rules in the order in which they are tried, with what each covers")
    .action(async (flags: PolicyFlags) => {
      const { catalog, rules } = await openPolicy(flags, io);
      const rows = rules.ordered.map((rule) => ({
        rule: rule.label,
        says: ruleWords(rule),
        covers: catalog.tools.filter((tool) => rule.covers(tool)).map(({ ref }) => ref),
      }));
      if (flags.json) return io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
      for (const { rule, says, covers } of rows) io.stdout.write(`${rule}: ${says}\n  ${coverage(covers)}\n`);
    });
  addOptions(policy.command("explain"))
    .description("say which rule decides a call, and why the more specific ones do not")
    .argument("<server.tool>", "the tool, with the server's exact name")
    .argument("[arguments]", "the call's arguments as a JSON object", parseArguments, {})
    .action(async (ref: string, args: object, _: unknown, command: Command) => {
      // Options that stand before `explain` are the parent's.
      const flags: PolicyFlags = command.optsWithGlobals();
      const { catalog, rules } = await openPolicy(flags, io);
      const tool = findTool(catalog, ref);
      const { ruling, steps } = rules.explain(tool, args);
      if (flags.json) return io.stdout.write(`${JSON.stringify({ tool: tool.ref, ...ruling, steps }, null, 2)}\n`);
      io.stdout.write(`${tool.ref}: ${ruling.kind}, by ${ruling.rule}\n`);
      if (ruling.reason !== undefined) io.stdout.write(`  ${ruling.reason}\n`);
      for (const { rule, decision, applies, why } of steps)
        io.stdout.write(`  ${applies ? "decides" : "skipped"}: ${rule} (${decision}): ${why}\n`);
    });
}

function addOptions(command: Command): Command {
  return addServerOptions(command)
    .option("--from <file...>", "saved tool lists instead of running servers")
    .option("--json", "print it as JSON");
}

async function openPolicy(flags: PolicyFlags, io: Io): Promise<{ readonly catalog: Catalog; readonly rules: Rules }> {
  const progress = createProgress(io.stderr);
  progress.status(flags.from ? "reading tool lists" : "starting servers");
  const opened = flags.from ? await saved(flags, flags.from) : await live(flags, progress, io);
  progress.status("");
  reportWarnings(progress, opened.rules.warnings);
  return opened;
}

async function saved(flags: PolicyFlags, files: readonly string[]) {
  const config = await loadConfig(flags.config ?? configFile(namiHome(process.env)), process.env);
  const catalog = await savedCatalog(files);
  const missing = [...config.servers.map(({ name }) => name), ...config.problems.map(({ server }) => server)]
    .filter((name) => !catalog.servers.some((server) => server.name === name))
    .map((server) => ({ server }));
  return { catalog, rules: createRules(catalog, config.servers, [], missing, uncounted(config.rules)) };
}

async function live(flags: PolicyFlags, progress: Progress, io: Io) {
  await using workspace = await openWorkspace({
    ...(flags.config !== undefined && { config: flags.config }),
    learned: false,
    onEvent: reportEvents(progress),
    signal: io.signal,
  });
  io.signal.throwIfAborted();
  const { catalog, config, failed } = workspace;
  return { catalog, rules: createRules(catalog, config.servers, [], failed, uncounted(config.rules)) };
}

/** Rules that are only looked at: nothing is counted. */
function uncounted(rules: readonly RuleSetting[]): WrittenRules {
  return { rules, days: { take: async () => 0 } };
}

/** Tools that a line names. */
const NAMED = 8;

function coverage(refs: readonly string[]): string {
  if (refs.length === 0) return "covers no tool";
  const rest = refs.length > NAMED ? `, … ${refs.length - NAMED} more` : "";
  return `covers ${refs.length}: ${refs.slice(0, NAMED).join(", ")}${rest}`;
}

function parseArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('Give a JSON object: \'{"path": "/home/me/notes/a.md"}\'.');
}
