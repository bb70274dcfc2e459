interface Window {
  readonly rows: number;
  /** The place that matters most. */
  readonly at: number;
  /** Which ones are kept before all others. */
  readonly isPinned?: readonly boolean[];
}

/** So many of a list, in its order: what is pinned first, and then what stands nearest to the place. */
export function windowed<T>(list: readonly T[], { rows, at, isPinned = [] }: Window): readonly T[] {
  if (list.length <= rows) return list;
  const weight = (index: number): number =>
    Math.abs(index - at) - (isPinned[index] === true ? list.length : 0);
  const kept = new Set(
    list
      .map((_, index) => index)
      .toSorted((a, b) => weight(a) - weight(b) || a - b)
      .slice(0, Math.max(0, rows)),
  );
  return list.filter((_, index) => kept.has(index));
}
