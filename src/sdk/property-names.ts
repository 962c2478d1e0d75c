/**
 * Property names that every JavaScript object already has. json-schema-to-typescript calls some of them as methods on the
 * server's own objects (`schema.hasOwnProperty`), and assigning `__proto__` sets a prototype, so such names carry a mark
 * on their way through.
 */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A character that stands in no sensible name; json-schema-to-typescript writes it as the escape in `MARKED`. */
const MARK = "\u0000";
const MARKED = /"(\w+)\\u0000"(?=\??: )/g;

/** The name under which a property travels through json-schema-to-typescript. */
export function markName(name: string): string {
  return INHERITED.has(name) ? `${name}${MARK}` : name;
}

/** The server's name again. */
export function unmarkName(name: string): string {
  return name.endsWith(MARK) ? name.slice(0, -1) : name;
}

/** A generated type with the server's names in it again. */
export function unmarkNames(text: string): string {
  return text.replace(MARKED, (whole, name: string) => (INHERITED.has(name) ? name : whole));
}

/** Whether a name can stand without quotes, as a member and after a dot. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}
