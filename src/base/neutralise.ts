/**
 * Characters that could move the cursor, recolour the terminal, reorder a line or hide in it: controls, formatting
 * characters (bidirectional and zero-width ones, tags), separators of lines, and halves of a surrogate pair.
 */
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Makes text that somebody else chose safe to print on one line; what was taken out is shown as `\u{..}`. */
export function neutralise(text: string): string {
  return text.replaceAll(DANGEROUS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

export function neutraliseLines(text: string): string {
  return text.split("\n").map(neutralise).join("\n");
}
