import { expect, it } from "vitest";
import { DEFAULT_LIMITS, type GuestCall, type HostCall, type Limits, type Outcome } from "../../sandbox/index.ts";
import { resolveLimits } from "../../sandbox/limits.ts";
import { runInProcess } from "../../sandbox/run.ts";
import { puppet } from "../hazards/puppet.ts";
import { openSandbox, type SnippetOptions } from "./run-snippet.ts";

/** A snippet that uses just what it may and one that uses one more, and how the second ends. */
interface Pair {
  readonly limit: number;
  readonly at: string;
  readonly over: string;
  readonly ends: unknown;
  readonly options?: SnippetOptions;
}

const stops = (reason: string, name: keyof Limits, value: number, used?: unknown, message?: string) => ({
  kind: "stopped",
  reason,
  limit: { name, value, ...(used !== undefined && { used }) },
  message: expect.stringContaining(message ?? `the limit "${name}" is ${value}`),
});
const throws = (name: string, message: string) => ({
  kind: "threw",
  error: { name, message: expect.stringContaining(message) },
});
const reads = (count: number) => `for (let i = 0; i < ${count}; i++) await notes.read({ a: '1234' });`;
const printed = (lines: number, cut: boolean) => ({ logs: { length: lines }, logsCut: cut });
const deep = (levels: number) => `let value = 1; for (let i = 0; i < ${levels}; i++) value = [value]; return value;`;
const answers =
  (json: string): HostCall =>
  async () => ({ kind: "value", json });

/** All limits but those that make calls wait, and the RAM of the process, which a snippet cannot fill to the byte. */
const PAIRS: Omit<{ readonly [Name in keyof Limits]: Pair }, "inFlight" | "inFlightPerServer" | "processMb"> = {
  wallMs: {
    limit: 700,
    at: "await sleep(100)",
    over: "await sleep(5000)",
    ends: stops("deadline", "wallMs", 700, expect.any(Number)),
  },
  cpuMs: {
    limit: 300,
    at: "await sleep(500)",
    over: "for (;;) { for (let i = 0; i < 100_000; i++); await sleep(0); }",
    ends: stops("cpu", "cpuMs", 300, expect.any(Number)),
  },
  memoryMb: {
    limit: 24,
    at: "const all = []; for (let i = 0; i < 1e4; i++) all.push([i]); return all.length",
    over: "const all = []; for (;;) all.push([all.length])",
    // V8 may give up before the limit is noticed.
    ends: { kind: "stopped", reason: expect.stringMatching(/^(memory|crashed)$/) },
  },
  calls: {
    limit: 3,
    at: reads(3),
    over: reads(4),
    ends: stops("calls", "calls", 3, 4, '4, and the limit "calls" is 3. Make fewer, or split'),
  },
  asks: {
    limit: 2,
    at: "await nami.store.keys(); await nami.search('x'); await notes.read()",
    over: "for (let i = 0; i < 3; i++) await nami.store.keys()",
    ends: stops("asks", "asks", 2, 3),
    options: { ask: async () => ({ kind: "value", json: "1" }) },
  },
  argumentBytes: {
    limit: 12,
    at: "await notes.read({ a: 'éé' })",
    over: "await notes.read({ a: 'éé1' })",
    ends: throws("RangeError", "the arguments have 13 bytes; at most 12 fit"),
  },
  argumentTotalBytes: {
    limit: 24,
    at: reads(2),
    over: reads(3),
    ends: stops("argument-size", "argumentTotalBytes", 24, 36),
  },
  resultBytes: {
    limit: 10,
    at: "return notes.read()",
    over: "return notes.write()",
    ends: throws("RangeError", "The result has 11 bytes; a snippet can take 10"),
    options: {
      call: async (call, context) => answers(call.member === "read" ? '"éééé"' : '"éééé1"')(call, context),
    },
  },
  logBytes: {
    limit: 6,
    at: "console.log('éé'); console.log('12')",
    over: "console.log('éé'); console.log('123')",
    ends: { logsCut: true },
  },
  logLines: {
    limit: 3,
    at: "for (let i = 0; i < 3; i++) console.log(i)",
    over: "for (let i = 0; i < 4; i++) console.log(i)",
    ends: printed(3, true),
  },
  outputBytes: {
    limit: 10,
    at: "return 'éééé'",
    over: "return 'éééé1'",
    ends: stops("result-size", "outputBytes", 10, 11),
  },
  sourceBytes: {
    limit: Buffer.byteLength("async function __nami__() {return 'é'\n}"),
    at: "return 'é'",
    over: "return 'éa'",
    ends: stops("source-size", "sourceBytes", 40, 41),
  },
  nesting: { limit: 4, at: deep(4), over: deep(5), ends: throws("RangeError", "nested more than 4 levels deep") },
  timers: {
    limit: 2,
    at: "await Promise.all([sleep(1), sleep(1)])",
    over: "await Promise.all([sleep(1), sleep(1), sleep(1)])",
    ends: throws("RangeError", "More than 2 timers are waiting"),
  },
};

