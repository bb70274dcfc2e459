/** How many insertions, deletions, replacements and swaps of neighbours turn one word into the other. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}

/** Spelling habits that are no mistakes of memory: capitals, dashes and underscores. */
const folded = (name: string) => name.replaceAll(/[-_ ]/g, "").toLowerCase();

/** A name of this length or more is long enough to be meant when it is part of another. */
const TELLING_LENGTH = 4;
/** Longer than any name of ours; beyond it nothing is near, and an agent's megabyte costs nothing. */
const LONGEST = 80;

/** The known name that was probably meant, if one is near enough; the earlier one where two are as near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = folded(name);
  if (wanted === "" || name.length > LONGEST) return null;
  const distances = known.map((candidate) => ({
    candidate,
    distance: editDistance(wanted, folded(candidate)),
  }));
  const near = distances
    .filter(({ candidate, distance }) => distance * 3 <= Math.max(wanted.length, folded(candidate).length))
    .toSorted((a, b) => a.distance - b.distance)[0];
  if (near !== undefined) return near.candidate;
  if (wanted.length < TELLING_LENGTH) return null;
  return known.find((candidate) => folded(candidate).includes(wanted)) ?? null;
}
