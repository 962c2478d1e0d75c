import fc from "fast-check";
import type { Json, ObjectShape, PropertyShape, Rest, Sample, Shape } from "./shape.ts";

/** Texts that try to get out of where they stand. */
const NASTY = [
  "*/ export const pwned = 1; /*",
  "// @ts-nocheck\n@ts-ignore",
  "a\u2028b\u2029c\u202ed\u200be\u0000f",
  "${process.exit()} `x` \\",
  '"; } export type pwned = any; //',
  "'\r\n</script>/// <reference path='/etc/passwd'/>",
  "\ud800 lone, 🚀, 查询, é",
  "}}}>)];",
] as const;

const NAMES = [
  ...["a", "b", "c", "name", "id", "kind", "type", "items", "x-y", "a b", "1", "01", "$ref", "é", "查", "", "default"],
  ...["constructor", "__proto__", "hasOwnProperty", "toString", "length", "prototype", "then", "enum", "new", "get"],
  ...["a\nb", 'q"uote', "it's", "\\", "a\u2028b", "\u202e", "*/", "[k: string]", "readonly a", "a?", "\u0000", "🚀"],
];

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const literal: fc.Arbitrary<Json> = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
);
const noise = fc.record<Record<string, Json>>(
  {
    description: text,
    title: text,
    default: literal,
    format: text,
    $comment: text,
    tsType: fc.constantFrom("0; } export const pwned = 1; type z = {", "any"),
    tsEnumNames: fc.constant(["pwned } export enum pwned {"]),
    examples: fc.constant([{ $ref: "file:///etc/passwd", $id: "x" }]),
    deprecated: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Distinct names with shapes. */
function properties(shape: fc.Arbitrary<Shape>, names: readonly string[]): fc.Arbitrary<PropertyShape[]> {
  return fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), shape, isRequired: fc.boolean() }), {
    maxLength: 4,
    selector: ({ name }) => name,
  });
}

const restOf = (shape: fc.Arbitrary<Shape>): fc.Arbitrary<Rest> =>
  fc.oneof(fc.constant(undefined), fc.constant(false), fc.constant(true), shape);

const DEFINITIONS = 3;
const [EVEN, ODD] = [NAMES.filter((_, index) => index % 2 === 0), NAMES.filter((_, index) => index % 2 === 1)];

const { shape, container } = fc.letrec<{ shape: Shape; leaf: Shape; container: Shape; object: ObjectShape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: tie("leaf") },
    { weight: 4, arbitrary: tie("container") },
    { weight: 1, arbitrary: tie("shape").map((inner): Shape => ({ kind: "nullable", inner })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("anyOf" as const, "oneOf" as const),
          fc.array(tie("shape"), { minLength: 1, maxLength: 3 }),
        )
        .map(([kind, branches]): Shape => ({ kind, branches })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie("shape"), noise).map(([inner, more]): Shape => ({ kind: "noisy", inner, noise: more })),
    },
    { weight: 1, arbitrary: fc.nat({ max: DEFINITIONS - 1 }).map((index): Shape => ({ kind: "ref", index })) },
  ),
  leaf: fc.oneof(
    fc.constantFrom("string", "number", "integer", "boolean", "null", "any").map((kind): Shape => ({ kind })),
    fc
      .subarray(["string", "number", "boolean", "null"] as const, { minLength: 1 })
      .map((names): Shape => ({ kind: "types", names })),
    fc.uniqueArray(literal, { minLength: 1, maxLength: 5 }).map((values): Shape => ({ kind: "enum", values })),
    fc
      .oneof(
        literal,
        fc.jsonValue({ maxDepth: 1 }).map((value) => withoutProto(value)),
      )
      .map((value): Shape => ({ kind: "const", value })),
  ),
  object: fc
    .record({ properties: properties(tie("shape"), NAMES), rest: restOf(tie("shape")) })
    .map((object): ObjectShape => ({ kind: "object", ...object })),
  container: fc.oneof(
    { weight: 4, arbitrary: tie("object") },
    { weight: 2, arbitrary: tie("shape").map((item): Shape => ({ kind: "list", item })) },
    {
      weight: 2,
      arbitrary: fc
        .record({
          items: fc.array(tie("shape"), { minLength: 1, maxLength: 4 }),
          minItems: fc.nat({ max: 5 }),
          rest: restOf(tie("shape")),
        })
        .map((tuple): Shape => ({ kind: "tuple", ...tuple })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(properties(tie("shape"), EVEN), properties(tie("shape"), ODD), fc.boolean()).map(
        ([even, odd, isClosed]): Shape => ({
          kind: "allOf",
          parts: [even, odd].map((each): ObjectShape => ({ kind: "object", properties: each, rest: undefined })),
          isClosed,
        }),
      ),
    },
  ),
}));

/** JSON without an own `__proto__`, which a literal cannot have. */
function withoutProto(value: unknown): Json {
  // Holds since fast-check made it from JSON.
  return JSON.parse(JSON.stringify(value, (key, each) => (key === "__proto__" ? undefined : each)) ?? "null") as Json;
}

/** Schemas of all that is supported. Definitions are containers, so that none is only itself. */
export const sample: fc.Arbitrary<Sample> = fc.record({
  root: shape,
  definitions: fc.array(container, { minLength: DEFINITIONS, maxLength: DEFINITIONS }),
});
