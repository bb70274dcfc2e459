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

const foldText = (name: string) => name.replaceAll(/[-_ ]/g, "").toLowerCase();

const TELLING_LENGTH = 4;
/** Longer than any name of ours; an agent's megabyte must cost nothing. */
const LONGEST = 80;

/** People seldom mistake the first letters. */
function countCommonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

interface Candidate {
  readonly candidate: string;
  readonly distance: number;
  readonly start: number;
  readonly longer: number;
}

/** At most a third of the longer word has to change, or two fifths where most of it begins alike. */
function isNear({ distance, start, longer }: Candidate): boolean {
  return distance * 3 <= longer || (distance * 5 <= longer * 2 && start * 2 > longer);
}

/** Of two names as near, the one with the longer common start. */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const wanted = foldText(name);
  if (wanted === "" || name.length > LONGEST) return null;
  const near = known
    .map((candidate): Candidate => {
      const word = foldText(candidate);
      return {
        candidate,
        distance: editDistance(wanted, word),
        start: countCommonStart(wanted, word),
        longer: Math.max(wanted.length, word.length),
      };
    })
    .filter(isNear)
    .toSorted((a, b) => a.distance - b.distance || b.start - a.start)[0];
  if (near !== undefined) return near.candidate;
  if (wanted.length < TELLING_LENGTH) return null;
  return known.find((candidate) => foldText(candidate).includes(wanted)) ?? null;
}
