/**
 * Whether a key of an object is data rather than the name of a field: a number, an id, a token, a date, an address, a path,
 * words with blanks, whatever was masked. Such keys are never kept. A single word may be either (`total`, `alice`): it is
 * taken for a field.
 */
export function isDataKey(key: string): boolean {
  if (key === "" || key.length > FIELD_LENGTH) return true;
  return DATA.some((pattern) => pattern.test(key)) || isScrambled(key);
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
  // Titles, names of people, sentences.
  /\s/,
  // What a redactor has put in a secret's place.
  /\[(?:secret|\*+)\]/,
];

/** Whether a run of letters and digits changes between their kinds as often as random text does; words change at capitals. */
function isScrambled(key: string): boolean {
  return (key.match(/[A-Za-z\d]{12,}/g) ?? []).some((run) => {
    const changes = run.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
    return changes.length > run.length / SCRAMBLED;
  });
}

/** Characters to one change. Random letters and digits have 2.3, `isOauth2TokenEnabled` 5. */
const SCRAMBLED = 3.5;
