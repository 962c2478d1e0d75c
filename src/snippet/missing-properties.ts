import type { CallIndex } from "./calls.ts";
import type { Checked } from "./checker.ts";
import type { Mapped } from "./edits.ts";
import type { ObjectType } from "./object-types.ts";
import { allText, NOT_ITERABLE, type PlacedFinding } from "./severity.ts";

/**
 * Adds to findings about objects what the checker knows of these, and finds what TypeScript does not mind: reads
 * of what an open result does not declare. Such a read becomes the finding that it would be were the result closed, and
 * what TypeScript says of its unknown value is dropped. An object without any declared property is a free map.
 */
export async function findMissing(
  findings: readonly PlacedFinding[],
  text: Mapped,
  index: CallIndex,
  checked: Checked,
): Promise<PlacedFinding[]> {
  const missing = findings.filter(({ code }) => OF_OBJECTS.has(code));
  const dotted = findings.filter(({ code }) => code === FROM_INDEX);
  const patterned = keysOfPatterns(text, index);
  const asked = [...missing, ...dotted, ...patterned];
  if (asked.length === 0) return [...findings];
  const objects = await checked.objectsAt(asked);
  const objectOf = new Map(asked.map((finding, at) => [finding, objects[at]]));
  const undeclared = [...dotted, ...patterned].flatMap((finding) => {
    const object = objectOf.get(finding);
    if (!object || !index.reads.isOfResult(finding.start, object)) return [];
    return undeclaredRead(finding, object) ?? [];
  });
  const isEcho = ({ code, start, stop }: PlacedFinding): boolean =>
    UNKNOWN_VALUE.has(code) && undeclared.some((read) => start <= read.start && read.stop <= stop);
  const others = findings.filter((finding) => finding.code !== FROM_INDEX && !isEcho(finding));
  const withObject = (finding: PlacedFinding): PlacedFinding => {
    const object = objectOf.get(finding);
    return object ? { ...finding, object } : finding;
  };
  return [...others.map(withObject), ...undeclared];
}

/** No property of that name. */
const NO_PROPERTY = 2339;

/** Findings that are judged by the object they are about: the same with a suggestion, an object taken for a list. */
const OF_OBJECTS = new Set([NO_PROPERTY, 2551, NOT_ITERABLE]);

/** A property that only an index signature gives, read with a dot. */
const FROM_INDEX = 4111;

/** Something is done with a value of unknown type. */
const UNKNOWN_VALUE = new Set([2571, 18046]);

/** Properties that patterns take, as if TypeScript had found each missing. */
function keysOfPatterns(text: Mapped, index: CallIndex): PlacedFinding[] {
  return index.reads.keys().flatMap(({ name, start }) => {
    const pos = text.fromSource(start);
    if (pos === undefined) return [];
    return [{ code: NO_PROPERTY, text: name, pos, end: pos + name.length, start, stop: start + name.length }];
  });
}

/** The finding about a read, when its object is open and does not declare the property. */
function undeclaredRead(finding: PlacedFinding, object: ObjectType): PlacedFinding | undefined {
  if (!object.isOpen || object.isMap) return undefined;
  const name = finding.code === FROM_INDEX ? /'(.+?)'/.exec(allText(finding))?.[1] : finding.text;
  if (name === undefined || object.properties.includes(name)) return undefined;
  const { pos, end, start, stop } = finding;
  const text = `Property '${name}' does not exist on type '${object.text}'.`;
  return { code: NO_PROPERTY, text, pos, end, start, stop, object };
}
