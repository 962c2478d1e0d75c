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
 * Its cost depends on the room, not on the value: two million items are only counted.
 */
export function createFitter(value: unknown): (room: number) => unknown {
  const sizes: Sizes = new Map();
  return (room) => fitNode(value, Math.max(room, MIN_ROOM), sizes);
}

type Entries = readonly (readonly [string, unknown])[];

/** The length of arrays and objects as compact JSON, or how much of it was measured when that was more than asked for. */
type Sizes = Map<object, Measured>;

interface Measured {
  readonly size: number;
  readonly whole: boolean;
  /** Of an object: to list those of a large one takes longer than to fit it. */
  readonly entries?: Entries;
}

/** The length as compact JSON if that is `limit` at most, else any number above the limit. */
function sizeOf(value: unknown, limit: number, sizes: Sizes): number {
  if (typeof value === "string" && value.length > limit) return value.length;
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  const known = sizes.get(value);
  if (known && (known.whole || known.size > limit)) return known.size;
  const measured = Array.isArray(value)
    ? measureItems(value, limit, sizes)
    : measureEntries(known?.entries ?? Object.entries(value), limit, sizes);
  sizes.set(value, measured);
  return measured.size;
}

function measureItems(items: readonly unknown[], limit: number, sizes: Sizes): Measured {
  let size = items.length === 0 ? 2 : 1;
  for (const item of items) {
    size += sizeOf(item, limit, sizes) + 1;
    if (size > limit) return { size, whole: false };
  }
  return { size, whole: true };
}

function measureEntries(entries: Entries, limit: number, sizes: Sizes): Measured {
  let size = entries.length === 0 ? 2 : 1;
  for (const [key, item] of entries) {
    size += keySize(key) + sizeOf(item, limit, sizes);
    if (size > limit) return { size, whole: false, entries };
  }
  return { size, whole: true };
}

/** A key with its quotes, the colon and the comma. */
function keySize(key: string): number {
  return JSON.stringify(key).length + 2;
}

function fitNode(value: unknown, room: number, sizes: Sizes): unknown {
  if (sizeOf(value, room, sizes) <= room) return value;
  if (typeof value === "string") return fitString(value, room);
  if (Array.isArray(value)) return fitArray(value, room, sizes);
  if (typeof value === "object" && value !== null) {
    return fitObject(sizes.get(value)?.entries ?? Object.entries(value), room, sizes);
  }
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
  const want = (item: unknown): Want => ({ least: 1, most: 1 + sizeOf(item, room, sizes) });
  const grants = share(items, want, room - MIN_ROOM, itemRoom(room - MIN_ROOM));
  if (grants.length === 0) return `[array of ${items.length} items cut]`;
  const kept = grants.map((grant, index) => fitNode(items[index], grant - 1, sizes));
  const missing = items.length - kept.length;
  return missing > 0 ? [...kept, `[${missing} more items cut]`] : kept;
}

function fitObject(entries: Entries, room: number, sizes: Sizes): unknown {
  const want = ([key, item]: readonly [string, unknown]): Want => {
    const least = keySize(key);
    return { least, most: least + sizeOf(item, room, sizes) };
  };
  const cap = entries.length > RECORD_KEYS ? itemRoom(room - MIN_ROOM) : MIN_ROOM;
  const grants = share(entries, want, room - MIN_ROOM, cap);
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
function nameKeys(entries: Entries, room: number): string {
  let notice = `[object with ${entries.length} keys cut]`;
  for (let names = 1; names <= Math.min(entries.length, FIRST_ITEMS); names++) {
    const list = entries.slice(0, names).map(([key]) => key);
    const longer = `[object cut, ${entries.length} keys: ${list.join(", ")}${names < entries.length ? ", …" : ""}]`;
    if (JSON.stringify(longer).length > room) break;
    notice = longer;
  }
  return notice;
}

/** Room that an item of an array or object takes: `least` without its value, `most` when it stays whole (if it can). */
interface Want {
  readonly least: number;
  readonly most: number;
}

/**
 * Shares room among the first items: as many of them as fit if none gets more than `cap` for its value, and then all room
 * that is left is dealt out so that small items stay whole and large ones get equally much.
 */
function share<Item>(
  items: readonly Item[],
  wantOf: (item: Item) => Want,
  room: number,
  cap: number,
): readonly number[] {
  const first: Want[] = [];
  let taken = 0;
  for (const item of items) {
    const want = wantOf(item);
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
