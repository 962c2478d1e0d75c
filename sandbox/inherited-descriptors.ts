import { readdirSync, readFileSync } from "node:fs";

/**
 * Descriptors above 2 that a child process would get from this one: whoever started the host left them open (`exec 9>lock`
 * in a shell), and Node closes only those near the low end by itself. Read from /proc on Linux; macOS and Windows hand down
 * none.
 */
export function inheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fdinfo")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

/** `flags:` is octal; O_CLOEXEC is 0o2000000 on every processor that Node runs on. */
function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & 0o2000000) === 0;
  } catch {
    // The listing's own descriptor is gone by now.
    return false;
  }
}
