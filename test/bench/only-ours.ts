import { residentMb } from "../../sandbox/process-tree.ts";
import { isAlive, workersOf } from "../sandbox/process-table.ts";
import { openSandbox } from "../sandbox/run-snippet.ts";

/** Runs a second of two workers that always have work: three calls and one printed line in each run. */
export async function runsPerSecond(): Promise<number> {
  await using guest = openSandbox(2);
  await Promise.all([guest.run(""), guest.run("")]);
  const body = "console.log('x'); for (let i = 0; i < 3; i++) await notes.read({ i }); return 1";
  const until = performance.now() + 2000;
  let runs = 0;
  const work = async () => {
    while (performance.now() < until) {
      await guest.run(body);
      runs++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return runs / 2;
}

/** Megabytes in RAM of a worker that has run nothing yet; 0 where the system does not say. */
export async function freshWorkerMb(): Promise<number> {
  await using guest = openSandbox();
  await guest.sandbox.ready();
  return Math.max(
    0,
    ...workersOf(process.pid)
      .filter(isAlive)
      .map((pid) => residentMb(pid) ?? 0),
  );
}
