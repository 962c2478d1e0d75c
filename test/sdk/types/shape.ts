/** What a schema of the property tests says, before it is written as JSON Schema 2020-12. */
export type Shape =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "any" }
  | { readonly kind: "types"; readonly names: readonly ("string" | "number" | "boolean" | "null")[] }
  | { readonly kind: "enum"; readonly values: readonly Json[] }
  | { readonly kind: "const"; readonly value: Json }
  | ObjectShape
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "tuple"; readonly items: readonly Shape[]; readonly minItems: number; readonly rest: Rest }
  | { readonly kind: "nullable"; readonly inner: Shape }
  | { readonly kind: "anyOf" | "oneOf"; readonly branches: readonly Shape[] }
  /** Parts of different property names. */
  | { readonly kind: "allOf"; readonly parts: readonly ObjectShape[]; readonly isClosed: boolean }
  | { readonly kind: "ref"; readonly index: number }
  | { readonly kind: "noisy"; readonly inner: Shape; readonly noise: Readonly<Record<string, Json>> };

export interface ObjectShape {
  readonly kind: "object";
  readonly properties: readonly PropertyShape[];
  readonly rest: Rest;
}

export interface PropertyShape {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

/** What is said about further properties or items; undefined for nothing. */
export type Rest = Shape | boolean | undefined;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A shape with the definitions that its references name. */
export interface Sample {
  readonly root: Shape;
  readonly definitions: readonly Shape[];
}

/** The shape that a reference or noise stands for. */
export function resolveShape(shape: Shape, { definitions }: Pick<Sample, "definitions">): Shape {
  let found = shape;
  while (found.kind === "ref" || found.kind === "noisy") {
    found = found.kind === "noisy" ? found.inner : (definitions[found.index] ?? { kind: "any" });
  }
  return found;
}

/** A tool's schema with the sample as its property `v`. */
export function schemaOf({ root, definitions }: Sample): { readonly [keyword: string]: unknown } {
  return {
    type: "object",
    properties: { v: toSchema(root) },
    required: ["v"],
    additionalProperties: false,
    $defs: record(definitions.map((shape, index) => [`D ${index}`, toSchema(shape)])),
  };
}

function toSchema(shape: Shape): { readonly [keyword: string]: unknown } {
  switch (shape.kind) {
    case "any":
      return {};
    case "types":
      return { type: shape.names };
    case "enum":
      return { enum: shape.values };
    case "const":
      return { const: shape.value };
    case "object":
      return {
        type: "object",
        ...(shape.properties.length > 0 && {
          properties: record(shape.properties.map(({ name, shape: property }) => [name, toSchema(property)])),
          required: shape.properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        }),
        ...(shape.rest !== undefined && { additionalProperties: toRest(shape.rest) }),
      };
    case "list":
      return { type: "array", items: toSchema(shape.item) };
    case "tuple":
      return {
        type: "array",
        prefixItems: shape.items.map(toSchema),
        ...(shape.minItems > 0 && { minItems: shape.minItems }),
        ...(shape.rest !== undefined && { items: toRest(shape.rest) }),
      };
    case "nullable":
      return { anyOf: [toSchema(shape.inner), { type: "null" }] };
    case "anyOf":
    case "oneOf":
      return { [shape.kind]: shape.branches.map(toSchema) };
    case "allOf":
      return { allOf: shape.parts.map(toSchema), ...(shape.isClosed && { unevaluatedProperties: false }) };
    case "ref":
      return { $ref: `#/$defs/D%20${shape.index}` };
    case "noisy":
      return { ...shape.noise, ...toSchema(shape.inner) };
    default:
      return { type: shape.kind };
  }
}

function toRest(rest: Shape | boolean): unknown {
  return typeof rest === "boolean" ? rest : toSchema(rest);
}

/** An object with these entries, `__proto__` among them. */
export function record(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return result;
}
