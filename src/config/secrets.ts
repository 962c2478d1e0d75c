import type { ServerConfig } from "./config.ts";
import type { UsedVariable } from "./expand.ts";

/**
 * The values in a configuration that must never reach a model, a log or the audit: values of environment variables, flags,
 * headers and query parameters with a telling name, whatever came in through a `${VAR}` with one, passwords inside
 * addresses, and values that look random. Ordinary settings (`LOG_LEVEL=error`, a folder) are left readable: masking them
 * would destroy data.
 */
export function secretsOf(servers: readonly ServerConfig[], used: readonly UsedVariable[]): string[] {
  const found = new Set<string>();
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && isTelling(name) && isLongEnough(value)) found.add(value);
  };
  const scan = (text: string): void => {
    if (LOOKS_RANDOM.test(text)) found.add(text);
    for (const named of [HEADER, PARAMETER]) {
      for (const [, name = "", value] of text.matchAll(named)) add(name, value);
    }
    for (const [, password = ""] of text.matchAll(PASSWORD_IN_ADDRESS)) if (isLongEnough(password)) found.add(password);
  };
  for (const { name, value } of used) add(name, value);
  for (const { env, args } of servers) {
    for (const [name, value] of Object.entries(env)) {
      add(name, value);
      scan(value);
    }
    args.forEach((argument, index) => {
      const [, flag = "", value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
      const next = args[index + 1];
      add(flag, value ?? (next?.startsWith("-") ? undefined : next));
      scan(argument);
    });
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** Last words of names whose value is a secret. */
const TELLING =
  /(?:^|_)(?:key|keys|apikey|token|tokens|secret|secrets|password|passwd|passphrase|pwd|pass|pat|auth|authorization|credential|credentials|cookie|bearer)$/;

/** Names that end like a secret's and are none: working folders, switches, and keys of data. */
const ORDINARY =
  /^(?:old)?_?pwd$|^(?:no|use|with|without|disable|enable)_|(?:sort|primary|foreign|partition|group|index|public)_keys?$/;

/** Whether a value under this name is a secret: `API_KEY`, `apiToken`, `PRIVATE-TOKEN`, `DB_PASSWORD_2`; not `AUTHOR` or `PWD`. */
function isTelling(name: string): boolean {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .replaceAll("-", "_")
    .replace(/_?\d+$/, "")
    .toLowerCase();
  return !ORDINARY.test(words) && (TELLING.test(words) || /password|secret/.test(words));
}

/** Shorter values, words of settings and plain numbers are everywhere in ordinary text. */
function isLongEnough(value: string): boolean {
  return value.length >= 6 && !/^(true|false|none|null|basic|bearer|\d{1,8})$/i.test(value);
}

/** One unbroken run of 20 or more letters and digits, with both, perhaps behind a short prefix: a key, not a file name. */
const LOOKS_RANDOM = /^(?:[a-z]{2,10}[_-])?(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9+=]{20,}$/;

/** `Name: value` of a header and `"name": "value"` of JSON; a scheme such as Bearer is no part of the value. */
const HEADER = /(?:^|[=,"'\s])([A-Za-z][\w-]*)["']?\s*[:=](?!\/\/)\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"']+)/gi;

/** `name=value` among the parameters of an address or of a connection. */
const PARAMETER = /[?&#;]\s*([A-Za-z][\w-]*)=([^\s"'&#;]+)/g;

/** `scheme://user:password@host`. */
const PASSWORD_IN_ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^@\s/]+)@/gi;
