import type { CountTokens } from "../manifest.ts";

/** How much is shown of a tool or of a part of it. */
export interface Fold {
  /** Objects and definitions that are open: the first ones in the order of unfolding … */
  readonly open: number;
  /** … and some of the later ones. */
  readonly also: readonly number[];
  /** Characters of documentation at each property. */
  readonly docs: number;
  /** Characters of the tool's own description. */
  readonly toolDocs: number;
  /** Values of an enum, members of a union, items of a tuple. */
  readonly members: number;
  /** Properties of an object. */
  readonly properties: number;
  /** Characters of a literal or of a quoted name. */
  readonly literal: number;
}

const EVERYTHING = Number.MAX_SAFE_INTEGER;

const WHOLE: Fold = {
  open: EVERYTHING,
  also: [],
  docs: EVERYTHING,
  toolDocs: EVERYTHING,
  members: EVERYTHING,
  properties: EVERYTHING,
  literal: EVERYTHING,
};

/** All structure, ever less documentation. */
const SHORTER_DOCS: readonly Fold[] = [
  { ...WHOLE, docs: 400, toolDocs: 1000 },
  { ...WHOLE, docs: 200, toolDocs: 1000 },
];

/** Less structure, from sentences of documentation to none. A level needs `least` open objects to be worth it. */
const FOLDED: readonly { readonly least: number; readonly fold: Fold }[] = [
  { least: 2, fold: { ...WHOLE, docs: 120, toolDocs: 500, members: 24, literal: 200 } },
  { least: 1, fold: { ...WHOLE, docs: 60, toolDocs: 200, members: 12, literal: 120 } },
  { least: 1, fold: { ...WHOLE, docs: 0, toolDocs: 100, members: 8, literal: 80 } },
];

/** What is left when not even the names of all properties fit. */
const SMALLEST: Fold = { ...WHOLE, open: 1, docs: 0, toolDocs: 100, members: 3, properties: 1, literal: 60 };

/** Single objects that are tried beyond the first ones that fit together. */
const TRIED_SINGLY = 12;
/** Longest texts that are counted, in characters a token: longer ones are taken for too long. */
const COUNTED_LENGTH = 12;

/**
 * The most of a thing that fits the budget: documentation is shortened to a sentence before structure is folded; then objects
 * are unfolded in their order, as many as fit. `objects` is how many there are. When nothing fits, the smallest form.
 */
export function fitFold(render: (fold: Fold) => string, objects: number, budget: number, count: CountTokens): string {
  const fits = (fold: Fold): boolean => isWithin(render(fold), budget, count);
  return render([WHOLE, ...SHORTER_DOCS].find(fits) ?? foldStructure(fits, objects));
}

/** Whether a text has at most so many tokens. */
export function isWithin(text: string, budget: number, count: CountTokens): boolean {
  return text.length <= budget * COUNTED_LENGTH && count(text) <= budget;
}

function foldStructure(fits: (fold: Fold) => boolean, objects: number): Fold {
  for (const { least, fold } of FOLDED) {
    const open = most(objects, (n) => fits({ ...fold, open: n }));
    if (open !== undefined && open >= Math.min(least, objects))
      return enrich(openMore({ ...fold, open }, objects, fits), fits);
  }
  const properties = most(EVERYTHING_LISTED, (n) => fits({ ...SMALLEST, properties: n }));
  if (properties !== undefined && properties > 0) return enrich({ ...SMALLEST, properties }, fits);
  return { ...SMALLEST, open: 0, toolDocs: 0 };
}

/** More properties than any object of a schema has: only 10,000 parts of a schema are typed. */
const EVERYTHING_LISTED = 10_000;

/** Opens single objects behind one that is too large. */
function openMore(fold: Fold, objects: number, fits: (fold: Fold) => boolean): Fold {
  let opened = fold;
  for (let n = fold.open + 1; n < Math.min(objects, fold.open + 1 + TRIED_SINGLY); n++) {
    const more = { ...opened, also: [...opened.also, n] };
    if (fits(more)) opened = more;
  }
  return opened;
}

/** Uses the room that is left for longer lists of values and more documentation. */
function enrich(fold: Fold, fits: (fold: Fold) => boolean): Fold {
  let rich = fold;
  for (const members of [1000, 300, 100, 50, 24]) {
    if (members > rich.members && fits({ ...rich, members })) rich = { ...rich, members };
  }
  for (const docs of [400, 200, 120]) {
    const more = { ...rich, docs, toolDocs: Math.max(rich.toolDocs, docs * 2) };
    if (docs > rich.docs && fits(more)) rich = more;
  }
  return rich;
}

/** The largest number up to `limit` for which it holds, given that it holds for all smaller ones; undefined if not even for 0. */
export function most(limit: number, holds: (n: number) => boolean): number | undefined {
  if (holds(limit)) return limit;
  if (!holds(0)) return undefined;
  let [low, high] = [0, limit];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
