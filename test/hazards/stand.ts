import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, expect } from "vitest";
import type { Outcome } from "../../sandbox/index.ts";
import { isAlive, workersOf } from "../sandbox/process-table.ts";
import { openSandbox, type SnippetOptions } from "../sandbox/run-snippet.ts";

/** The engines that every hazard is met on. */
export const ENGINES = ["isolated-vm", "quickjs"] as const;

export type Engine = (typeof ENGINES)[number];

/** The shortest deadline of these tests, in milliseconds: long enough to start on a busy machine, short enough to wait for. */
export const SOON = { wallMs: 300 };

/** How a run ends that met its deadline. */
export const AT_DEADLINE = { kind: "stopped", reason: "deadline", limit: { name: "wallMs", value: SOON.wallMs } };

/**
 * Runs a hostile snippet in a pool of one, and then checks what every hazard must leave as it was: the next run on the same
 * pool works and is as fast as before, the host's event loop kept turning, nothing in the host's realm has changed, and no
 * process is left over. Gives the hostile run's outcome. All hazards of a file meet the same pool.
 */
export async function meet(engine: Engine, body: string, options: SnippetOptions = {}): Promise<Outcome> {
  const { guest, before } = await poolOf(engine);
  const realm = describeRealm();
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const outcome = await guest.run(body, options);
  lag.disable();
  expect(await guest.value(NEXT)).toEqual({ reply: { n: 1 }, clean: true });
  expect(await fastest(guest)).toBeLessThan(before * TIMES_SLOWER + SLACK_MS);
  expect(lag.max / 1e6).toBeLessThan(MOST_LAG_MS);
  expect(describeRealm()).toEqual(realm);
  if (process.platform === "linux") {
    await expect.poll(() => workersOf(process.pid).filter(isAlive).length, { timeout: 10_000 }).toBe(pools.size);
  }
  return outcome;
}

type Pool = ReturnType<typeof openSandbox>;

const pools = new Map<Engine, { readonly guest: Pool; readonly before: number }>();

afterAll(async () => {
  for (const { guest } of pools.values()) await guest.sandbox.close();
});

async function poolOf(engine: Engine) {
  const known = pools.get(engine);
  if (known !== undefined) return known;
  const guest = openSandbox(1, { engine });
  await guest.sandbox.ready();
  const pool = { guest, before: await fastest(guest) };
  pools.set(engine, pool);
  return pool;
}

/** What a run after a hazard does: it calls, prints, waits, and looks for what the run before may have left. */
const NEXT = `
  const reply = await notes.read({ n: 1 });
  await sleep(1);
  const clean = globalThis.left === undefined && ({}).left === undefined && [].left === undefined;
  return { reply, clean };`;

// Guards against a hang or a path that is slow for ever, not bars for speed: the machine may be busy.
const TIMES_SLOWER = 20;
const SLACK_MS = 500;
const MOST_LAG_MS = 3000;

/** Milliseconds of the fastest of a few small runs: what a run costs where nothing is in the way. */
async function fastest(guest: Pool): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4; i++) {
    const start = performance.now();
    await guest.value("return 1");
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** The names on what pollution would reach first, and whether the methods are still the same functions. */
function describeRealm(): readonly unknown[] {
  const objects = [globalThis, Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise, JSON];
  return [
    ...objects.map((object) => Reflect.ownKeys(object).length),
    JSON.parse,
    Array.prototype.push,
    Promise.resolve,
  ];
}
