/** What a piece of text is, not how it looks: the colour follows from it. */
export type Tone = "good" | "bad" | "strong" | "faint";

/** Dresses text for a terminal, or leaves it alone. */
export type Style = (tone: Tone, text: string) => string;

const SEQUENCES: Readonly<Record<Tone, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  strong: [1, 22],
  faint: [2, 22],
};

export const plainStyle: Style = (_, text) => text;

export const colouredStyle: Style = (tone, text) => {
  const [on, off] = SEQUENCES[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

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
