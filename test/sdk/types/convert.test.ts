import { compile } from "json-schema-to-typescript";
import { beforeEach, expect, test, vi } from "vitest";
import { convertSchema } from "../../../src/sdk/types/convert.ts";
import { objectOf } from "../catalog.ts";

vi.mock("json-schema-to-typescript", { spy: true });
beforeEach(() => {
  vi.mocked(compile).mockReset();
});

test("converts equal schemas once, but for arguments and results", async () => {
  const schema = (): ReturnType<typeof objectOf> => objectOf({ once: { type: "string" } });
  const [first, second] = [await convertSchema(schema(), "input"), await convertSchema(schema(), "input")];
  expect(first.type).toBe("{\n  once?: string;\n}");
  expect(second).toBe(first);
  expect(compile).toHaveBeenCalledTimes(1);
  await convertSchema(schema(), "output");
  expect(compile).toHaveBeenCalledTimes(2);
});

test("gives unknown and the reason when the conversion fails", async () => {
  vi.mocked(compile).mockRejectedValueOnce(new Error("cannot do that"));
  const { type, problems } = await convertSchema(objectOf({ fails: { type: "string" } }), "input");
  expect(type).toBe("unknown");
  expect(problems).toEqual([{ pointer: "#", problem: "json-schema-to-typescript failed on Input: cannot do that" }]);
});

test("converts a list whose items are described, which comes with a comment", async () => {
  const { type, problems } = await convertSchema(
    { type: "array", items: { enum: ["a"], description: "One." } },
    "input",
  );
  expect({ type, problems }).toEqual({ type: '("a")[]', problems: [] });
});

test("gives unknown when the conversion declares more than the type that was asked for", async () => {
  vi.mocked(compile).mockResolvedValueOnce("export type Root = string\n\nexport interface Other {\n}\n");
  const { type, problems } = await convertSchema(objectOf({ declares: { type: "string" } }), "input");
  expect(type).toBe("unknown");
  expect(problems).toHaveLength(1);
});

test("hands over neither references nor keywords that carry TypeScript", async () => {
  const part = {
    type: "object",
    $id: "x",
    title: "T",
    tsType: "evil",
    customName: "evil",
    properties: { a: { $ref: "#" } },
  };
  await convertSchema({ ...part, extends: part, anyOf: [part], $defs: { part } }, "input");
  expect(compile).toHaveBeenCalled();
  for (const [schema] of vi.mocked(compile).mock.calls) {
    expect(JSON.stringify(schema)).not.toMatch(/evil|\$id|\$ref|\$defs|title|extends|customName/);
  }
});
