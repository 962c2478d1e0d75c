import type { ServerConfig } from "./config.ts";

/** Names of variables and flags whose value is a secret. */
const SECRET_NAME = /key|token|secret|passw|pwd|auth|cred|cookie|session|private|dsn|connection/i;

/** A value of 16 or more characters with letters and digits and nothing of a path, an address or a sentence. */
const LOOKS_RANDOM = /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9_\-+=.~]{16,}$/;

/** Shorter values are everywhere in ordinary text: masking them would destroy output and reveal where they stood. */
const SHORTEST_SECRET = 6;

/**
 * The values in a configuration that must never reach a model, a log or the audit: environment values and flag values
 * with a telling name or a random look, passwords inside addresses, and everything that came in through `${VAR}` under
 * such a name. Ordinary settings (`LOG_LEVEL=error`, a folder) are left readable.
 */
export function secretsOf(servers: readonly ServerConfig[]): string[] {
  const found = new Set<string>();
  const add = (value: string | undefined): void => {
    if (value !== undefined && value.length >= SHORTEST_SECRET && !/^(true|false|\d{1,8})$/.test(value))
      found.add(value);
  };
  for (const server of servers) {
    for (const [name, value] of Object.entries(server.env)) {
      if (SECRET_NAME.test(name) || LOOKS_RANDOM.test(value)) add(value);
      add(passwordInAddress(value));
    }
    server.args.forEach((argument, index) => {
      const flag = /^--?([\w-]+)(?:=(.*))?$/s.exec(argument);
      if (flag?.[1] && SECRET_NAME.test(flag[1])) add(flag[2] ?? server.args[index + 1]);
      if (LOOKS_RANDOM.test(argument) && !argument.startsWith("-")) add(argument);
      add(passwordInAddress(argument));
      const header = /^(?:authorization|x-api-key|cookie)\s*[:=]\s*(?:bearer\s+|basic\s+|token\s+)?(.+)$/i.exec(
        argument,
      );
      add(header?.[1]);
    });
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** The password in `scheme://user:password@host`, as written. */
function passwordInAddress(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^@\s]+)@/i.exec(text)?.[1];
}
