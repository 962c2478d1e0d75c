import {
  type Json,
  type ObjectShape,
  type PropertyShape,
  record,
  resolveShape,
  type Sample,
  type Shape,
} from "./shape.ts";

/** Gives numbers from 0 up to a limit, which it never reaches. */
export type Random = (limit: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  };
}

/** A name that no shape declares. */
const UNDECLARED = "zz undeclared";
/** Levels of a value, after which optional parts are left out, and levels at which there is none. */
const [DEEP, TOO_DEEP] = [4, 12];

/**
 * A value of a sample. With `isOpen` also one that has what is not declared, wherever the schema does not forbid it. Undefined
 * when the shape leads on without an end. Whether the schema accepts the value is for ajv to say.
 */
export function makeValue(sample: Sample, random: Random, isOpen: boolean): Json | undefined {
  try {
    return make(sample.root, 0);
  } catch (error) {
    if (error === ENDLESS) return undefined;
    throw error;
  }

  function make(unresolved: Shape, depth: number): Json {
    if (depth > TOO_DEEP) throw ENDLESS;
    const shape = resolveShape(unresolved, sample);
    const child = (inner: Shape): Json => make(inner, depth + 1);
    const few = depth > DEEP ? 1 : 3;
    switch (shape.kind) {
      case "string":
        return pick(["", "x", "*/", "__proto__"]);
      case "number":
        return pick([0, -1.5, 1e21]);
      case "integer":
        return pick([0, -7]);
      case "boolean":
        return pick([true, false]);
      case "null":
        return null;
      case "any":
        return pick([null, 1, "x", [1], { a: 1 }]);
      case "types":
        return make({ kind: pick(shape.names) }, depth);
      case "enum":
        return pick(shape.values);
      case "const":
        return shape.value;
      case "nullable":
        return random(few) === 0 ? null : child(shape.inner);
      case "anyOf":
      case "oneOf":
        return child(pick(shape.branches));
      case "list":
        return Array.from({ length: random(few) }, () => child(shape.item));
      case "tuple": {
        const length = shape.minItems + random(Math.max(1, shape.items.length - shape.minItems + 1));
        const items = shape.items.slice(0, length).map(child);
        const { rest } = shape;
        const isFull = items.length === shape.items.length;
        if (isFull && rest !== undefined && rest !== false) {
          for (let n = Math.max(shape.minItems - items.length, random(few)); n > 0; n--)
            items.push(rest === true ? n : child(rest));
        }
        return isFull && isOpen && rest === undefined ? [...items, 1, "x"] : items;
      }
      case "object":
        return record(entriesOf(shape, child, depth)) as Json;
      case "allOf":
        return record([
          ...shape.parts.flatMap((part) => entriesOf(part, child, depth)),
          ...(isOpen && !shape.isClosed ? [[UNDECLARED, 1] as const] : []),
        ]) as Json;
      default:
        throw new Error(`${shape.kind} is resolved`);
    }
  }

  function entriesOf(
    { properties, rest }: ObjectShape,
    child: (shape: Shape) => Json,
    depth: number,
  ): [string, Json][] {
    const entries = properties
      .filter(({ isRequired }) => isRequired || (depth <= DEEP && random(2) === 0))
      .map(({ name, shape }): [string, Json] => [name, child(shape)]);
    const isSaid = rest !== undefined && rest !== false;
    if (isSaid && depth <= DEEP && random(2) === 0) entries.push(["zz further", rest === true ? 1 : child(rest)]);
    if (isOpen && rest === undefined) entries.push([UNDECLARED, "x"]);
    return entries;
  }

  function pick<Item>(items: readonly Item[]): Item {
    const item = items[random(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

const ENDLESS = Symbol("endless");

/** A value with one fault. */
export interface Fault {
  readonly kind: "wrong type" | "outside of an enum" | "missing" | "undeclared in closed";
  readonly value: Json;
}

/** Values that differ from a valid one in one place, of kinds that TypeScript can tell: not in one of several branches. */
export function faultsOf(sample: Sample, unresolved: Shape, value: Json): Fault[] {
  const shape = resolveShape(unresolved, sample);
  const wrong = (other: Json): Fault => ({ kind: "wrong type", value: other });
  switch (shape.kind) {
    case "string":
      return [wrong(42), wrong(null)];
    case "number":
    case "integer":
    case "boolean":
      return [wrong("x"), wrong([])];
    case "null":
      return [wrong(0)];
    case "types":
      return [wrong({}), wrong([])];
    case "enum":
      return [{ kind: "outside of an enum", value: "zz outside" }];
    case "const":
      return typeof shape.value === "object" && shape.value !== null
        ? []
        : [{ kind: "outside of an enum", value: "zz outside" }];
    case "nullable":
      return value === null ? [] : faultsOf(sample, shape.inner, value);
    case "list":
      return Array.isArray(value)
        ? [wrong("x"), wrong({}), ...value.flatMap((_, index) => inItem(value, index, shape.item))]
        : [];
    case "tuple": {
      if (!Array.isArray(value)) return [];
      const { items, minItems, rest } = shape;
      const cut = Math.min(minItems, items.length) - 1;
      return [
        wrong("x"),
        ...value.flatMap((_, index) => inItem(value, index, items[index] ?? { kind: "any" })),
        ...(cut >= 0 ? [{ kind: "missing", value: value.slice(0, cut) } as const] : []),
        ...(rest === false
          ? [{ kind: "undeclared in closed", value: [...value, ...items.map(() => 1), 1] } as const]
          : []),
      ];
    }
    case "object":
      return inObject(shape.properties, value, shape.rest === false);
    case "allOf":
      return inObject(
        shape.parts.flatMap(({ properties }) => properties),
        value,
        shape.isClosed,
      );
    default:
      return [];
  }

  function inItem(list: readonly Json[], index: number, item: Shape): Fault[] {
    return faultsOf(sample, item, list[index] ?? null).map((fault) => ({
      ...fault,
      value: list.toSpliced(index, 1, fault.value),
    }));
  }

  function inObject(properties: readonly PropertyShape[], object: Json, isClosed: boolean): Fault[] {
    if (typeof object !== "object" || object === null) return [];
    const entries = Object.entries(object);
    // Texts and lists pass for an object of which they have all that is required, and something.
    const isOfOthers = (name: string): boolean => name in Object("") || name in [];
    const isLikeOthers =
      properties.some(({ name }) => isOfOthers(name)) &&
      properties.every(({ name, isRequired }) => !isRequired || isOfOthers(name));
    const faults: Fault[] = isLikeOthers ? [] : [wrong("x"), wrong([1])];
    if (isClosed) faults.push({ kind: "undeclared in closed", value: record([...entries, [UNDECLARED, 1]]) as Json });
    for (const { name, shape: property, isRequired } of properties) {
      const entry = entries.find(([key]) => key === name);
      if (entry === undefined) continue;
      // Every object has a method of this name, which passes for types that take objects.
      const hasAnyway = name in {} && name !== "__proto__" && !TELLS_METHODS.has(resolveShape(property, sample).kind);
      if (isRequired && !hasAnyway) {
        faults.push({ kind: "missing", value: record(entries.filter((other) => other !== entry)) as Json });
      }
      for (const fault of faultsOf(sample, property, entry[1])) {
        const others = entries.map((other): [string, Json] => (other === entry ? [name, fault.value] : other));
        faults.push({ ...fault, value: record(others) as Json });
      }
    }
    return faults;
  }
}

/** Shapes of which no function is. */
const TELLS_METHODS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null", "list", "tuple"]);

/** A value as an expression on one line: in a literal, `"__proto__": 1` would set no property. */
export function literalOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return quote(value);
  const entries = Object.entries(value).map(([name, each]) => `[${quote(name)}]: ${literalOf(each)}`);
  return `{ ${entries.join(", ")} }`;
}

/** TypeScript counts these separators as the end of a line, also within a string. */
function quote(value: string | number | boolean | null): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
}

/** The same with another name for `__proto__`, which ajv passes over. */
export function forJudge<Value>(value: Value): Value {
  // Holds since only a name differs.
  return JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto name"')) as Value;
}
