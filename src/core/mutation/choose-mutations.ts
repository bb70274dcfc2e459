import type { Mutation } from "./list-mutations.ts";

/**
 * A sample that is the same each time: one of each line in turn, and there the operator that was used least. Where all
 * fit, all are taken.
 */
export function chooseMutations(mutations: readonly Mutation[], max: number): readonly Mutation[] {
  const byLine = new Map<string, Mutation[]>();
  for (const mutation of mutations) {
    const name = `${mutation.path}:${mutation.line}`;
    byLine.set(name, [...(byLine.get(name) ?? []), mutation]);
  }
  const lines = [...byLine]
    .map(([name, list]) => ({ rank: hash(name), left: list.toSorted(compareRanks) }))
    .toSorted((one, other) => one.rank - other.rank);
  const used = new Map<Mutation["operator"], number>();
  const count = (mutation: Mutation): number => used.get(mutation.operator) ?? 0;
  const chosen: Mutation[] = [];
  while (chosen.length < max && lines.some(({ left }) => left.length > 0)) {
    for (const { left } of lines) {
      const [first] = left.toSorted((one, other) => count(one) - count(other));
      if (first === undefined || chosen.length >= max) continue;
      left.splice(left.indexOf(first), 1);
      used.set(first.operator, count(first) + 1);
      chosen.push(first);
    }
  }
  return chosen;
}

const compareRanks = (one: Mutation, other: Mutation): number => rank(one) - rank(other);
const rank = ({ path, start, operator, after }: Mutation): number => hash(`${path}:${start}:${operator}:${after}`);

/** FNV-1a: spreads neighbours, and needs no seed. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
