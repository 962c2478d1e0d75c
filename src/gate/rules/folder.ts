import { lookAlike } from "./look-alike.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Whether a path, as text, is a folder or lies in it. Only an absolute path that every server must read alike is decided:
 * `..` (it may follow a link), a relative path, `~`, an address, an escape, a backslash, a control character, a second
 * spelling of the folder's name are `unknown`. Links cannot be seen here: a link inside the folder may lead out of it.
 */
export function isUnder(folder: string, path: string): Verdict {
  const plain = WINDOWS.test(folder) ? windowsPath(path) : posixPath(path);
  if (plain === undefined) return "unknown";
  const home = WINDOWS.test(folder) ? withDrive(folder) : folder;
  if (isInside(home, plain)) return "yes";
  return isInside(lookAlike(home), lookAlike(plain)) ? "unknown" : "no";
}

const WINDOWS = /^[A-Za-z]:/;

const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

function posixPath(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//") || path.includes("\\")) return undefined;
  return simplified(path);
}

/** A drive, a path from its root, no stream (`a.txt:x`), no short name (`NOTES~1`). */
function windowsPath(path: string): string | undefined {
  if (!/^[A-Za-z]:[\\/]/.test(path) || path.includes(":", 2) || /~\d/.test(path)) return undefined;
  const slashed = simplified(path.replaceAll("\\", "/"));
  return slashed === undefined ? undefined : withDrive(slashed);
}

const withDrive = (path: string): string => path.slice(0, 1).toUpperCase() + path.slice(1);

/** Without empty parts and `.`; nothing where the text alone does not say what is meant. */
function simplified(path: string): string | undefined {
  if (/[\p{Cc}\p{Cf}]|%[0-9a-f]{2}/iu.test(path)) return undefined;
  const [root = "", ...parts] = path.split("/");
  if (parts.some((part) => lookAlike(part) === "" && part !== "" && part !== ".")) return undefined;
  return [root, ...parts.filter((part) => part !== "" && part !== ".")].join("/");
}
