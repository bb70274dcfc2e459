/** Compares the first version number in a text; false without a number. */
export function isAtLeast(text: string, wanted: readonly number[]): boolean {
  const found = /\d+(?:\.\d+)*/.exec(text)?.[0].split(".").map(Number);
  if (found === undefined) return false;
  const at = wanted.findIndex((part, index) => part !== (found[index] ?? 0));
  return at === -1 || (found[at] ?? 0) > (wanted[at] ?? 0);
}
