import { cutMiddle } from "./cut-text.ts";

/** No value is given less room than this many characters of JSON: a notice of what was cut needs as much. */
const MIN_ROOM = 48;

/**
 * While room is short, one item is shown whole up to this many characters, or up to an eighth of the room if that is more:
 * eight items that a model can read say more than eighty that are cut to pieces.
 */
const ITEM_ROOM = 200;
const FIRST_ITEMS = 8;

/** An object with more keys than this is a dictionary, cut like an array; of smaller ones, keys come before values. */
const RECORD_KEYS = 64;

/**
 * Makes a function that fits a JSON value into `room` characters of compact JSON. It is pure and deterministic; what fits is
 * returned as it is, and the rest is cut as `shrink` describes. The result keeps to `room` whenever that is 48 or more.
 */
export function createFitter(value: unknown): (room: number) => unknown {
  const sizes = measure(value, new Map());
  return (room) => fitNode(value, Math.max(room, MIN_ROOM), sizes);
}

/** The length of each array and object as compact JSON. */
type Sizes = ReadonlyMap<object, number>;

/** Measures every array and object once, so that fitting is linear. */
function measure(value: unknown, sizes: Map<object, number>): Sizes {
  if (typeof value === "object" && value !== null) {
    const isArray = Array.isArray(value);
    let size = 2;
    for (const [key, item] of Object.entries(value)) {
      measure(item, sizes);
      size += sizeOf(item, sizes) + (isArray ? 1 : keySize(key));
    }
    sizes.set(value, size === 2 ? 2 : size - 1);
  }
  return sizes;
}

function sizeOf(value: unknown, sizes: Sizes): number {
  if (typeof value === "object" && value !== null) return sizes.get(value) ?? 0;
  return JSON.stringify(value).length;
}

/** A key with its quotes, the colon and the comma. */
function keySize(key: string): number {
  return JSON.stringify(key).length + 2;
}

function fitNode(value: unknown, room: number, sizes: Sizes): unknown {
  if (sizeOf(value, sizes) <= room) return value;
  if (typeof value === "string") return fitString(value, room);
  if (Array.isArray(value)) return fitArray(value, room, sizes);
  if (typeof value === "object" && value !== null) return fitObject(Object.entries(value), room, sizes);
  return value;
}

function fitString(text: string, room: number): string {
  for (let keep = Math.max(room - MIN_ROOM + 8, 0); keep > 0; keep = Math.floor(keep * 0.9)) {
    const cut = cutMiddle(text, keep).text;
    if (JSON.stringify(cut).length <= room) return cut;
  }
  return `[${text.length} characters cut]`;
}

function fitArray(items: readonly unknown[], room: number, sizes: Sizes): unknown {
  const wants = items.map((item) => ({ least: 1, most: sizeOf(item, sizes) + 1 }));
  const grants = share(wants, room - MIN_ROOM, itemRoom(room - MIN_ROOM));
  if (grants.length === 0) return `[array of ${items.length} items cut]`;
  const kept = grants.map((grant, index) => fitNode(items[index], grant - 1, sizes));
  const missing = items.length - kept.length;
  return missing > 0 ? [...kept, `[${missing} more items cut]`] : kept;
}

function fitObject(entries: readonly (readonly [string, unknown])[], room: number, sizes: Sizes): unknown {
  const wants = entries.map(([key, item]) => ({ least: keySize(key), most: keySize(key) + sizeOf(item, sizes) }));
  const cap = entries.length > RECORD_KEYS ? itemRoom(room - MIN_ROOM) : MIN_ROOM;
  const grants = share(wants, room - MIN_ROOM, cap);
  if (grants.length === 0) return nameKeys(entries, room);
  const kept = new Map<string, unknown>();
  for (const [index, [key, item]] of entries.slice(0, grants.length).entries()) {
    kept.set(key, fitNode(item, (grants[index] ?? 0) - keySize(key), sizes));
  }
  const missing = entries.length - kept.size;
  if (missing > 0) {
    let name = "…";
    while (kept.has(name)) name += "…";
    kept.set(name, `[${missing} more keys cut]`);
  }
  return Object.fromEntries(kept);
}

/** The most that one item may take; a little less than all room, so that the first item always finds a place. */
function itemRoom(room: number): number {
  return Math.max(MIN_ROOM, Math.min(Math.max(ITEM_ROOM, Math.floor(room / FIRST_ITEMS)), room - 1));
}

/** An object that has no room: the number of its keys, and as many names as fit. */
function nameKeys(entries: readonly (readonly [string, unknown])[], room: number): string {
  let notice = `[object with ${entries.length} keys cut]`;
  for (let names = 1; names <= Math.min(entries.length, FIRST_ITEMS); names++) {
    const list = entries.slice(0, names).map(([key]) => key);
    const longer = `[object cut, ${entries.length} keys: ${list.join(", ")}${names < entries.length ? ", …" : ""}]`;
    if (JSON.stringify(longer).length > room) break;
    notice = longer;
  }
  return notice;
}

/** Room that an item of an array or object takes: `least` without its value, `most` when it stays whole. */
interface Want {
  readonly least: number;
  readonly most: number;
}

/**
 * Shares room among the first items: as many of them as fit if none gets more than `cap` for its value, and then all room
 * that is left is dealt out so that small items stay whole and large ones get equally much.
 */
function share(wants: readonly Want[], room: number, cap: number): readonly number[] {
  const first: Want[] = [];
  let taken = 0;
  for (const want of wants) {
    taken += Math.min(want.most, want.least + cap);
    if (taken > room) break;
    first.push(want);
  }
  const level = waterLevel(first, room);
  return first.map((want) => Math.min(want.most, want.least + level));
}

/** The highest equal allowance for values with which all of them together keep to the room. */
function waterLevel(wants: readonly Want[], room: number): number {
  const values = wants.map((want) => want.most - want.least).sort((a, b) => a - b);
  let left = room - wants.reduce((sum, want) => sum + want.least, 0);
  for (const [index, value] of values.entries()) {
    const equal = Math.floor(left / (values.length - index));
    if (value > equal) return equal;
    left -= value;
  }
  return Number.MAX_SAFE_INTEGER;
}
