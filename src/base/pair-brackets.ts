/** Where each bracket of a code closes, in linear time. What closes nothing is passed over. */

const CLOSES: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export function pairBrackets(code: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: { readonly sign: string; readonly at: number }[] = [];
  const counts: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  for (const { index, [0]: sign } of code.matchAll(/[()[\]{}]/gu)) {
    const opener = CLOSES[sign];
    if (opener === undefined) {
      open.push({ sign, at: index });
      counts[sign] = (counts[sign] ?? 0) + 1;
      continue;
    }
    if ((counts[opener] ?? 0) === 0) continue;
    // One that was forgotten ends with what is around it.
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      counts[last.sign] = (counts[last.sign] ?? 0) - 1;
      pairs.set(last.at, index);
      if (last.sign === opener) break;
    }
  }
  return pairs;
}

export function isEnclosed({ start, end }: { readonly start: number; readonly end: number }, at: number): boolean {
  return start <= at && at < end;
}
