const LISTED_MAX = 5;
const QUOTED_MAX = 120;

/** Names a few of many things in a sentence and counts the rest. */
export function shortenList(items: readonly string[]): string {
  const shown = items.slice(0, LISTED_MAX).map(quote).join(", ");
  const rest = items.length - LISTED_MAX;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Quotes text that somebody else chose, cut to what fits in a sentence. */
export function quote(text: string): string {
  const characters = Array.from(text);
  return characters.length > QUOTED_MAX ? `\`${characters.slice(0, QUOTED_MAX).join("")}…\`` : `\`${text}\``;
}
