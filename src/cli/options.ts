import { type Command, InvalidArgumentError, Option } from "commander";
import type { LimitSetting } from "../config/config.ts";
import type { NamiOptions } from "../nami.ts";
import { LIMIT_DEFAULTS, readLimits } from "../run/limit-settings.ts";
import type { Limits } from "../run/sandbox.ts";

/** Options that every command with servers takes. */
export interface ServerFlags {
  readonly config?: string;
}

/** Options of commands that run snippets. */
export interface RunFlags extends ServerFlags {
  readonly allow: readonly string[];
  readonly timeout?: number;
  readonly maxCalls?: number;
  readonly memory?: number;
  readonly limit: readonly LimitSetting[];
  readonly outputTokens?: number;
  readonly learned: boolean;
  readonly plan?: true;
  readonly json?: true;
}

export function addServerOptions(command: Command): Command {
  return command.option("--config <file>", "configuration file (default: ~/.nami-agent/mcp.json, or under NAMI_HOME)");
}

export function addRunOptions(command: Command): Command {
  return addServerOptions(command)
    .addOption(
      new Option("--allow <server.tool>", "let this tool run without asking; may be repeated")
        .argParser((ref: string, refs: string[]) => [...refs, ref])
        .default([], "none"),
    )
    .option(
      "--timeout <time>",
      "deadline of a run, such as 30s, 500ms, 2m; waiting for a person does not count (default: 60s)",
      parseTime,
    )
    .option("--max-calls <n>", "most calls that a run may make (default: 1000)", parseCount)
    .option("--memory <megabytes>", "memory of a run's isolate (default: 128)", parseCount)
    .addOption(
      new Option("--limit <name=number>", "any limit of a run, such as inFlight=4; may be repeated (see --help)")
        .argParser((text: string, limits: readonly LimitSetting[]) => [...limits, parseLimit(text)])
        .default([], "none"),
    )
    .option("--output-tokens <n>", "most tokens of a run's output (default: 4000)", parseCount)
    .option("--plan", "collect the calls that need asking, and ask about all of them at the end; then make those")
    .option("--no-learned", "neither use nor keep result types that are learned on this machine")
    .option("--json", "print everything about the result as JSON")
    .addHelpText("after", `\nLimits and their defaults: ${limitList()}.`);
}

const limitList = (): string =>
  Object.entries(LIMIT_DEFAULTS)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

function parseLimit(text: string): LimitSetting {
  const [, name = "", value = ""] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === "" || !Number.isFinite(Number(value)))
    throw new InvalidArgumentError("Give a name and a number: calls=50.");
  return { name, value: Number(value), place: "--limit" };
}

/** The library's options for these flags. */
export function toNamiOptions(flags: RunFlags): NamiOptions {
  return {
    ...(flags.config !== undefined && { config: flags.config }),
    allow: flags.allow,
    limits: toLimits(flags),
    ...(flags.plan && { plan: true }),
    ...(!flags.learned && { learned: false }),
    ...(flags.outputTokens !== undefined && { outputTokens: flags.outputTokens }),
  };
}

function toLimits(flags: RunFlags): Partial<Limits> {
  return {
    ...readLimits(flags.limit),
    ...(flags.timeout !== undefined && { wallMs: flags.timeout }),
    ...(flags.maxCalls !== undefined && { calls: flags.maxCalls }),
    ...(flags.memory !== undefined && { memoryMb: flags.memory }),
  };
}

/** A whole number above zero. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Give a whole number above zero.");
  return value;
}

/** Milliseconds of `500ms`, `30s`, `2m`, `1h`, or of a plain number of seconds. */
export function parseTime(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const milliseconds = match ? Number(match[1]) * (UNITS[match[2] ?? "s"] ?? 0) : 0;
  if (!(milliseconds >= 1 && milliseconds < 2 ** 31))
    throw new InvalidArgumentError("Give a time such as 30s, 500ms or 2m.");
  return Math.round(milliseconds);
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
