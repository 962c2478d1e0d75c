import { beforeAll, describe, expect, test } from "vitest";
import { buildSdk } from "../../../src/sdk/sdk.ts";
import { catalogOf } from "../catalog.ts";
import { typeErrors } from "../type-check.ts";
import { CASES } from "./clean-cases.ts";

describe("a schema's type", () => {
  const errors = new Set<string>();
  beforeAll(async () => {
    const sdk = await buildSdk(
      catalogOf(CASES.map(({ schema }, index) => ({ name: `t${index}`, inputSchema: schema }))),
    );
    const uses = CASES.map(({ accepts, rejects }, index) => {
      const line = (v: unknown): string =>
        `{ const v: Exclude<Parameters<demo["t${index}"]>[0], undefined> = ${JSON.stringify(v)}; }`;
      return [`use-${index}.ts`, [...accepts, ...rejects].map(line).join("\n")] as const;
    });
    for (const error of await typeErrors(new Map([...sdk.declarations, ...uses])))
      errors.add(error.split(":")[0] ?? "");
    expect([...errors].filter((place) => place.startsWith("demo"))).toEqual([]);
  });

  test.each(CASES.map(({ title, ...rest }, index) => ({ title, index, ...rest })))(
    "$title",
    ({ index, accepts, rejects }) => {
      const rejected = [...accepts, ...rejects].filter((_, line) => errors.has(`use-${index}.ts(${line + 1})`));
      expect(rejected).toEqual(rejects);
    },
  );
});
