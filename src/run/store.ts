/**
 * What snippets keep between runs: JSON by key, in memory, for as long as the nami that they run in. Nothing of it is written
 * anywhere, and only snippets read it.
 */
export interface Store {
  /** JSON text, undefined for a key that has nothing. */
  get(key: string): string | undefined;
  /** Throws a RangeError when there is no room; what the key had stays. */
  set(key: string, json: string): void;
  /** Whether there was something. */
  delete(key: string): boolean;
  /** In the order in which they were first set. */
  keys(): string[];
}

/** Keys that a store has at most. Generous: a cursor or a page for every call of a run. */
export const STORE_KEYS = 1000;

/** Bytes of a store's keys and values at most, 10 MiB. Generous: a few results; what is larger belongs in a file of a server. */
export const STORE_BYTES = 10 * 2 ** 20;

/** Makes an empty store, or one with what another has now. */
export function createStore(from?: Store): Store {
  const values = new Map<string, string>(from?.keys().map((key) => [key, from.get(key) ?? ""]));
  let bytes = [...values].reduce((sum, [key, json]) => sum + Buffer.byteLength(key) + Buffer.byteLength(json), 0);
  const sizeOf = (key: string): number => {
    const json = values.get(key);
    return json === undefined ? 0 : Buffer.byteLength(key) + Buffer.byteLength(json);
  };
  return {
    get: (key) => values.get(key),
    set: (key, json) => {
      if (!values.has(key) && values.size >= STORE_KEYS) {
        throw new RangeError(`The store has ${STORE_KEYS} keys, which is all that it takes. Delete some.`);
      }
      const after = bytes - sizeOf(key) + Buffer.byteLength(key) + Buffer.byteLength(json);
      if (after > STORE_BYTES) {
        throw new RangeError(
          `The store would have ${after} bytes; at most ${STORE_BYTES} fit. Keep less, or delete some.`,
        );
      }
      values.set(key, json);
      bytes = after;
    },
    delete: (key) => {
      bytes -= sizeOf(key);
      return values.delete(key);
    },
    keys: () => [...values.keys()],
  };
}
