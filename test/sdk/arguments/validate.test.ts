import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runWithin } from "../../../src/sdk/arguments/guard.ts";
import { createArgumentValidator } from "../../../src/sdk/arguments/validate.ts";
import { catalogOf, objectOf, toolOf } from "../catalog.ts";
import { verdict, verdictOn } from "./cases.ts";

describe("arguments", () => {
  test("are valid when the tool's schema says so", async () => {
    const schema = objectOf({ state: { enum: ["open", "closed"] }, limit: { type: "integer", maximum: 100 } }, [
      "state",
    ]);
    expect(await verdict(schema, { state: "open", limit: 100 })).toBe("valid");
    expect(await verdict(schema, { state: "open", limit: 101 })).toBe(
      "args.limit must be at most 100, but is 101 (number).",
    );
  });

  test("may be anything where the schema says nothing", async () => {
    for (const schema of [{}, true, { description: "x" }, { $defs: { a: { type: "string" } } }] as const) {
      for (const args of [{}, { a: 1 }, null, undefined, [1], "x"]) expect(await verdict(schema, args)).toBe("valid");
    }
  });

  test("may be multiples that binary fractions cannot tell exactly", async () => {
    for (const value of [19.99, 0.07, 4.35, 1e21, 0])
      expect(await verdictOn({ multipleOf: 0.01 }, value)).toBe("valid");
    expect(await verdictOn({ multipleOf: 0.01 }, 0.005)).toBe(
      "args.v must be a multiple of 0.01, but is 0.005 (number).",
    );
  });

  test("are not held against a tool of another server", async () => {
    const validator = createArgumentValidator();
    const strict = toolOf(objectOf({ a: { type: "string" } }));
    const [loose] = catalogOf([{ inputSchema: objectOf({ a: { type: "number" } }) }], "other").tools;
    if (loose === undefined) throw new Error("a catalog of one tool has one");
    expect((await validator.check(strict, { a: 1 })).kind).toBe("invalid");
    expect((await validator.check(loose, { a: 1 })).kind).toBe("valid");
  });
});

describe("compiled schemas", () => {
  afterEach(() => vi.restoreAllMocks());

  test("are made at the first call, once for equal content", async () => {
    const compile = vi.spyOn(Ajv2020.prototype, "compile");
    const validator = createArgumentValidator();
    const schema = objectOf({ a: { type: "string" } });
    expect(compile).not.toHaveBeenCalled();
    await validator.check(toolOf(schema), { a: "x" });
    await validator.check(toolOf(schema), { a: "y" });
    await validator.check(toolOf(structuredClone(schema), { name: "other" }), { a: "z" });
    expect(compile).toHaveBeenCalledTimes(1);
    await validator.check(toolOf(objectOf({ a: { type: "number" } })), { a: 1 });
    expect(compile).toHaveBeenCalledTimes(2);
  });

  test("are compiled once more at the first mistake, for the message", async () => {
    const compile = vi.spyOn(Ajv2020.prototype, "compile");
    const validator = createArgumentValidator();
    for (const a of ["x", 1, 2]) await validator.check(toolOf(objectOf({ a: { type: "string" } })), { a });
    expect(compile).toHaveBeenCalledTimes(2);
  });

  test("that were not used for longest are forgotten beyond 256", async () => {
    const compile = vi.spyOn(Ajv2020.prototype, "compile");
    const validator = createArgumentValidator();
    const use = async (n: number): Promise<unknown> => await validator.check(toolOf({ const: n }), n);
    for (let n = 0; n < 256; n++) await use(n);
    await use(0);
    await use(256);
    expect(compile).toHaveBeenCalledTimes(257);
    await use(0);
    expect(compile).toHaveBeenCalledTimes(257);
    await use(1);
    expect(compile).toHaveBeenCalledTimes(258);
  });
});

describe("work with a limited time", () => {
  test("gives its value, or what it threw", () => {
    expect(runWithin(1000, () => 5)).toEqual({ kind: "done", value: 5 });
    const error = new Error("no");
    expect(
      runWithin(1000, () => {
        throw error;
      }),
    ).toEqual({ kind: "threw", error });
  });

  test("is tried again when it waited for the processor instead of using it", () => {
    let attempts = 0;
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const work = (): string => {
      attempts++;
      // Sleeps without being interrupted.
      if (attempts < 3) Atomics.wait(cell, 0, 0, 200);
      return "done";
    };
    expect(runWithin(100, work)).toEqual({ kind: "done", value: "done" });
    expect(attempts).toBe(3);
  });

  test("is stopped in a loop, in recursion and in a regular expression", () => {
    const loop = (): never => {
      for (;;);
    };
    const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
    for (const work of [loop, () => fibonacci(1000), () => /^(a+)+$/.test(`${"a".repeat(60)}!`)]) {
      expect(runWithin<unknown>(20, work)).toEqual({ kind: "timeout" });
    }
    expect(runWithin(1000, () => "well again")).toEqual({ kind: "done", value: "well again" });
  });
});
