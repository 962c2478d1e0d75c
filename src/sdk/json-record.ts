/** A JSON object from elsewhere. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Levels of JSON in a schema that are looked at. Unlike `JSON.parse`, `JSON.stringify` overflows the stack at some 5,000 in
 * Node 24, and so does every function that follows a schema by calling itself.
 */
export const MAX_JSON_DEPTH = 1000;

/** Whether a JSON value has more levels of objects and lists than this. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return level.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
