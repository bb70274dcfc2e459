interface Window {
  readonly rows: number;
  /** The place that matters most. */
  readonly at: number;
  /** The places that are kept before all others. */
  readonly pinned?: readonly number[];
}

/** So many of a list, in its order: what is pinned first, and then what stands nearest to the place. */
export function pickWindow<T>(list: readonly T[], { rows, at, pinned = [] }: Window): readonly T[] {
  if (list.length <= rows) return list;
  const isPinned = new Set(pinned);
  const weight = (index: number): number => Math.abs(index - at) - (isPinned.has(index) ? list.length : 0);
  return [...new Set([...pinned, ...listPlaces(at, rows + pinned.length, list.length)])]
    .toSorted((a, b) => weight(a) - weight(b) || a - b)
    .slice(0, Math.max(0, rows))
    .toSorted((a, b) => a - b)
    .flatMap((index) => list.slice(index, index + 1));
}

/** The places within reach: of a long list only these can be among the nearest, and only these are looked at. */
function listPlaces(at: number, reach: number, length: number): readonly number[] {
  const first = Math.max(0, at - reach);
  const last = Math.min(length - 1, at + reach);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
