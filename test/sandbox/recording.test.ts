import { expect, it } from "vitest";
import type { HostCall, Outcome, Recording } from "../../sandbox/index.ts";
import { openSandbox } from "./run-snippet.ts";

/** Everything in which two runs of the same text can differ. */
const RACE = `
  const log = [];
  const began = Date.now();
  const ask = async (n) => { const { value } = await notes.read({ n }); log.push([n, value, Date.now() - began]); return n; };
  const first = await Promise.race([ask(1), ask(2), ask(3)]);
  const any = await Promise.any([ask(4), notes.write({ fails: true }), sleep(1 + Math.random() * 4).then(() => "slept")]);
  const controller = new AbortController();
  const cut = notes.read({ n: 5 }, { signal: controller.signal }).catch((error) => error.name);
  setTimeout(() => controller.abort(), Math.random() * 6);
  const tick = setInterval(() => { log.push(["tick", performance.now()]); console.log("tick", Math.random()); }, 1);
  await sleep(3 + 3 * Math.random());
  clearInterval(tick);
  console.log("race", first, any, crypto.randomUUID());
  ask(6);
  return { first, any, cut: await cut, log, ids: [crypto.randomUUID(), Math.random()], at: [new Date(), Date(), new Date(1e12)] };`;

/** Takes a while that nobody can foresee, and answers with what nobody can. */
const dawdle: HostCall = async ({ args }) => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  if (args["fails"]) return { kind: "error", error: { name: "ToolError", message: "no" } };
  return { kind: "value", json: JSON.stringify({ value: Math.random() }) };
};

const never: HostCall = () => Promise.reject(new Error("A call was made."));

const recorded = (outcome: Outcome): Recording => {
  if (outcome.recording === undefined) throw new Error("Nothing was recorded.");
  // As it is after it was saved.
  return JSON.parse(JSON.stringify(outcome.recording)) as Recording;
};

const withoutTime = ({ ms, ...rest }: Outcome) => rest;

it("plays back a snippet that races, sleeps, rolls dice and reads the clock, 50 times, with no call", async () => {
  await using guest = openSandbox();
  const first = await guest.run(RACE, { call: dawdle, record: true });
  expect(first.kind).toBe("returned");
  const replay = recorded(first);
  for (let i = 0; i < 50; i++) {
    const again = await guest.run(RACE, { call: never, replay, record: true });
    expect(withoutTime(again)).toEqual(withoutTime(first));
  }
  const other = await guest.run(RACE, { call: dawdle });
  expect(withoutTime(other)).not.toEqual(withoutTime(first));
});

it("plays back each of 20 recordings, on a process that another run used before", async () => {
  await using guest = openSandbox();
  for (let i = 0; i < 20; i++) {
    const first = await guest.run(RACE, { call: dawdle, record: true });
    const again = await guest.run(RACE, { call: never, replay: recorded(first) });
    const { recording, ...facts } = withoutTime(first);
    expect(withoutTime(again)).toEqual(facts);
  }
});

it("plays a long wait back without waiting", async () => {
  await using guest = openSandbox();
  const replay: Recording = {
    seed: "00".repeat(32),
    startedAt: 1_000_000_000_000,
    deliveries: [{ kind: "timer", at: 1_000_003_600_000, id: 1 }],
  };
  const body = "await sleep(3_600_000); return [Date.now(), performance.now(), performance.timeOrigin]";
  expect(await guest.run(body, { replay })).toMatchObject({
    json: "[1000003600000,3600000,1000000000000]",
  });
});

