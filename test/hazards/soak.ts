import { readdirSync, readFileSync } from "node:fs";
import { processTree, residentMb } from "../../sandbox/process-tree.ts";
import { openSandbox } from "../sandbox/run-snippet.ts";
import type { Engine } from "./stand.ts";

/** What a soak saw at one moment. Megabytes in RAM; open descriptors of the host; processes that nobody has waited for. */
export interface Sample {
  readonly run: number;
  readonly hostMb: number;
  /** Of the largest worker: that is what grows, the number of workers is bounded. */
  readonly workerMb: number;
  readonly workers: number;
  readonly descriptors: number;
  readonly zombies: number;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  /** How runs ended, and how often. */
  readonly ends: ReadonlyMap<string, number>;
  /** What is wrong with the samples: nothing, if all is well. */
  readonly problems: readonly string[];
  /** The host's descriptors before the pool was opened and after it was closed. */
  readonly descriptors: readonly [before: number, after: number];
}

const BOMB = "const all = []; for (;;) all.push(new Array(1e5).fill(1))";

/** Every kind of work and of fault, in turn. Deadlines are short, so that a thousand runs take minutes. */
const RUNS = [
  "return 1",
  "return await Promise.all([1, 2, 3].map((n) => notes.read({ n })))",
  "for (let i = 0; i < 20; i++) await notes.read({ i }); console.log('done'); return 'x'.repeat(1e5)",
  "throw new Error('x')",
  "notes.read(); await sleep(1); return new Map([[1, 2]])",
  "return JSON.parse(JSON.stringify(Array.from({ length: 1e4 }, (_, i) => ({ i })))).length",
  "for (let i = 0; i < 1e4; i++) console.log(i)",
  "setInterval(() => {}, 1); return crypto.randomUUID() + new URL('http://h/').href",
  "return 1",
  "for (;;);",
  "(function f() { f() })()",
  "return await notes.read({ large: 1 })",
  "return 1",
  "await new Promise(() => {})",
  "for (let i = 0; i < 1e5; i++) notes.read({ i })",
  BOMB,
  "return 1",
  "JSON.parse('['.repeat(5e6) + ']'.repeat(5e6))",
  "await notes.write()",
  "return 'x'.repeat(2e7)",
];

/** Milliseconds from which a run that never ends is stopped. */
const WALL_MS = 100;
/** How much memory may grow over the second half, and the megabytes below which growth is noise. */
const GROWTH = 0.05;
const NOISE_MB = 4;

/**
 * Runs that many snippets on a pool of two, several at once, and samples memory, descriptors and processes. Linux only:
 * elsewhere the samples are 0. `onSample` is told each as it is taken.
 */
export async function soak(
  engine: Engine,
  runs: number,
  onSample: (sample: Sample) => void = () => {},
): Promise<Soaked> {
  // The first process makes Node open a descriptor for the signals of children, which stays.
  await openSandbox(1, { engine }).sandbox.close();
  const before = openDescriptors();
  const samples: Sample[] = [];
  const ends = new Map<string, number>();
  {
    await using guest = openSandbox(2, { engine });
    const reply = JSON.stringify("x".repeat(1e6));
    let next = 0;
    const work = async () => {
      while (next < runs) {
        const run = next++;
        const body = RUNS[run % RUNS.length] ?? "";
        const outcome = await guest.run(body, {
          limits: { wallMs: body === BOMB ? 10_000 : WALL_MS, memoryMb: 64 },
          call: async ({ args, member }, { signal }) => {
            if (member === "write") await new Promise((resolve) => signal.addEventListener("abort", resolve));
            return { kind: "value", json: Object.hasOwn(args, "large") ? reply : JSON.stringify(args) };
          },
        });
        const end = outcome.kind === "stopped" ? outcome.reason : outcome.kind;
        ends.set(end, (ends.get(end) ?? 0) + 1);
        if ((run + 1) % Math.ceil(runs / SAMPLES) === 0) {
          // What was killed just now is gone by then.
          await new Promise((resolve) => setTimeout(resolve, 100));
          const sample = take(run + 1);
          samples.push(sample);
          onSample(sample);
        }
      }
    };
    await Promise.all([work(), work(), work()]);
  }
  // Handles of processes are closed a turn after these are gone.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = openDescriptors();
  return { samples, ends, descriptors: [before, after], problems: problemsOf(samples, before, after) };
}

const SAMPLES = 20;

function take(run: number): Sample {
  // Without this the host's size is that of its garbage. `--expose-gc` is for the script and the test.
  globalThis.gc?.();
  const below = processTree(process.pid).slice(1);
  const states = below.map(stateOf);
  const workers = below.filter((_, at) => states[at] !== "Z").map((pid) => residentMb(pid) ?? 0);
  const descriptors = openDescriptors();
  const zombies = states.filter((state) => state === "Z").length;
  return {
    run,
    hostMb: residentMb(process.pid) ?? 0,
    workerMb: Math.max(0, ...workers),
    workers: workers.length,
    descriptors,
    zombies,
  };
}

function problemsOf(samples: readonly Sample[], before: number, after: number): string[] {
  const problems: string[] = [];
  const second = samples.slice(Math.floor(samples.length / 2));
  const middle = Math.floor(second.length / 2);
  for (const key of ["hostMb", "workerMb"] as const) {
    const [start, end] = [second.slice(0, middle), second.slice(middle)].map((part) =>
      median(part.map((one) => one[key])),
    );
    if (start === undefined || end === undefined) continue;
    if (end > start * (1 + GROWTH) && end > start + NOISE_MB)
      problems.push(`${key} grew from ${start.toFixed(1)} to ${end.toFixed(1)} over the second half`);
  }
  // The other worker may have been killed in the moment of the look; what stays is a leak.
  if (samples.length > 1 && samples.every(({ zombies }) => zombies > 0)) problems.push("zombies stay");
  if ((samples.at(-1)?.zombies ?? 0) > 2) problems.push(`${samples.at(-1)?.zombies} zombies at the end`);
  const most = Math.max(0, ...samples.map(({ workers }) => workers));
  // Two that serve and two that are being killed or started.
  if (most > 6) problems.push(`${most} workers at once`);
  if (after > before) problems.push(`${after - before} descriptors are left open`);
  return problems;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  } catch {
    return undefined;
  }
}
