import { execFile } from "node:child_process";
import { mkdtemp, readdir, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openDayCounts } from "../../../src/gate/rules/day-counts.ts";

const folder = () => mkdtemp(join(tmpdir(), "nami-days-"));
const sorted = (counts: readonly number[]) => [...counts].sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe("daily counts", () => {
  it("give each of many calls at once a number of its own", async () => {
    const days = openDayCounts(join(await folder(), "made"));
    const counts = await Promise.all(upTo(100).map(() => days.take("r")));
    expect(sorted(counts)).toEqual(upTo(100));
    expect(await days.take("another")).toBe(1);
  });

  it("survive the process and hold across processes at work at once", async () => {
    const shared = await folder();
    const module = new URL("../../../src/gate/rules/day-counts.ts", import.meta.url).href;
    const program = `import { openDayCounts } from ${JSON.stringify(module)};
      const days = openDayCounts(${JSON.stringify(shared)});
      console.log(JSON.stringify(await Promise.all(Array.from({ length: 40 }, () => days.take("r")))));`;
    const args = ["--input-type=module-typescript", "--eval", program];
    const runs = await Promise.all(upTo(3).map(() => promisify(execFile)(process.execPath, args)));
    expect(sorted(runs.flatMap(({ stdout }) => JSON.parse(stdout)))).toEqual(upTo(120));
    expect(await openDayCounts(shared).take("r")).toBe(121);
  });

  it("begin anew on the next local day, and old days are removed", async () => {
    const shared = await folder();
    let now = new Date(2026, 4, 1, 23, 59);
    const days = openDayCounts(shared, () => now);
    expect([await days.take("r"), await days.take("r")]).toEqual([1, 2]);
    now = new Date(2026, 4, 2, 0, 1);
    expect(await days.take("r")).toBe(1);
    const files = await readdir(shared);
    for (const file of files) await utimes(join(shared, file), new Date(2026, 4, 2), new Date(2026, 4, 2));
    expect(await openDayCounts(shared, () => new Date(2026, 4, 9)).take("r")).toBe(1);
    expect(await readdir(shared)).toEqual([expect.stringMatching(/^2026-05-09-/)]);
  });
});