const name = (text: string): keyof Limits => text as keyof Limits;

it.each(Object.entries(PAIRS))("lets a snippet use %s up to the limit, and no more", async (limit, pair) => {
  await using guest = openSandbox();
  const limits = { [name(limit)]: pair.limit };
  expect(await guest.run(pair.at, { limits, ...pair.options })).toMatchObject({ kind: "returned", logsCut: false });
  expect(await guest.run(pair.over, { limits, ...pair.options })).toMatchObject(pair.ends as object);
  expect(await guest.value("return 1")).toBe(1);
});

it("stops a loop that computes without a break", async () => {
  await using guest = openSandbox();
  const outcome = await guest.run("await notes.read(); for (;;);", { limits: { cpuMs: 200 } });
  expect(outcome).toMatchObject(stops("cpu", "cpuMs", 200, expect.any(Number)));
});

it("stops a process that computes more than its worker says, with a grace, or that outgrows its RAM", async () => {
  const ends = (residentMb: number, processorMs: number): Promise<Outcome> => {
    let asked = 0;
    const { worker } = puppet(residentMb, () => (asked++ === 0 ? 1000 : 1000 + processorMs));
    const run = { code: "", filename: "s.ts", tools: new Map(), call: answers("1") };
    return runInProcess(7, worker, run, resolveLimits({ wallMs: 300, cpuMs: 1000, processMb: 100 }));
  };
  expect(await ends(100, 1200)).toMatchObject({ reason: "deadline" });
  expect(await ends(101, 0)).toMatchObject(stops("memory", "processMb", 100, 101));
  expect(await ends(1, 1210)).toMatchObject(stops("cpu", "cpuMs", 1000, 1210));
});

const TWO = new Map([
  ["notes", ["read"]],
  ["files", ["read"]],
]);

/** Makes 6 calls to each of two servers at once: the most that were open, in all and to one server. */
async function mostOpen(limits: Partial<Limits>) {
  await using guest = openSandbox();
  const open = { notes: 0, files: 0 };
  const order: string[] = [];
  const most = { all: 0, notes: 0, files: 0 };
  const call: HostCall = async ({ namespace, sequence }: GuestCall) => {
    const server = namespace === "notes" ? "notes" : "files";
    open[server]++;
    order.push(`${server} ${sequence}`);
    most[server] = Math.max(most[server], open[server]);
    most.all = Math.max(most.all, open.notes + open.files);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open[server]--;
    return { kind: "value", json: "1" };
  };
  const body =
    "const all = []; for (const server of [notes, files]) for (let i = 0; i < 6; i++) all.push(server.read()); await Promise.all(all)";
  await guest.value(body, { tools: TWO, limits, call });
  return { most, order };
}

it("makes no more calls at once than inFlight, and to one server no more than inFlightPerServer", async () => {
  expect((await mostOpen({ inFlight: 4 })).most).toEqual({ all: 4, notes: 4, files: 4 });
  const { most, order } = await mostOpen({ inFlightPerServer: 2 });
  expect(most).toEqual({ all: 4, notes: 2, files: 2 });
  expect(order.slice(0, 4)).toEqual(["notes 1", "notes 2", "files 7", "files 8"]);
  expect(order.filter((each) => each.startsWith("notes"))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `notes ${n}`));
  expect((await mostOpen({})).most).toEqual({ all: 12, notes: 6, files: 6 });
});

it("says at each stop which calls had been made, of which tools", async () => {
  await using guest = openSandbox();
  const tools = new Map([["notes", ["a", "b", "c", "d", "e", "f", "g", "h"]]]);
  const message = async (body: string) => {
    const outcome = await guest.run(body, {
      tools,
      limits: { wallMs: 400 },
      call: async ({ member }) => {
        if (member === "h") await new Promise(() => {});
        return { kind: "value", json: "1" };
      },
    });
    return outcome.kind === "stopped" ? `${outcome.message} ${outcome.before}` : outcome.kind;
  };
  expect(await message("await sleep(5000)")).toMatch(
    /the limit "wallMs" is 400 ms\. .* No call was made before that\.$/,
  );
  expect(await message("await notes.a(); await sleep(5000)")).toMatch(/Before that 1 call was made: notes\.a 1\.$/);
  expect(await message("await notes.b(); await notes.a(); await notes.a(); await notes.h()")).toMatch(
    /Before that 4 calls were made: notes\.a 2, notes\.b 1, notes\.h 1; 1 of them was not answered\.$/,
  );
  expect(await message("for (const name of 'abcdefg') await notes[name](); await sleep(5000)")).toMatch(
    /7 calls were made: notes\.a 1, notes\.b 1, notes\.c 1, notes\.d 1, notes\.e 1, 2 other tools\.$/,
  );
});

it("refuses a limit that is no positive number, and knows no limit without a default", () => {
  for (const limit of Object.keys(DEFAULT_LIMITS)) {
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => resolveLimits({ [limit]: value }), limit).toThrow(RangeError);
    }
  }
});
