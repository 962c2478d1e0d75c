import { describe, expect, it } from "vitest";
import type { HostCall } from "../../sandbox/index.ts";
import { DEFAULT_LIMITS } from "../../sandbox/limits.ts";
import { ENGINES, meet } from "./stand.ts";

/** Answers with this text, as a server would have sent it. */
const replying =
  (json: string): HostCall =>
  async () => ({ kind: "value", json });

const TOUCH = `
  const reply = await notes.read();
  return { keys: Object.getOwnPropertyNames(reply), clean: ({}).polluted === undefined, type: typeof reply.then };`;

describe.each(ENGINES)("a reply from a hostile server, on %s,", (engine) => {
  it("with own members called __proto__ and constructor, is data", async () => {
    const call = replying('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const outcome = await meet(engine, TOUCH, { call });
    expect(outcome).toMatchObject({ json: '{"keys":["__proto__","constructor"],"clean":true,"type":"undefined"}' });
    expect({}).not.toHaveProperty("polluted");
  });

  it("with a member then, is data: there are no functions in JSON to be called", async () => {
    const call = replying('{"then":"return evil()","catch":1,"toJSON":"x","valueOf":null}');
    expect(await meet(engine, TOUCH, { call })).toMatchObject({
      json: '{"keys":["then","catch","toJSON","valueOf"],"clean":true,"type":"string"}',
    });
  });

  it("goes back to the host as it came", async () => {
    const json = '{"__proto__":{"a":1},"length":-1,"toString":1,"é\\u2028":"\\u0000\\ud800"}';
    const outcome = await meet(engine, "return await notes.read()", { call: replying(json) });
    expect(outcome).toMatchObject({ kind: "returned" });
    const back = outcome.kind === "returned" ? JSON.parse(outcome.json ?? "") : undefined;
    expect(Object.entries(back)).toEqual(Object.entries(JSON.parse(json)));
  });

  it("of as many bytes as fit, arrives; of one more, fails the call only", async () => {
    const limits = { ...DEFAULT_LIMITS, resultBytes: 1 << 20 };
    const atLimit = replying(`"${"x".repeat(limits.resultBytes - 2)}"`);
    expect(await meet(engine, "return (await notes.read()).length", { call: atLimit, limits })).toMatchObject({
      json: String(limits.resultBytes - 2),
    });
    const over = replying(`"${"x".repeat(limits.resultBytes - 1)}"`);
    const body = "try { await notes.read() } catch (error) { return error.name }";
    expect(await meet(engine, body, { call: over, limits })).toMatchObject({ json: '"RangeError"' });
  });

  it("of 16 MB, arrives whole", async () => {
    const call = replying(
      JSON.stringify({ rows: Array.from({ length: 160_000 }, (_, i) => ({ i, t: "x".repeat(80) })) }),
    );
    expect(await meet(engine, "return (await notes.read()).rows.length", { call })).toMatchObject({ json: "160000" });
  });

  it.each([
    ["five million levels deep", `${"[".repeat(5e6)}${"]".repeat(5e6)}`],
    ["cut in the middle", '{"rows":[1,2,'],
    ["that is no JSON", "<html>"],
    ["with text behind it", '{"a":1}{"b":2}'],
  ])("%s, costs its call or its run", async (_, json) => {
    const outcome = await meet(engine, "return typeof (await notes.read())", { call: replying(json) });
    expect(outcome.kind).not.toBe("returned");
    expect(outcome).not.toHaveProperty("reason", "protocol");
  });

  it("that is an error with odd members, is an error with data", async () => {
    const error = JSON.parse(
      '{"name":"__proto__","message":"m","data":{"__proto__":{"polluted":1},"stack":"at /etc/passwd:1:1"}}',
    );
    const outcome = await meet(engine, "await notes.read()", { call: async () => ({ kind: "error", error }) });
    expect(outcome).toMatchObject({ kind: "threw", error: { name: "__proto__", message: "m", tool: "notes.read" } });
    expect({}).not.toHaveProperty("polluted");
  });

  it("does not tell the snippet about the host where the host itself fails", async () => {
    const call: HostCall = () => Promise.reject(Object.assign(new TypeError("short"), { secret: "s3cret" }));
    const body = "try { await notes.read() } catch (error) { return [error.message, error.stack, Object.keys(error)] }";
    const outcome = await meet(engine, body, { call });
    expect(JSON.stringify(outcome)).not.toMatch(/s3cret|hostile-replies|file:/);
  });

  it("that the host cannot write as text, or that is none, fails the call only", async () => {
    const loop: Record<string, unknown> = {};
    loop["loop"] = loop;
    const error = { name: "ToolError", message: "m" };
    for (const reply of [
      { kind: "error", error: { ...error, data: loop } },
      { kind: "error", error: { ...error, data: 1n } },
      undefined,
    ]) {
      const call = (async () => reply) as unknown as HostCall;
      const outcome = await meet(engine, "return await notes.read().catch((e) => e.message)", { call });
      expect(outcome).toMatchObject({ json: '"The answer cannot be written as JSON."' });
    }
  });

  it("that is an error of more bytes than a result may have, is a short error", async () => {
    const error = { name: "ToolError", message: "m", data: "x".repeat(2e6) };
    const body = "return await notes.read().catch((e) => [e.name, e.message.length < 200, e.data])";
    const call: HostCall = async () => ({ kind: "error", error });
    const outcome = await meet(engine, body, { call, limits: { resultBytes: 1000 } });
    expect(outcome).toMatchObject({ json: '["RangeError",true,null]' });
  });
});
