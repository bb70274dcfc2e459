/**
 * What is new in a change: what stands more often in its files afterwards than before. All of its files count together,
 * so what moves, within a file or to another one, is not new. Every rule has its "new" from here, and with
 * the sides changed what is gone.
 */

export interface Sides<Item> {
  readonly before: readonly Item[];
  readonly after: readonly Item[];
}

/** For each file, in the same order, what is new in it. What `nameOf` gives one name is the same thing. */
export function listNew<Item>(
  files: readonly Sides<Item>[],
  nameOf: (item: Item) => string,
): readonly (readonly Item[])[] {
  const lost: Tally = new Map();
  // A file's own items first: another file has only what this one lost.
  const gained = files.map(({ before, after }) => {
    for (const item of subtract(before, after, nameOf)) addTo(lost, nameOf(item), 1);
    return subtract(after, before, nameOf);
  });
  return gained.map((items) => items.filter((item) => !takeFrom(lost, nameOf(item))));
}

function subtract<Item>(
  from: readonly Item[],
  others: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  const known: Tally = new Map();
  for (const item of others) addTo(known, nameOf(item), 1);
  return from.filter((item) => !takeFrom(known, nameOf(item)));
}

/** How many there are of each name. */
export type Tally = Map<string, number>;

export function addTo(tally: Tally, name: string, count: number): void {
  tally.set(name, (tally.get(name) ?? 0) + count);
}

/** Whether there was one left. */
export function takeFrom(tally: Tally, name: string): boolean {
  const count = tally.get(name) ?? 0;
  if (count <= 0) return false;
  tally.set(name, count - 1);
  return true;
}
