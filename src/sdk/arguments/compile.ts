import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../catalog/tool.ts";
import { isRecord, type JsonRecord } from "../json-record.ts";
import { FORMATS } from "./format.ts";
import { compilePattern } from "./pattern.ts";

/** One way in which a value does not fit its schema. */
export interface Finding {
  /** The keyword that is not fulfilled, in the words of 2020-12; `false schema` where nothing is allowed. */
  readonly keyword: string;
  /** JSON Pointer from the arguments to the value; empty for the arguments themselves. */
  readonly pointer: string;
  readonly value: unknown;
  /** The keyword's own value. */
  readonly demand: unknown;
  /** The schema that the keyword stands in. */
  readonly around: JsonRecord;
  /** Ajv's details, by keyword. */
  readonly params: JsonRecord;
  /** What was wrong with each branch of `anyOf` and `oneOf`, in their order. */
  readonly branches: readonly (readonly Finding[])[];
}

/** The rule that was seen first to be broken. */
export type BrokenRule = Pick<Finding, "keyword" | "pointer" | "params">;

/** A schema that is ready to judge. Both functions may throw (`RangeError` on data of endless depth) and may take long. */
export interface CompiledSchema {
  /** The first rule that the value breaks, or undefined when it is valid. The value is never changed. */
  judge(value: unknown): BrokenRule | undefined;
  /** Everything that is wrong with a value. Compiled at its first use. */
  explain(value: unknown): readonly Finding[];
}

/**
 * Compiles what `prepareSchema` made. Every schema gets an Ajv of its own, with no meta-schemas, so that none can name,
 * replace or slow down another's. Costs 1 ms at the median of 2,970 real tools, 12 ms at the 99th percentile.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const judge = new Ajv2020(OPTIONS).compile(schema);
  let explain: ((value: unknown) => readonly Finding[]) | undefined;
  return {
    judge: (value) => {
      if (judge(value)) return undefined;
      const [first] = judge.errors ?? [];
      return { keyword: first?.keyword ?? "", pointer: first?.instancePath ?? "", params: first?.params ?? {} };
    },
    explain: (value) => {
      explain ??= createExplainer(schema);
      return explain(value);
    },
  };
}

const OPTIONS: Options = {
  strict: false,
  // The code for stopping at the first error nests with every property: four times slower to compile, and thousands of
  // properties overflow the stack.
  allErrors: true,
  // The schema is well-formed by construction.
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  // Or a property named `constructor` would be there in every object.
  ownProperties: true,
  // Else a definition is compiled anew wherever it is used, and a schema can grow without bound.
  inlineRefs: false,
  // 19.99 is a multiple of 0.01.
  multipleOfPrecision: 6,
  messages: false,
  logger: false,
  formats: Object.fromEntries(
    [...FORMATS].map(([name, { type, validate }]) => [name, { type, validate }]),
  ) as NonNullable<
    // Holds since each check takes values of the type beside it.
    Options["formats"]
  >,
  code: {
    optimize: false,
    // Patterns were compiled once already, so there always is one. `code` is only for standalone modules.
    regExp: Object.assign((pattern: string) => compilePattern(pattern) ?? /(?:)/, { code: "compilePattern" }),
  },
};

/**
 * A validator that finds everything, and keeps what it found in the branches of `anyOf` and `oneOf` apart: Ajv's own list is
 * flat, so that nobody can tell which finding belongs to which branch.
 */
function createExplainer(root: JsonSchema): (value: unknown) => readonly Finding[] {
  const ajv = new Ajv2020({ ...OPTIONS, verbose: true });
  const compiled = new Map<unknown, ValidateFunction>();
  const definitions = isRecord(root) ? root["$defs"] : undefined;
  const find = (schema: unknown, value: unknown): readonly Finding[] => {
    // In a list of one, so that the branch stays the same object and finds the definitions.
    const validate = compiled.get(schema) ?? ajv.compile({ allOf: [schema], $defs: definitions ?? {} });
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(toFinding);
  };
  defineKeyword(ajv, "anyOf", (schemas, value) => {
    const branches: (readonly Finding[])[] = [];
    for (const schema of schemas) {
      const found = find(schema, value);
      if (found.length === 0) return undefined;
      branches.push(found);
    }
    return { branches };
  });
  defineKeyword(ajv, "oneOf", (schemas, value) => {
    const branches = schemas.map((schema) => find(schema, value));
    const passing = branches.flatMap((found, index) => (found.length === 0 ? [index] : []));
    return passing.length === 1 ? undefined : { branches, passing };
  });
  defineKeyword(ajv, "contains", ([schema], value, around) => {
    if (!Array.isArray(value)) return undefined;
    const { minContains = 1, maxContains = Infinity } = around;
    const count = value.filter((item) => find(schema, item).length === 0).length;
    return count >= Number(minContains) && count <= Number(maxContains) ? undefined : { count };
  });
  // Whether something is unevaluated depends on the branches, which Ajv knows nothing of in here.
  return (value) => find(root, value).filter(({ keyword }) => !keyword.startsWith("unevaluated"));
}

/** Gives what is wrong, or undefined. */
type Check = (schemas: readonly unknown[], value: unknown, around: JsonRecord) => JsonRecord | undefined;

function defineKeyword(ajv: Ajv2020, keyword: string, check: Check): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    compile: (demand: unknown, around: JsonRecord) => {
      const errors: Partial<ErrorObject>[] = [];
      const judge = (value: unknown): boolean => {
        const params = check([demand].flat(), value, around);
        validate.errors = params ? [{ keyword, params: { ...params, around } }] : [];
        return params === undefined;
      };
      const validate = Object.assign(judge, { errors });
      return validate;
    },
  });
}

function toFinding({ keyword, instancePath, data, schema, parentSchema, params, propertyName }: ErrorObject): Finding {
  const { branches, around, ...details } = params;
  return {
    keyword,
    pointer: instancePath,
    value: data,
    demand: schema,
    around: around ?? parentSchema ?? {},
    params: { ...details, ...(propertyName !== undefined && { propertyName }) },
    branches: branches ?? [],
  };
}
