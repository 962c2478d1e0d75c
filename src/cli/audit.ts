import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { auditFile, namiHome } from "../config/paths.ts";
import { queryAudit } from "../gate/audit/query.ts";
import { type Finding, verifyAudit } from "../gate/audit/verify.ts";
import { auditText } from "./audit-text.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { parseCount } from "./options.ts";

interface AuditFlags {
  readonly run?: string;
  readonly tool?: string;
  readonly server?: string;
  readonly since?: number;
  readonly limit: number;
  readonly file?: string;
  readonly json?: true;
  readonly known?: string;
}

const EXAMPLES = `
Examples:
  nami audit --since 2h                    what was decided and called in the last two hours
  nami audit --run run-41af                one run, by the beginning of its id
  nami audit --tool tickets.close_ticket   one tool
  nami audit verify                        whether lines were changed, removed or inserted
  nami audit verify --known 9f86d0…        the same, and that the line with this hash is still there`;

/** `nami audit`: what was decided and called. `nami audit verify`: whether the record is as it was written. */
export function auditCommand(program: Command, io: Io): void {
  const audit = addOptions(program.command("audit"))
    .description("list what was decided and called, newest last")
    .option("--run <id>", "only this run; the beginning of its id will do")
    .option("--tool <tool>", "only this tool: its name, or server.tool")
    .option("--server <name>", "only this server")
    .option(
      "--since <time>",
      "only from then on: 30m, 2h, 7d, or a date such as 2026-12-01 or 2026-12-01T09:30",
      parseSince,
    )
    .option("--limit <n>", "most lines, the newest ones", parseCount, 100)
    .addHelpText("after", EXAMPLES)
    .action(async (flags: AuditFlags) => {
      const { lines, left, unreadable } = await queryAudit(fileOf(flags), flags);
      for (const { record, text } of lines) io.stdout.write(`${flags.json ? text : auditText(record)}\n`);
      if (left > 0) io.stderr.write(`nami: not shown: ${count(left, "older line")}; --limit shows more\n`);
      if (unreadable > 0) io.stderr.write(`nami: ${count(unreadable, "line")} cannot be read; see nami audit verify\n`);
      if (lines.length === 0) io.stderr.write(`nami: nothing of the kind in ${fileOf(flags)}\n`);
    });
  addOptions(audit.command("verify"))
    .description("check that no line was changed, removed or inserted; exit code 1 if one was")
    .option("--known <hash>", "a line's hash that was kept elsewhere: check that the line is still there", parseHash)
    .action(async (_: AuditFlags, command: Command) => {
      // Options that stand before `verify` are the parent's.
      await verify(command.optsWithGlobals(), io);
    });
}

function addOptions(command: Command): Command {
  return command
    .option("--file <file>", "audit file (default: state/audit.jsonl in ~/.nami-agent, or under NAMI_HOME)")
    .option("--json", "print JSON; of a listing, the lines as they are in the file");
}

const fileOf = ({ file }: AuditFlags): string => file ?? auditFile(namiHome(process.env));

async function verify(flags: AuditFlags, io: Io): Promise<void> {
  const verdict = await verifyAudit(fileOf(flags), flags.known);
  const isIntact = verdict.problems.length === 0 && verdict.isKnownThere;
  io.exit(isIntact ? EXIT.ok : EXIT.failed);
  if (flags.json) return io.stdout.write(`${JSON.stringify({ ok: isIntact, ...verdict }, null, 2)}\n`);
  for (const found of verdict.cut) io.stdout.write(`note: ${findingText(found)}\n`);
  for (const found of verdict.problems) io.stdout.write(`${findingText(found)}\n`);
  if (!verdict.isKnownThere)
    io.stdout.write("the line with the known hash is not there: lines were changed or removed\n");
  io.stdout.write(
    `${isIntact ? "intact" : "NOT INTACT"}: ${count(verdict.lines, "line")} in ${count(verdict.files, "file")}; hash of the last line: ${verdict.last}\n`,
  );
}

const findingText = ({ file, number, message }: Finding): string => `${basename(file)}:${number}: ${message}`;

const count = (n: number, what: string): string => `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;

function parseHash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError("Give the 64 digits that verify has printed.");
  return text.toLowerCase();
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds since 1970 of an age such as `2h`, or of a date or a time in the machine's zone. */
function parseSince(text: string): number {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  if (unit !== "") return Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  // A date alone would be taken as midnight in UTC.
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError("Give an age such as 30m, 2h, 7d, or a date such as 2026-12-01.");
  return time;
}
