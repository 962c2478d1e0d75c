import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { NamiError } from "../errors.ts";
import { EXIT } from "./exit-codes.ts";
import { forgetCommand } from "./forget.ts";
import type { Io } from "./io.ts";
import { addServerOptions, parseCount } from "./options.ts";
import { createProgress } from "./progress.ts";
import { findTools } from "./tools-find.ts";
import { listTools } from "./tools-list.ts";
import { openToolsSource, type SourceFlags, toolsOf } from "./tools-source.ts";
import { renderTokens } from "./tools-tokens.ts";
import { renderTools, type ToolsView, VIEWS } from "./tools-view.ts";

interface ToolsFlags extends SourceFlags {
  readonly limit: number;
  readonly view?: ToolsView;
  readonly budget?: number;
  readonly tokens?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  nami tools                                    all tools; with very many, all servers
  nami tools --server github                    the tools of one server
  nami tools create issue                       the tools that fit these words
  nami tools github.create_issue                one tool with its types and comments
  nami tools github.create_issue args.labels    a part of its types
  nami tools github.create_issue --budget 500   the same, folded to 500 tokens as a model sees it
  nami tools --view names --budget 1000         what a prompt of 1,000 tokens can say of all tools
  nami tools --tokens                           what the tools of each server cost in a prompt`;

/** `nami tools`: what there is, what matches words, one tool or a part of it, and what they cost in tokens. */
export function toolsCommand(program: Command, io: Io): void {
  const command = program
    .command("tools")
    .description("list the tools of your servers; with words search them; with server.tool show one in full")
    .argument("[query...]", "words, or server.tool, or server.tool and a path such as args.body or result.items[]")
    .option("--limit <n>", "most tools that a search shows", parseCount, 20)
    .option(
      "--server <name>",
      "only this server; may be repeated",
      (name: string, names: string[]) => [...names, name],
      [],
    )
    .addOption(
      new Option("--view <view>", "how much of each tool: its name, a line, or its types in full").choices([...VIEWS]),
    )
    .option("--budget <tokens>", "show what fits in so many tokens, at least 200", parseBudget)
    .addOption(new Option("--tokens", "count tokens instead, by server").conflicts(["view", "budget"]))
    .option("--from <files...>", 'saved tool lists ({ "server", "tools" }) instead of running servers')
    .option("--json", "print JSON")
    .addHelpText("after", EXAMPLES);
  forgetCommand(command, io);
  addServerOptions(command).action(async (given: string[], givenFlags: ToolsFlags) => {
    const { words, flags } = splitFrom(given, givenFlags);
    using progress = createProgress(io.stderr);
    const source = await openToolsSource(flags, progress, io);
    const query = words.join(" ").trim();
    io.stdout.write(`${await answer(query, source, flags)}\n`);
    io.exit(source.failed.length > 0 && source.catalog.servers.length === 0 ? EXIT.failed : EXIT.ok);
  });
}

async function answer(
  query: string,
  source: Awaited<ReturnType<typeof openToolsSource>>,
  flags: ToolsFlags,
): Promise<string> {
  const found = query === "" ? undefined : findTools(query, source, flags);
  const tools = found?.tools ?? toolsOf(source.servers);
  if (flags.tokens) return await renderTokens(tools, source, flags.json === true);
  if (found?.path !== undefined && flags.view !== undefined) {
    throw new NamiError("USAGE", "--view shows whole tools: leave out the path, or --view.");
  }
  if (found === undefined && flags.view === undefined && flags.budget === undefined) return listTools(source, flags);
  return await renderTools({ ...found, tools }, source, flags);
}

/** `--from` takes all words that follow it. After the first, one that is no file belongs to the query. */
function splitFrom(given: readonly string[], flags: ToolsFlags): { words: readonly string[]; flags: ToolsFlags } {
  const [first, ...others] = flags.from ?? [];
  if (first === undefined) return { words: given, flags };
  const isFile = (name: string): boolean => /\.json$/i.test(name) || isFileHere(name);
  const from = [first, ...others.filter(isFile)];
  return { words: [...others.filter((name) => !isFile(name)), ...given], flags: { ...flags, from } };
}

const isFileHere = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;

/** Less shows little but names. */
const SMALLEST_BUDGET = 200;

function parseBudget(text: string): number {
  const tokens = parseCount(text);
  if (tokens < SMALLEST_BUDGET) throw new InvalidArgumentError(`Give at least ${SMALLEST_BUDGET} tokens.`);
  return tokens;
}
