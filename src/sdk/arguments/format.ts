import { isIPv4, isIPv6 } from "node:net";

/** How a format is checked: the type of value that it speaks about, the check, and an example for messages. */
export interface Format {
  readonly type: "string" | "number";
  readonly validate: (value: never) => boolean;
  readonly example?: string;
}

/**
 * The formats that are checked; all others are only remarks. Each accepts at least what the widespread validators accept
 * (ajv-formats, zod, Pydantic: time zones may be missing, letters may be of any script, identifiers may lack hyphens), as a
 * server's own check follows anyway. None takes longer than in proportion to the text.
 */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ["date", dated(/^\d{4}-[01]\d-[0-3]\d$/, "2026-01-31")],
  ["time", text(/^[0-2]\d:[0-5]\d(?::[0-6]\d(?:[.,]\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i, "09:30:00Z")],
  [
    "date-time",
    dated(
      /^\d{4}-[01]\d-[0-3]\d(?:[t ][0-2]\d:[0-5]\d(?::[0-6]\d(?:[.,]\d+)?)?(?: ?(?:z|[+-]\d\d(?::?\d\d)?))?)?$/i,
      "2026-01-31T09:30:00Z",
    ),
  ],
  ["duration", text(/^[+-]?P(?=.)(?:[\d.,]+[YMWD])*(?:T(?=.)(?:[\d.,]+[HMS])*)?$/i, "P1DT12H")],
  ["email", text(/^(?:[^\s@]+|"[^"]*")@[^\s@]+$/, "name@example.com")],
  ["hostname", text(/^(?=.{1,254}$)[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*\.?$/u, "www.example.com")],
  ["ipv4", { type: "string", validate: (value: string) => isIPv4(value), example: "192.0.2.1" }],
  ["ipv6", { type: "string", validate: (value: string) => isIPv6(value), example: "2001:db8::1" }],
  ["uri", text(/^[a-z][a-z0-9+.-]*:\S*$/i, "https://example.com/page")],
  ["url", text(/^[a-z][a-z0-9+.-]*:\S*$/i, "https://example.com/page")],
  [
    "uuid",
    text(
      /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i,
      "123e4567-e89b-12d3-a456-426614174000",
    ),
  ],
  [
    "int32",
    { type: "number", validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31 },
  ],
  ["int64", { type: "number", validate: (value: number) => Number.isInteger(value) }],
]);

function text(pattern: RegExp, example: string): Format {
  return { type: "string", validate: (value: string) => pattern.test(value), example };
}

/** Of a text that begins with a date, which must be one of the calendar. */
function dated(pattern: RegExp, example: string): Format {
  const isDay = (year: number, month: number, day: number): boolean =>
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  const validate = (value: string): boolean =>
    pattern.test(value) && isDay(Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8, 10)));
  return { type: "string", validate, example };
}
