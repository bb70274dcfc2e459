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