it("stops a snippet that does something else than was recorded, and says what", async () => {
  await using guest = openSandbox();
  const replay = recorded(
    await guest.run("return [await notes.read({ a: 1 }), await notes.write({})]", { record: true }),
  );
  const changed: readonly (readonly [body: string, how: string])[] = [
    ["await notes.read({ a: 2 })", 'it made call 1, notes.read({"a":2}); recorded is call 1, notes.read({"a":1}).'],
    ["await notes.write({ a: 1 })", 'it made call 1, notes.write({"a":1}); recorded is call 1, notes.read({"a":1}).'],
    ["await notes.read({ a: 1 })", "it ended without call 2, notes.write({})."],
    ["await notes.read({ a: 1 }); await sleep(1); await notes.write({})", "it did not make call 2, notes.write({})."],
    [
      "await notes.read({ a: 1 }); await notes.write({}); await notes.read()",
      "the recording has no answer to call 3, notes.read({}).",
    ],
    [
      "await notes.read({ a: 1 }); await notes.write({}); await sleep(1)",
      "the recording ends, and the snippet still waits for something.",
    ],
    ["await notes.read({ a: 1 }); throw new Error('early')", "it ended without call 2, notes.write({})."],
  ];
  for (const [body, how] of changed) {
    expect(await guest.run(body, { call: never, replay }), body).toMatchObject({
      kind: "stopped",
      reason: "diverged",
      message: expect.stringContaining(`The snippet does not do what was recorded: ${how}`),
    });
  }
  const timer = { ...replay, deliveries: [{ kind: "timer", at: replay.startedAt, id: 1 }] } as const;
  expect(await guest.run("await new Promise(() => {})", { replay: timer })).toMatchObject({
    reason: "diverged",
    message: expect.stringContaining("timer 1 was not set"),
  });
});

it("records a run that was stopped, up to there", async () => {
  await using guest = openSandbox();
  const body = "await notes.read({ n: 1 }); for (;;);";
  const stopped = await guest.run(body, { record: true, limits: { wallMs: 300 } });
  expect(stopped).toMatchObject({ reason: "deadline" });
  expect(recorded(stopped).deliveries).toMatchObject([
    {
      kind: "replies",
      replies: [{ sequence: 1, namespace: "notes", member: "read", args: '{"n":1}', json: '{"n":1}' }],
    },
  ]);
});

it("gives the guest a time that passes between deliveries only", async () => {
  await using guest = openSandbox();
  const body = `
    const before = [Date.now(), new Date().getTime(), performance.timeOrigin + performance.now()];
    for (let i = 0; i < 2_000_000; i++);
    await Promise.resolve();
    const after = [Date.now(), +new Date(), performance.timeOrigin + performance.now()];
    await sleep(20);
    return { before, after, passed: Date.now() - after[0] }`;
  // The shape is that of the snippet's result.
  const value = (await guest.value(body)) as { before: number[]; after: number[]; passed: number };
  expect(value.after).toEqual(value.before);
  expect(new Set(value.before).size).toBe(1);
  expect(value.passed).toBeGreaterThanOrEqual(19);
});

it("has a Date that is the language's in all but the time", async () => {
  await using guest = openSandbox();
  const body = `
    class Day extends Date {}
    const day = new Day();
    return [
      day instanceof Day && day instanceof Date, new Date().constructor === Date, Date.name, Date.length,
      new Date(2020, 0, 2).getDate(), Date.UTC(2020), Date.parse("1970-01-01"), typeof Date(),
      Object.prototype.toString.call(new Date()), structuredClone(new Date(7)).getTime(), typeof Temporal,
      typeof Intl === "undefined" || new Intl.DateTimeFormat("en", { timeZone: "UTC" }).format(),
      typeof Intl === "undefined" || new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts()[4].value,
    ]`;
  const replay: Recording = { seed: "00".repeat(32), startedAt: 1_000_000_000_000, deliveries: [] };
  const outcome = await guest.run(body, { replay });
  const expected = [true, true, "Date", 7, 2, 1_577_836_800_000, 0, "string", "[object Date]", 7, "undefined"];
  const value = outcome.kind === "returned" ? (JSON.parse(outcome.json ?? "[]") as unknown[]) : [outcome];
  expect(value.slice(0, 11)).toEqual(expected);
  // QuickJS has no Intl.
  expect([
    [true, true],
    ["9/9/2001", "2001"],
  ]).toContainEqual(value.slice(11));
});

