const LISTED_MAX = 5;
const QUOTED_MAX = 120;

/** Names the first items and counts the rest. */
export function shortenList(items: readonly string[]): string {
  const shown = items.slice(0, LISTED_MAX).map(quote).join(", ");
  const rest = items.length - LISTED_MAX;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** One sentence about these paths, or none if there are no paths. */
export function listPathNote(saying: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${saying}: ${shortenList(paths)}.`];
}

export function quote(text: string): string {
  const characters = Array.from(text);
  return characters.length > QUOTED_MAX ? `\`${characters.slice(0, QUOTED_MAX).join("")}…\`` : `\`${text}\``;
}
