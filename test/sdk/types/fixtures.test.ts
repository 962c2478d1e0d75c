import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import Ajv04 from "ajv-draft-04";
import { beforeAll, describe, expect, test } from "vitest";
import { buildSdk, type Sdk } from "../../../src/sdk/sdk.ts";
import { BRANCHES } from "../../fixtures/schemas/branches.ts";
import { CONTAINERS } from "../../fixtures/schemas/containers.ts";
import { DIALECTS } from "../../fixtures/schemas/dialects.ts";
import type { Draft, SchemaFixture } from "../../fixtures/schemas/fixture.ts";
import { REFERENCES } from "../../fixtures/schemas/references.ts";
import { TRAPS } from "../../fixtures/schemas/traps.ts";
import { catalogOf } from "../catalog.ts";
import { typeErrors } from "../type-check.ts";
import type { Json } from "./shape.ts";
import { forJudge, literalOf } from "./shape-values.ts";

const FIXTURES = [...CONTAINERS, ...BRANCHES, ...REFERENCES, ...DIALECTS, ...TRAPS];

describe("a schema that is easily typed wrong", () => {
  let sdk: Sdk;
  let errors: readonly string[];

  beforeAll(async () => {
    sdk = await buildSdk(
      catalogOf(
        FIXTURES.map(({ schema }, index) => ({ name: `t${index}`, inputSchema: schema, outputSchema: schema })),
      ),
    );
    const uses = FIXTURES.flatMap((fixture, index) => {
      const argument = `Exclude<Parameters<demo["t${index}"]>[0], undefined>`;
      const types = { input: argument, output: `Awaited<ReturnType<demo["t${index}"]>>` };
      return (["input", "output"] as const).map((side): [string, string] => [
        `${side}-${index}.ts`,
        valuesOf(fixture)
          .map((value) => `{ const v: ${types[side]} = ${literalOf(value as Json)}; }`)
          .join("\n"),
      ]);
    });
    errors = await typeErrors(new Map([...sdk.declarations, ...uses]));
    expect(errors.filter((error) => error.startsWith("demo"))).toEqual([]);
  });

  test.each(FIXTURES.map((fixture, index) => ({ title: fixture.title, fixture, index })))(
    "$title",
    ({ fixture, index }) => {
      const rejectedBy = (side: string): unknown[] =>
        valuesOf(fixture).filter((_, line) =>
          errors.some((error) => error.startsWith(`${side}-${index}.ts(${line + 1})`)),
        );
      const { rejects, open = [], stricter, looser, noJudge, warnings = 0 } = fixture;
      expect(rejectedBy("input")).toEqual([...rejects, ...open, ...(stricter?.values ?? [])]);
      expect(rejectedBy("output")).toEqual([...rejects, ...(stricter?.values ?? [])]);
      expect(sdk.servers[0]?.tools[toolIndex(index)]?.warnings.length).toBe(2 * warnings);
      if (noJudge !== undefined) return;
      const judge = judgeOf(fixture);
      expect(valuesOf(fixture).filter((value) => !judge(value))).toEqual([...rejects, ...(looser?.values ?? [])]);
    },
  );

  /** Tools are sorted by name. */
  function toolIndex(index: number): number {
    return sdk.servers[0]?.tools.findIndex(({ tool }) => tool.name === `t${index}`) ?? -1;
  }
});

/** In the order in which the test lists what is rejected. */
function valuesOf({ accepts, rejects, open, stricter, looser }: SchemaFixture): unknown[] {
  return [...accepts, ...rejects, ...(open ?? []), ...(stricter?.values ?? []), ...(looser?.values ?? [])];
}

/** Names that every object has count only where a value itself has them. */
const OPTIONS = { strict: false, ownProperties: true } as const;
const JUDGES: Readonly<Record<Draft, () => Pick<Ajv, "compile">>> = {
  "draft-04": () => new Ajv04.default(OPTIONS),
  "draft-06": () => new Ajv({ ...OPTIONS, validateSchema: false }),
  "draft-07": () => new Ajv(OPTIONS),
  "2019-09": () => new Ajv2019(OPTIONS),
  "2020-12": () => new Ajv2020(OPTIONS),
};

function judgeOf({ schema, draft = "2020-12" }: SchemaFixture): (value: unknown) => boolean {
  const { $schema: _, ...undeclared } = schema;
  const validate = JUDGES[draft]().compile(forJudge(draft === "draft-06" ? undeclared : schema));
  return (value) => validate(forJudge(value)) === true;
}
