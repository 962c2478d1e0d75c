/**
 * Whether a key of an object is data rather than the name of a field: a number, an id, a date, an address, a path. Such keys
 * are never kept. In doubt it is a field: one that is kept wrongly costs a little text, one that is dropped costs its type.
 */
export function isDataKey(key: string): boolean {
  return key === "" || key.length > FIELD_LENGTH || DATA.some((pattern) => pattern.test(key));
}

/** Longest name of a field in characters; the longest of 33,989 properties of real schemas has 58. */
const FIELD_LENGTH = 60;

const DATA: readonly RegExp[] = [
  // Whole and decimal numbers.
  /^[-+]?[\d.,]+$/,
  // UUIDs and hashes.
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /^(?=.*\d)[0-9a-f]{8,}$/i,
  // Dates, times, and ids that end in numbers; names such as `sha256` have fewer digits.
  /(?:\d.*){4}/,
  // Mail addresses, but not the annotations of OData.
  /^[^@\s]+@(?!odata\.)[^@\s]+\.\w{2,}$/i,
  // Addresses, paths and content types.
  /[/\\]/,
  /^[a-z]+:\S/i,
  // Sentences.
  /\s\S+\s\S+\s/,
];
