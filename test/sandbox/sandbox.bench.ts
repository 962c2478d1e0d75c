import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "vitest";
import { CONTENDERS } from "../bench/contenders.ts";
import { freshWorkerMb, runsPerSecond } from "../bench/only-ours.ts";
import { FIRST, ROWS } from "../bench/rows.ts";

const MEASURE = fileURLToPath(new URL("../bench/measure.ts", import.meta.url));

/** Rounds of all contenders in turn, so that what else the machine does meets all of them. The best of each counts. */
const ROUNDS = Number(process.env["NAMI_ROUNDS"] ?? 3);

/** isolated-vm asks for the flag; it is as slow for all. */
async function measure(name: string): Promise<readonly (number | null)[]> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-node-snapshot", MEASURE, name]);
    // The last line, for a rival may print too.
    return (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { figures: (number | null)[] }).figures;
  } catch {
    return [];
  }
}

test("the sandbox beside the published rivals", { timeout: 600_000 }, async () => {
  const names = Object.keys(CONTENDERS);
  const best = new Map<string, (number | undefined)[]>(names.map((name) => [name, []]));
  const before = loadavg()[0] ?? 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const figures = best.get(name) ?? [];
      for (const [at, figure] of (await measure(name)).entries()) {
        if (figure !== null) figures[at] = Math.min(figure, figures[at] ?? Number.POSITIVE_INFINITY);
      }
    }
  }
  const ours = best.get("nami") ?? [];
  const lines = [FIRST, ...ROWS].map(({ name, unit, goal }, at) => {
    const own = ours[at];
    const cells = names.map((each) => {
      const figure = best.get(each)?.[at];
      if (figure === undefined) return best.get(each)?.length === 0 ? "not installed" : "fails";
      const ratio = each === "nami" || own === undefined ? "" : ` (${(figure / own).toFixed(1)}x)`;
      return figure.toPrecision(3) + ratio;
    });
    return [`${name}, ${unit}`, ...goalCells(goal, own, (figure, limit) => figure <= limit), ...cells];
  });
  const [rate, megabytes] = [await runsPerSecond(), await freshWorkerMb()];
  lines.push(["two workers, runs/s", ...goalCells(400, rate, (figure, limit) => figure >= limit), rate.toFixed(0)]);
  lines.push([
    "fresh worker, MB in RAM",
    ...goalCells(60, megabytes, (figure, limit) => figure <= limit),
    megabytes.toFixed(0),
  ]);
  const table = [["", "goal", "", ...names], ...lines];
  const widths = table.reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(cell.length, all[at] ?? 0)).concat(all.slice(row.length)),
    [],
  );
  const text = table.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
  console.log(
    [
      ...text,
      "",
      `Best of ${ROUNDS} rounds on Node ${process.version}; load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
      "In brackets: how many times as long as nami takes. The rivals run in their host's own process; node:vm isolates nothing.",
      ...(names.some((name) => best.get(name)?.length === 0) ? ["Rivals are installed by: npm run bench:rivals"] : []),
    ].join("\n"),
  );
});

function goalCells(
  goal: number | undefined,
  figure: number | undefined,
  met: (figure: number, goal: number) => boolean,
) {
  if (goal === undefined || figure === undefined) return ["", ""];
  return [String(goal), met(figure, goal) ? "met" : "not met"];
}
