import type { Tool } from "./tool.ts";

/** As much of a server as a ref needs. */
interface NamedTools {
  readonly name: string;
  readonly byName: ReadonlyMap<string, Tool>;
}

/** The two ways to write a ref: `server.tool`, and `mcp__server__tool` as other hosts write it. */
const SPELLINGS = [
  { prefix: "", separator: "." },
  { prefix: "mcp__", separator: "__" },
] as const;

/**
 * The tools that a ref fits. Both names may hold the separator, so each place is tried: the table of servers says which of
 * them are names.
 */
export function namedTools(ref: string, servers: ReadonlyMap<string, NamedTools>): readonly Tool[] {
  return SPELLINGS.flatMap(({ prefix, separator }) => {
    if (!ref.startsWith(prefix)) return [];
    const rest = ref.slice(prefix.length);
    return placesOf(separator, rest).flatMap((place) => {
      const server = servers.get(rest.slice(0, place));
      return server?.byName.get(rest.slice(place + separator.length)) ?? [];
    });
  });
}

/** A warning for each ref that fits two tools, sorted. Only servers whose names begin with another's can have one. */
export function ambiguousRefs(servers: ReadonlyMap<string, NamedTools>): readonly string[] {
  const refs = new Set<string>();
  for (const { name, byName } of servers.values()) {
    for (const { prefix, separator } of SPELLINGS) {
      const isLonger = placesOf(separator, name).some((place) => servers.has(name.slice(0, place)));
      if (!isLonger) continue;
      for (const tool of byName.keys()) {
        const ref = `${prefix}${name}${separator}${tool}`;
        if (namedTools(ref, servers).length > 1) refs.add(ref);
      }
    }
  }
  return [...refs].sort().map((ref) => `"${ref}" means tools of two servers, so it names neither. Rename a server.`);
}

function placesOf(separator: string, text: string): number[] {
  const places: number[] = [];
  for (let place = text.indexOf(separator); place >= 0; place = text.indexOf(separator, place + 1)) places.push(place);
  return places;
}
