const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** In an order whose every beginning is spread over all of them, for there may be no time for the rest. */
export function spread<T>(all: readonly T[]): readonly T[] {
  return all
    .map((one, index) => ({ one, rank: (index * GOLDEN) % 1 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ one }) => one);
}
