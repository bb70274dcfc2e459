/** The length is in UTF-16 units, as in the schemas; never cuts through a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, Math.max(0, max - 1));
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** The first paragraph: the later ones of a text explain it. */
export function takeTitle(text: string): string {
  return text.trim().split(/\n[^\S\n]*\n/u)[0] ?? text;
}