const PLAN = `
  const { value } = await notes.read({ n: 1 });
  const [a, b] = await Promise.all([notes.write({ n: 2, from: value }), notes.write({ n: 3 })]);
  await sleep(5);
  const { value: last } = await notes.read({ n: 4 });
  return { value, a, b, last, dice: [Math.random(), Date.now()] };`;

it("makes some recorded calls again, in their order and one at a time, and all else as it was", async () => {
  await using guest = openSandbox();
  const placeholders: HostCall = async ({ member }) => ({
    kind: "value",
    json: member === "write" ? '"planned"' : JSON.stringify({ value: Math.random() }),
  });
  const first = await guest.run(PLAN, { call: placeholders, record: true });
  const made: string[] = [];
  let open = 0;
  const call: HostCall = async ({ member, args }, { pauseClock }) => {
    expect(++open).toBe(1);
    const resume = pauseClock();
    await new Promise((resolve) => setTimeout(resolve, 30));
    resume();
    open--;
    made.push(`${member} ${String(args["n"])}`);
    return { kind: "value", json: JSON.stringify(`real ${String(args["n"])}`) };
  };
  const told: string[] = [];
  const resume = { again: new Set([2, 3]), onLive: (how: string) => void told.push(how) };
  for (let i = 0; i < 10; i++) {
    made.length = 0;
    const second = await guest.run(PLAN, { call, replay: recorded(first), resume });
    expect(made).toEqual(["write 2", "write 3"]);
    const before = first.kind === "returned" ? (JSON.parse(first.json ?? "{}") as object) : {};
    const after = second.kind === "returned" ? (JSON.parse(second.json ?? "{}") as object) : {};
    expect(after).toEqual({ ...before, a: "real 2", b: "real 3" });
  }
  expect(told).toEqual([]);
});

it("goes on for real where the snippet leaves the recording, and says so", async () => {
  await using guest = openSandbox();
  const body = `
    setTimeout(() => console.log("late"), 20);
    const began = Date.now();
    const { id } = await notes.write({ n: 1 });
    const all = await Promise.all([notes.read({ id }), notes.read({ n: 9 })]);
    await sleep(30);
    return [id, all, Date.now() >= began + 29];`;
  const answers =
    (id: number): HostCall =>
    async ({ member }) => ({ kind: "value", json: member === "write" ? `{"id":${id}}` : JSON.stringify({ id }) });
  const first = await guest.run(body, { call: answers(0), record: true });
  const told: string[] = [];
  const resume = { again: new Set([1]), onLive: (how: string) => void told.push(how) };
  const second = await guest.run(body, { call: answers(7), replay: recorded(first), resume, record: true });
  expect(second).toMatchObject({ json: '[7,[{"id":7},{"id":7}],true]', logs: [{ text: "late" }], calls: 3 });
  expect(told).toEqual(['it made call 2, notes.read({"id":7}); recorded is call 2, notes.read({"id":0})']);
  const third = await guest.run(body, { call: never, replay: recorded(second) });
  expect(third).toMatchObject({ json: '[7,[{"id":7},{"id":7}],true]' });
});

it("goes on for real where the recording ends", async () => {
  await using guest = openSandbox();
  const body = `
    const out = [];
    for (let n = 1; n <= 6; n++) { out.push((await notes.read({ n })).n); await sleep(2); }
    return [out, Math.random()];`;
  const whole = await guest.run(body, { record: true });
  const recording = recorded(whole);
  const value = whole.kind === "returned" ? whole.json : "";
  for (let kept = 0; kept <= recording.deliveries.length; kept++) {
    const made: unknown[] = [];
    const replay = { ...recording, deliveries: recording.deliveries.slice(0, kept) };
    const told: string[] = [];
    const outcome = await guest.run(body, {
      replay,
      resume: { again: new Set(), onLive: (how) => void told.push(how) },
      call: async ({ args }) => {
        made.push(args["n"]);
        return { kind: "value", json: JSON.stringify(args) };
      },
    });
    expect(outcome).toMatchObject({ kind: "returned", json: value });
    expect(made).toEqual([1, 2, 3, 4, 5, 6].slice(Math.ceil(kept / 2)));
    expect(told).toHaveLength(kept < recording.deliveries.length ? 1 : 0);
  }
});

