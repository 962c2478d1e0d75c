import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { CallContext, HostCall, HostReply } from "../../sandbox/index.ts";
import { openSandbox } from "./run-snippet.ts";

/** Answers when it is aborted, and after a while by itself. */
const untilAborted =
  (seen: string[]) =>
  (_: unknown, { signal }: CallContext) =>
    new Promise<HostReply>((resolve) => {
      const end = (how: string) => {
        seen.push(how);
        resolve({ kind: "value", json: '"late"' });
      };
      signal.addEventListener("abort", () => end("aborted"));
      setTimeout(end, 20_000, "answered").unref();
    });

it("cancels a call through to the host, and goes on", async () => {
  await using guest = openSandbox();
  const seen: string[] = [];
  const body = `
    const controller = new AbortController();
    const call = notes.read({}, { signal: controller.signal }).catch((error) => [error.name, error instanceof DOMException, error === controller.signal.reason]);
    await sleep(20);
    controller.abort();
    const first = await call;
    return [first, await notes.read({}, { signal: AbortSignal.timeout(10) }).catch((error) => error.name)];`;
  const outcome = await guest.run(body, { call: untilAborted(seen) });
  expect(outcome).toMatchObject({ kind: "returned", json: '[["AbortError",true,true],"TimeoutError"]', calls: 2 });
  expect(seen).toEqual(["aborted", "aborted"]);
});

it("makes no call with a signal that is aborted already, and none that waits for its turn when it is", async () => {
  await using guest = openSandbox();
  const made: unknown[] = [];
  const body = `
    const why = [];
    await notes.read({ n: 0 }, { signal: AbortSignal.abort("before") }).catch((error) => why.push(error));
    const controller = new AbortController();
    const first = notes.read({ n: 1 });
    const second = notes.read({ n: 2 }, { signal: controller.signal }).catch((error) => why.push(error));
    await sleep(20);
    controller.abort("while waiting");
    await second;
    return [why, await first, await notes.read({ n: 3 })]`;
  const call = async ({ args }: { args: { n?: unknown } }) => {
    made.push(args.n);
    if (args.n === 1) await wait(100);
    return { kind: "value", json: JSON.stringify(args) } as const;
  };
  expect(await guest.run(body, { call, limits: { inFlight: 1 } })).toMatchObject({
    kind: "returned",
    json: '[["before","while waiting"],{"n":1},{"n":3}]',
    calls: 3,
  });
  expect(made).toEqual([1, 3]);
});

it("keeps an aborted call's place in flight until the host is done with it", async () => {
  await using guest = openSandbox();
  let open = 0;
  let most = 0;
  const call = async () => {
    most = Math.max(most, ++open);
    await wait(50);
    open--;
    return { kind: "value" } as const;
  };
  const body = `
    for (let i = 0; i < 6; i++) {
      const controller = new AbortController();
      const call = notes.read({}, { signal: controller.signal }).catch(() => {});
      await sleep(1);
      controller.abort();
      await call;
    }
    await notes.read({})`;
  expect(await guest.run(body, { call, limits: { inFlight: 2 } })).toMatchObject({ kind: "returned" });
  expect(most).toBeLessThanOrEqual(2);
});

it("ends a run whose last call was aborted and not awaited", async () => {
  await using guest = openSandbox();
  const body = `const c = new AbortController(); notes.read({}, { signal: c.signal }).catch(() => {}); await sleep(10); c.abort(); return 1`;
  expect(await guest.run(body, { call: untilAborted([]) })).toMatchObject({ kind: "returned", json: "1" });
});

it("refuses a signal that is none", async () => {
  await using guest = openSandbox();
  expect(await guest.run("await notes.read({}, { signal: { aborted: false } })")).toMatchObject({
    kind: "threw",
    error: { name: "TypeError", message: "notes.read: the option signal must be an AbortSignal." },
  });
});

it("has events and signals that behave as Node's", async () => {
  await using guest = openSandbox();
  const body = `
    const seen = [];
    const controller = new AbortController();
    const { signal } = controller;
    signal.onabort = (event) => seen.push(["on", event.type, event.target === signal]);
    const listener = () => seen.push("twice?");
    signal.addEventListener("abort", listener);
    signal.addEventListener("abort", listener);
    signal.addEventListener("abort", { handleEvent() { seen.push("object") } }, { once: true });
    const gone = () => seen.push("gone");
    signal.addEventListener("abort", gone);
    signal.removeEventListener("abort", gone);
    const any = AbortSignal.any([new AbortController().signal, signal]);
    any.addEventListener("abort", () => seen.push(["any", any.reason]));
    controller.abort("r");
    controller.abort("again");
    const off = new AbortController();
    const target = new EventTarget();
    target.addEventListener("x", () => seen.push("never"), { signal: off.signal });
    off.abort();
    target.addEventListener("x", (event) => { event.preventDefault(); event.stopImmediatePropagation() });
    target.addEventListener("x", () => seen.push("stopped"));
    seen.push(target.dispatchEvent(new Event("x", { cancelable: true })));
    for (const run of [() => new AbortSignal(), () => signal.throwIfAborted(), () => AbortSignal.abort().throwIfAborted(), () => AbortSignal.timeout(-1)]) {
      try { run() } catch (error) { seen.push(error.name ?? error) }
    }
    return [seen, signal.aborted, signal.reason]`;
  const expected = await new Function(`return (async () => {${body}})()`)();
  expect(await guest.value(body)).toEqual(JSON.parse(JSON.stringify(expected)));
});

it("reports what a listener throws, and runs the others", async () => {
  await using guest = openSandbox();
  const body = `const t = new EventTarget(); let ran = 0;
    t.addEventListener("x", () => { throw new Error("in listener") }); t.addEventListener("x", () => ran++);
    t.dispatchEvent(new Event("x")); return ran`;
  const outcome = await guest.run(body);
  expect(outcome).toMatchObject({ json: "1", warnings: [expect.stringContaining("in listener")] });
});

it("aborts through a chain of 20,000 signals", async () => {
  await using guest = openSandbox();
  const body = `
    const controller = new AbortController();
    let signal = controller.signal;
    for (let i = 0; i < 20000; i++) signal = AbortSignal.any([signal]);
    const call = notes.read({}, { signal }).catch((error) => error.name);
    controller.abort();
    return [signal.aborted, await call]`;
  const call: HostCall = async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { kind: "value" };
  };
  expect(await guest.run(body, { call })).toMatchObject({ json: '[true,"AbortError"]' });
});

it("does not count a call that was given up as one that was not awaited", async () => {
  await using guest = openSandbox();
  const body = `
    const all = Array.from({ length: 20 }, (_, n) => {
      const controller = new AbortController();
      const call = notes.read({ n }, { signal: controller.signal }).catch((error) => error.name);
      controller.abort();
      return call;
    });
    notes.write();
    return new Set(await Promise.all(all)).size`;
  expect(await guest.run(body)).toMatchObject({ json: "1", unawaited: 1 });
});
