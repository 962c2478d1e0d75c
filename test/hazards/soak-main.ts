/** `npm run soak [runs] [engine]`: prints samples as they are taken, and fails if anything grew or was left behind. */
import { loadavg } from "node:os";
import { soak } from "./soak.ts";

const [runs = "2000", engine = "isolated-vm"] = process.argv.slice(2);
const started = performance.now();
const print = (...cells: readonly (string | number)[]) => {
  console.log(
    cells.map((cell) => (typeof cell === "number" ? String(Math.round(cell * 10) / 10) : cell).padStart(12)).join(""),
  );
};
print("run", "host MB", "worker MB", "workers", "descriptors", "zombies");
const { ends, descriptors, problems } = await soak(engine === "quickjs" ? engine : "isolated-vm", Number(runs), (one) =>
  print(one.run, one.hostMb, one.workerMb, one.workers, one.descriptors, one.zombies),
);
console.log(`\n${[...ends].map(([end, count]) => `${end} ${count}`).join(", ")}`);
console.log(`descriptors before and after: ${descriptors.join(", ")}`);
console.log(`${Math.round((performance.now() - started) / 1000)} s, load average ${loadavg()[0]?.toFixed(1)}`);
for (const problem of problems) console.error(`FAILED: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