it("ends as ever when a snippet that goes on for real makes less than was recorded", async () => {
  await using guest = openSandbox();
  const first = await guest.run("const a = await notes.read({ n: 1 }); if (a.n === 1) await notes.read({ n: 2 })", {
    record: true,
  });
  const told: string[] = [];
  const resume = { again: new Set([1]), onLive: (how: string) => void told.push(how) };
  const second = await guest.run("const a = await notes.read({ n: 1 }); if (a.n === 1) await notes.read({ n: 2 })", {
    replay: recorded(first),
    resume,
    call: async () => ({ kind: "value", json: '{"n":5}' }),
  });
  expect(second.kind).toBe("returned");
  expect(told).toEqual(['it ended without call 2, notes.read({"n":2})']);
});

it("gives what was answered its recorded answer, and makes no call that the snippet gave up, where it goes on for real", async () => {
  await using guest = openSandbox();
  const body = `
    const controller = new AbortController();
    const given = notes.read({ n: 1 }, { signal: controller.signal }).catch((error) => error.name);
    controller.abort();
    const done = notes.read({ n: 2 });
    const last = notes.write({ n: 3 });
    return [await given, (await done).at, (await last).at]`;
  const halt = new AbortController();
  const first = await guest.run(body, {
    record: true,
    signal: halt.signal,
    call: async ({ member }, { signal }) => {
      if (member === "write") {
        setTimeout(() => halt.abort(), 50);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
      return { kind: "value", json: '{"at":"first"}' };
    },
  });
  expect(first).toMatchObject({ reason: "aborted" });
  const replay = recorded(first);
  for (const kept of [replay.deliveries, replay.deliveries.map(later), []]) {
    const made: unknown[] = [];
    const second = await guest.run(body, {
      replay: { ...replay, deliveries: kept },
      resume: { again: new Set() },
      call: async ({ args }) => {
        made.push(args["n"]);
        return { kind: "value", json: '{"at":"second"}' };
      },
    });
    expect(made).toEqual(kept.length === 0 ? [1, 2, 3] : [3]);
    expect(second).toMatchObject({ json: `["AbortError","${kept.length === 0 ? "second" : "first"}","second"]` });
  }
});

/** A delivery that also waits for a call that is never made, so that the recording is left before it. */
function later(delivery: Recording["deliveries"][number]): Recording["deliveries"][number] {
  if (delivery.kind === "timer") return delivery;
  const odd = { sequence: 99, namespace: "notes", member: "read", args: "{}", ok: true, json: "1" };
  return { ...delivery, replies: [...delivery.replies, odd] };
}

it("refuses what is no recording, and a listener that throws costs nothing", async () => {
  await using guest = openSandbox();
  const good = recorded(await guest.run("return await notes.read({})", { record: true }));
  const odd: readonly unknown[] = [
    { ...good, seed: "1" },
    { ...good, startedAt: "now" },
    { ...good, deliveries: {} },
    { ...good, deliveries: [{ kind: "replies", at: 1 }] },
    { ...good, deliveries: [{ kind: "replies", at: 1, replies: [{ sequence: 1 }] }] },
    { ...good, deliveries: [{ kind: "timer", at: 1, id: "1" }] },
  ];
  for (const replay of odd) {
    await expect(guest.run("return 1", { replay: replay as Recording })).rejects.toThrow(
      "This is no recording of a run",
    );
  }
  const onLive = () => {
    throw new Error("a listener's own affair");
  };
  const resume = { again: new Set<number>(), onLive };
  const outcome = await guest.run("return await notes.read({ n: 1 })", { replay: { ...good, deliveries: [] }, resume });
  expect(outcome).toMatchObject({ json: '{"n":1}' });
  expect(await guest.value("return 1")).toBe(1);
});
